"""The record of a run: what was called, what came of it, and what checks may ask about it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from kwsuite.worlds.json_values import Json, same
from kwsuite.worlds.state import Change

Outcome: TypeAlias = Literal["done", "refused", "malformed", "error"]
"""`done`: it took effect. `refused`: the world said no. `malformed`: the arguments do not fit the action's schema.
`error`: the world itself broke, which ends a run; the engine raises, and only a log holds such a step."""


@dataclass(frozen=True)
class Call:
    """One call of a tool."""

    tool: str
    """`<entity>_<action>`."""
    arguments: Mapping[str, Json]


@dataclass(frozen=True)
class Step:
    """One call and what came of it."""

    call: Call
    """As asked; once accepted, with defaults filled in."""
    outcome: Outcome
    reply: str
    """What the caller is told."""
    changes: tuple[Change, ...] = ()
    """What it changed, effects and rules together; empty unless done."""
    fired: tuple[int, ...] = ()
    """Numbers of the rules that changed something, from 1, in the order of their firing."""


@dataclass(frozen=True)
class Trajectory:
    """The calls of a run that took effect, in order. Refused and malformed ones do not count as called."""

    calls: tuple[Call, ...] = ()

    @classmethod
    def of(cls, steps: Sequence[Step]) -> "Trajectory":
        """Keep the calls that took effect."""
        return cls(tuple(step.call for step in steps if step.outcome == "done"))

    def count(self, tool: str, arguments: Mapping[str, Json] | None = None) -> int:
        """Count the calls of a tool with at least these arguments."""
        return sum(call.tool == tool and _has(call, arguments or {}) for call in self.calls)

    def called(self, tool: str, arguments: Mapping[str, Json] | None = None) -> bool:
        """Say whether such a call was made."""
        return self.count(tool, arguments) > 0

    def never(self, tool: str, arguments: Mapping[str, Json] | None = None) -> bool:
        """Say whether no such call was made."""
        return self.count(tool, arguments) == 0

    def called_before(self, first: str, then: str) -> bool:
        """Say whether every call of `then` came after some call of `first`; true if `then` was never called."""
        for call in self.calls:
            if call.tool == first:
                return True
            if call.tool == then:
                return False
        return True

    def last_arguments(self, tool: str) -> Mapping[str, Json]:
        """Give the arguments of the last call of a tool.

        Raises:
            LookupError: The tool was never called.
        """
        for call in reversed(self.calls):
            if call.tool == tool:
                return call.arguments
        raise LookupError(f"{tool} was never called; ask called('{tool}') first")


def _has(call: Call, wanted: Mapping[str, Json]) -> bool:
    return all(name in call.arguments and same(call.arguments[name], value) for name, value in wanted.items())
