"""The world engine: expressions, state, actions, rules and the record of a run. Pure: no I/O, no Inspect."""
