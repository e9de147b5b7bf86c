"""What expressions may call beside CEL's own functions: some for maps and lists, and questions about the run."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field

from kwsuite.worlds.json_values import Json
from kwsuite.worlds.rewriting import IN_ORDER
from kwsuite.worlds.trajectory import Trajectory


@dataclass
class Evaluation:
    """What one evaluation carries beside its variables."""

    trajectory: Trajectory
    errors: list[Exception] = field(default_factory=list)
    """What functions raised: the library passes on only the message, so it is kept here and raised again."""


EVALUATION: ContextVar[Evaluation] = ContextVar("evaluation")
"""The evaluation that is under way; set around each, because the library binds functions once per environment."""


def values(table: Mapping[str, Json]) -> list[Json]:
    """Give the values of a map, in the alphabetical order of its keys."""
    return [table[key] for key in sorted(table)]


def in_order(walked: Mapping[str, Json] | Sequence[Json]) -> list[Json]:
    """Give a list as it is, and the keys of a map in alphabetical order."""
    return sorted(walked) if isinstance(walked, Mapping) else list(walked)


def total(numbers: Sequence[float]) -> float:
    """Add up numbers; 0 for none."""
    return sum(numbers)


def merge(one: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """Give a map with the entries of both, those of `other` where both have one."""
    return {**one, **other}


def without(table: Mapping[str, Json], keys: Sequence[str]) -> dict[str, Json]:
    """Give a map without some keys; keys that it does not have are ignored."""
    return {key: value for key, value in table.items() if key not in keys}


def flatten(lists: Sequence[Sequence[Json]]) -> list[Json]:
    """Join the lists of a list."""
    return [item for one in lists for item in one]


PLAIN: dict[str, tuple[tuple[str, ...], Callable[..., Json]]] = {
    "values": (("map",), values),
    IN_ORDER: (("any",), in_order),
    "sum": (("list",), total),
    "merge": (("map", "map"), merge),
    "without": (("map", "list"), without),
    "flatten": (("list",), flatten),
}
"""Functions of their arguments alone: name, kinds of the arguments, implementation."""


def _ask(question: Callable[..., Json]) -> Callable[..., Json]:
    return lambda *arguments: question(EVALUATION.get().trajectory, *arguments)


TRAJECTORY: dict[str, tuple[tuple[tuple[str, ...], Callable[..., Json]], ...]] = {
    "called": ((("text",), _ask(Trajectory.called)), (("text", "map"), _ask(Trajectory.called))),
    "never": ((("text",), _ask(Trajectory.never)), (("text", "map"), _ask(Trajectory.never))),
    "count": ((("text",), _ask(Trajectory.count)), (("text", "map"), _ask(Trajectory.count))),
    "called_before": ((("text", "text"), _ask(Trajectory.called_before)),),
    "last_arguments": ((("text",), _ask(Trajectory.last_arguments)),),
}
"""Questions about the trajectory, for checks only: name, then each form."""
