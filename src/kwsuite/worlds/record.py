"""A run as a log keeps it: one small JSON object a step, from which the run can be rebuilt.

A step holds what it changed, never the state: a change inside a long list holds only the part that differs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from kwsuite.worlds.engine import Run, World
from kwsuite.worlds.json_values import Json, same
from kwsuite.worlds.state import Change, Place, State, apply_changes, look_up
from kwsuite.worlds.trajectory import Call, Step

Record: TypeAlias = dict[str, Any]
"""`tool`, `arguments`, `outcome` and `reply`; and where there is something to say, `changes` and `fired`."""


def step_record(step: Step, before: State) -> Record:
    """Write one step.

    Args:
        step: The step.
        before: The state before it, against which lists are shortened.
    """
    record: Record = {
        "tool": step.call.tool,
        "arguments": dict(step.call.arguments),
        "outcome": step.outcome,
        "reply": step.reply,
    }
    if step.changes:
        record["changes"] = [_change_record(change, before) for change in step.changes]
    if step.fired:
        record["fired"] = list(step.fired)
    return record


def rebuilt_run(world: World, records: Iterable[Mapping[str, Any]]) -> Run:
    """Rebuild a run from its records; no record gives a run that has not begun."""
    state, steps = world.initial, []
    for record in records:
        changes = tuple(_change(entry, state) for entry in record.get("changes", ()))
        state = apply_changes(state, changes)
        steps.append(
            Step(
                call=Call(record["tool"], record["arguments"]),
                outcome=record["outcome"],
                reply=record["reply"],
                changes=changes,
                fired=tuple(record.get("fired", ())),
            )
        )
    return Run(world, state, tuple(steps))


def _change_record(change: Change, before: State) -> Record:
    at = list(change.place)
    if change.removed:
        return {"at": at, "gone": True}
    old = _old(before, change.place)
    if not isinstance(change.value, list) or not isinstance(old, list):
        return {"at": at, "is": change.value}
    start = _common(old, change.value)
    rest = min(len(old), len(change.value)) - start
    end = min(rest, _common(old[start:][::-1], change.value[start:][::-1]))
    put = change.value[start : len(change.value) - end]
    return {"at": at, "from": start, "drop": len(old) - start - end, "put": put}


def _change(entry: Mapping[str, Any], state: State) -> Change:
    place: Place = tuple(entry["at"])
    if "gone" in entry:
        return Change(place, None, removed=True)
    if "is" in entry:
        return Change(place, entry["is"])
    old = look_up(state, place)
    start, drop = entry["from"], entry["drop"]
    return Change(place, [*old[:start], *entry["put"], *old[start + drop :]])


def _old(state: State, place: Place) -> Json:
    try:
        return look_up(state, place)
    except LookupError:
        return None


def _common(one: Sequence[Json], other: Sequence[Json]) -> int:
    """Count the items that both lists begin with."""
    count = 0
    for a, b in zip(one, other, strict=False):
        if not same(a, b):
            break
        count += 1
    return count
