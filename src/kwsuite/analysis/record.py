"""What one score in a log says, whoever wrote it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from inspect_ai.scorer import Score


class Reading(NamedTuple):
    """Which keys of a scorer's value hold the pass and the graded score; the first one that is there counts."""

    passed: tuple[str, ...]
    """Keys of a 0/1 outcome; empty for scorers without one."""
    score: tuple[str, ...]
    """Keys of a number in [0, 1]."""


SCORERS: Mapping[str, Reading] = {
    "conjunctive_gate": Reading(("gate",), ("score",)),
    "all_pass": Reading(("all_pass",), ("fraction",)),
    "verified": Reading(("verified", "passed", "reward"), ("fraction", "verified", "reward")),
    "spotted": Reading((), ("f1",)),
}
"""The scorers of this suite, in the order in which they are looked for."""

BEHAVIOURS = ("diagnostics", "exposure")
"""Metadata maps whose entries are rates of behaviour: of worlds, and the exposure chain of gated tasks."""


@dataclass(frozen=True)
class Record:
    """One sample under one scorer."""

    scorer: str
    """The scorer's name in the log."""
    passed: float
    """1.0, 0.0, or NaN when unscored or when the scorer has no such outcome."""
    score: float
    """The graded score; NaN when unscored."""
    binary: bool
    """Whether the number that was read can only be a pass or a fail."""
    values: Mapping[str, float] = field(default_factory=dict)
    """All numeric keys of the value."""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    """The score's metadata as it was read; summaries cut large parts."""
    behaviours: Mapping[str, float] = field(default_factory=dict)
    """Rates from `BEHAVIOURS`, as numbers."""
    others: tuple[str, ...] = ()
    """Names of the sample's other scores, which were not read."""

    @property
    def verdicts(self) -> dict[str, str] | None:
        """Criterion id to `met`, `not_met` or `unscored:<reason>`; None when absent or cut."""
        found = self.metadata.get("verdicts")
        return {str(key): str(state) for key, state in found.items()} if isinstance(found, Mapping) else None

    @property
    def cut(self) -> bool:
        """Whether the verdicts exist but were too large for the summary."""
        return isinstance(self.metadata.get("verdicts"), str)


def read_record(scores: Mapping[str, Score] | None, wanted: str | None = None, key: str | None = None) -> Record | None:
    """Read the score that counts out of a sample's scores.

    Args:
        scores: The sample's scores by scorer name.
        wanted: The scorer to read; by default the first of `SCORERS` that is there, else the sample's first.
        key: For scorers that are not of this suite and give a map: the key to read; by default its first number.

    Returns:
        The record; None when there are no scores, or not the wanted one.
    """
    if not scores:
        return None
    name = wanted or next((known for known in SCORERS if known in scores), next(iter(scores)))
    if name not in scores:
        return None
    score = scores[name]
    metadata = score.metadata or {}
    values = _values(score.value)
    reading = SCORERS.get(name.rstrip("0123456789"))
    if reading and isinstance(score.value, Mapping):
        passed, graded, binary = _pick(values, reading.passed), _pick(values, reading.score), bool(reading.passed)
    else:
        number = values.get(key) if key else next(iter(values.values()), None)
        graded = math.nan if number is None else number
        # Partial credit is a fail that earned something.
        partial = score.value == "P"
        passed, binary = (0.0 if partial else graded), partial or graded in (0.0, 1.0)
    others = tuple(other for other in scores if other != name)
    return Record(name, passed, graded, binary, values, metadata, _behaviours(metadata), others)


def number(value: object) -> float:
    """Read one score value: booleans and C/I/P/N as Inspect counts them, numbers as they are, all else NaN."""
    match value:
        case bool() | int() | float():
            return float(value)
        case "C":
            return 1.0
        case "P":
            return 0.5
        case "I" | "N":
            return 0.0
        case _:
            return math.nan


def _values(value: object) -> dict[str, float]:
    if isinstance(value, Mapping):
        return {str(key): number(part) for key, part in value.items()}
    return {"value": number(value)}


def _pick(values: Mapping[str, float], keys: tuple[str, ...]) -> float:
    return next((values[key] for key in keys if key in values), math.nan)


def _behaviours(metadata: Mapping[str, Any]) -> dict[str, float]:
    rates: dict[str, float] = {}
    for group in BEHAVIOURS:
        found = metadata.get(group)
        for name, value in found.items() if isinstance(found, Mapping) else ():
            # A list names what was found; whether anything was is what can be averaged.
            rate = float(bool(value)) if isinstance(value, list | Mapping) else number(value)
            if not math.isnan(rate):
                rates[str(name)] = rate
    return rates
