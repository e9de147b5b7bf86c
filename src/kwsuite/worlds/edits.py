"""Edits of a list of calls: how one run is told as a small change of another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from kwsuite.worlds.trajectory import Call

Verb: TypeAlias = Literal["drop", "replace", "before", "after"]


@dataclass(frozen=True)
class Edit:
    """One edit."""

    verb: Verb
    """`drop` or `replace` the steps; put the calls `before` the first of them or `after` the last."""
    steps: tuple[int | str, ...]
    """Positions from 1, or tool names, which stand for every call of that tool."""
    calls: tuple[Call, ...]
    """What is put in; empty for `drop`."""


def edited(calls: Sequence[Call], edit: Edit) -> tuple[Call, ...]:
    """Apply an edit; where several steps are replaced, the new calls stand in place of the first.

    Raises:
        ValueError: A step names no call of the list.
    """
    chosen = sorted({index for step in edit.steps for index in _indexes(calls, step)})
    kept = [call for index, call in enumerate(calls) if index not in chosen]
    match edit.verb:
        case "drop":
            return tuple(kept)
        case "replace":
            return (*kept[: chosen[0]], *edit.calls, *kept[chosen[0] :])
        case "before":
            return (*calls[: chosen[0]], *edit.calls, *calls[chosen[0] :])
        case "after":
            return (*calls[: chosen[-1] + 1], *edit.calls, *calls[chosen[-1] + 1 :])
        case _:
            assert_never(edit.verb)


def _indexes(calls: Sequence[Call], step: int | str) -> list[int]:
    if isinstance(step, int):
        found = [step - 1] if 1 <= step <= len(calls) else []
    else:
        found = [index for index, call in enumerate(calls) if call.tool == step]
    if not found:
        raise ValueError(f"{step!r} is no step of the run. Steps: 1 to {len(calls)}, or the name of a tool in it.")
    return found
