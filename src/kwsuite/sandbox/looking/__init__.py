"""Programs that run inside a sandbox, on its own Python, with the standard library only."""
