"""Effects: what an action or a rule changes, computed from the state before it and applied all at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from kwsuite.worlds.expressions import Expression, Scope
from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.json_values import Json, kind_of
from kwsuite.worlds.paths import Path
from kwsuite.worlds.state import Write

Verb: TypeAlias = Literal["set", "merge", "append", "remove"]

Recipe: TypeAlias = "Expression | Mapping[str, Recipe] | list[Recipe] | bool | int | float | None"
"""A value as authored: text compiled as an expression, maps and lists of such, everything else itself."""


@dataclass(frozen=True)
class Operation:
    """One verb on one path."""

    verb: Verb
    path: Path
    value: Recipe
    """None for `remove`."""


@dataclass(frozen=True)
class Effect:
    """Operations that happen together, always or under a condition."""

    when: Expression | None
    operations: tuple[Operation, ...]

    def writes(self, scope: Scope) -> Iterator[Write]:
        """Compute what to write; nothing where the condition does not hold.

        Raises:
            WorldFault: An expression ends in an error, or `merge` is given something else than a map.
        """
        if self.when is not None and not self.when.decide(scope):
            return
        for operation in self.operations:
            yield from _writes(operation, scope)


def made(recipe: Recipe, scope: Scope) -> Json:
    """Compute a value from its recipe."""
    if isinstance(recipe, Expression):
        return recipe.evaluate(scope)
    if isinstance(recipe, Mapping):
        return {key: made(part, scope) for key, part in recipe.items()}
    return [made(part, scope) for part in recipe] if isinstance(recipe, list) else recipe


def _writes(operation: Operation, scope: Scope) -> Iterator[Write]:
    path = operation.path
    place = path.resolve(scope)
    value = made(operation.value, scope)
    match operation.verb:
        case "merge":
            if not isinstance(value, Mapping):
                raise WorldFault(path.at, f"merge into {path.source} wants a map, not a {kind_of(value)}.")
            for key, part in value.items():
                yield Write((*place, key), "set", part, path.at)
        case "set" | "append" | "remove":
            yield Write(place, operation.verb, value, path.at)
        case _:
            assert_never(operation.verb)
