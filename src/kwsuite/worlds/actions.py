"""Actions: what a tool of the world accepts, requires, changes, reports and answers."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from kwsuite.worlds.effects import Effect
from kwsuite.worlds.expressions import Expression, Scope
from kwsuite.worlds.faults import Location, WorldFault
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.parameters import Parameter
from kwsuite.worlds.paths import Path
from kwsuite.worlds.state import State
from kwsuite.worlds.templates import Template, written

Breadth: TypeAlias = Literal["narrow", "broad"] | None
"""Whether a call touches only what was asked for, or more than that; None where it does not matter."""

ACKNOWLEDGEMENT = "Done."
"""The reply of an action that reports nothing and has no reply of its own."""


@dataclass(frozen=True)
class Requirement:
    """What must hold for an action to take place, and what the caller is told when it does not."""

    check: Expression
    message: Template


@dataclass(frozen=True)
class Action:
    """One tool."""

    tool: str
    """`<entity>_<action>`, within `[a-zA-Z0-9_-]{1,64}`."""
    entity: str
    name: str
    description: str
    parameters: tuple[Parameter, ...]
    requires: tuple[Requirement, ...]
    effects: tuple[Effect, ...]
    reads: tuple[Path, ...]
    reply: Template | None
    scope: Breadth
    broad_when: Expression | None
    """Where the breadth depends on the arguments: true for a broad call. It sees nothing but them."""
    read_only: bool
    """Whether it can change nothing: it has no effects, or its contract in prose says so."""
    executable: bool
    """Whether the engine can play it; an action in prose only needs a world model."""
    at: Location

    def refusal(self, scope: Scope) -> str | None:
        """Say why the action cannot take place now; None if it can.

        Raises:
            WorldFault: A requirement ends in an error, or `among` is neither a map nor a list.
        """
        for parameter in self.parameters:
            if parameter.among is None:
                continue
            known = parameter.among.evaluate(scope)
            if not isinstance(known, dict | list):
                raise WorldFault(parameter.among.at, f"among wants a map or a list. In: {parameter.among.source}")
            value = scope.values[parameter.name]
            if value not in known and not (value is None and not parameter.required):
                return f"Unknown {parameter.name}: {written(value)}."
        for requirement in self.requires:
            if not requirement.check.decide(scope):
                return requirement.message.fill(scope)
        return None

    def answer(self, state: State, scope: Scope) -> str:
        """Give the reply: the author's, else what the action reads as one JSON object, else an acknowledgement.

        Raises:
            WorldFault: The reply ends in an error, or a path that it reads does not exist.
        """
        if self.reply is not None:
            return self.reply.fill(scope)
        if not self.reads:
            return ACKNOWLEDGEMENT
        found = [path.read(state, scope) for path in self.reads]
        short: dict[str, Json] = dict(found)
        if len(short) == len(found):
            return written(short)
        return written({path.source: value for path, (_, value) in zip(self.reads, found, strict=True)})

    def breadth(self, scope: Scope) -> Breadth:
        """Say how broad a call was, whose arguments are the scope.

        Raises:
            WorldFault: `broad_when` ends in an error.
        """
        if self.broad_when is None:
            return self.scope
        return "broad" if self.broad_when.decide(scope) else "narrow"
