"""The rules over outcomes."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Self

from kwsuite.verdicts.outcomes import Outcome, Unscored, Verdict, state_of
from kwsuite.verdicts.rubric import TIERS, Rubric, Tier


class Bounds(NamedTuple):
    """The closed interval in which an unknown number lies; both ends equal when it is known."""

    low: float
    """Value if every unscored criterion were not met."""
    high: float
    """Value if every unscored criterion were met."""

    @classmethod
    def of(cls, passed: bool | None) -> Self:
        """Give 1 for passed, 0 for failed, and all of [0, 1] for what is unknown."""
        return cls(0.0, 1.0) if passed is None else cls(float(passed), float(passed))

    @property
    def value(self) -> float:
        """The number itself, or NaN while it is unknown."""
        return self.low if self.low == self.high else math.nan


@dataclass(frozen=True)
class Weights:
    """How tiers add up once the gate is passed.

    Raises:
        ValueError: A part is not a finite number in [0, 1], or the parts do not sum to 1.
    """

    base: float
    """For passing the gate."""
    good_to_have: float
    """Times the fraction of good-to-have criteria met."""
    ideal: float
    """Times the fraction of ideal criteria met."""

    def __post_init__(self) -> None:
        parts = {"base": self.base, "good_to_have": self.good_to_have, "ideal": self.ideal}
        for name, part in parts.items():
            if isinstance(part, bool) or not isinstance(part, int | float) or not 0 <= part <= 1:
                raise ValueError(f"weight {name} is {part!r}; it must be a number from 0 to 1")
        if not math.isclose(sum(parts.values()), 1.0, abs_tol=1e-9):
            raise ValueError(f"the weights sum to {sum(parts.values())}; they must sum to 1")


GATE_WEIGHTS = Weights(base=0.40, good_to_have=0.35, ideal=0.25)
"""KWBench (arXiv 2604.15760), section on scoring: 0.40 + 0.35 g + 0.25 i."""


@dataclass(frozen=True)
class GateScore:
    """An answer under the conjunctive gate. Floats are in [0, 1], or NaN where they cannot be known."""

    gate: bool | None
    """Whether every mandatory criterion is met; None while that is unknown."""
    score: Bounds
    """0 without the gate, else the weighted sum of the tiers; rounded to 4 decimals as published."""
    fractions: dict[Tier, Bounds | None]
    """Fraction met in each tier; None for a tier that the rubric does not have."""
    graded: float
    """Share of criteria that have a verdict."""


def conjunction(outcomes: Iterable[Outcome]) -> bool | None:
    """Tell whether all are met: False with one `not_met` whatever is missing, else None with one unscored.

    Raises:
        ValueError: There are no outcomes; all of nothing is not a pass.
    """
    known = [state_of(outcome) for outcome in outcomes]
    if not known:
        raise ValueError("a conjunction over no criteria decides nothing")
    if "not_met" in known:
        return False
    return True if all(state == "met" for state in known) else None


def fraction(outcomes: Iterable[Outcome]) -> Bounds | None:
    """Give the share of criteria met, in [0, 1], with its bounds; None for no criteria."""
    known = [state_of(outcome) for outcome in outcomes]
    if not known:
        return None
    met, unknown = known.count("met"), sum(state not in ("met", "not_met") for state in known)
    return Bounds(met / len(known), (met + unknown) / len(known))


def gate_score(rubric: Rubric, outcomes: Mapping[str, Outcome], weights: Weights = GATE_WEIGHTS) -> GateScore:
    """Apply the conjunctive gate: 0 unless every mandatory criterion is met, else base + good + ideal parts.

    Args:
        rubric: The criteria; its length is the denominator, whatever the outcomes hold.
        outcomes: An outcome for each criterion id. A missing one counts as `Unscored("missing")`.
        weights: Parts of the sum; see `Rubric.normalise` for a tier that the rubric lacks.

    Raises:
        ValueError: An outcome names a criterion that the rubric does not have.
    """
    held = complete(rubric, outcomes)
    tiers: dict[Tier, list[Outcome]] = {tier: [held[criterion.id] for criterion in rubric.tier(tier)] for tier in TIERS}
    gate = conjunction(tiers["mandatory"])
    fractions = {tier: fraction(of_tier) for tier, of_tier in tiers.items()}
    passed = _passed_score(fractions, weights, rubric.normalise)
    match gate:
        case True:
            score = passed
        case False:
            score = Bounds(0.0, 0.0)
        case None:
            score = Bounds(0.0, passed.high)
    decided = sum(isinstance(outcome, Verdict) for outcome in held.values())
    return GateScore(gate, score, fractions, decided / len(held))


def complete(rubric: Rubric, outcomes: Mapping[str, Outcome]) -> dict[str, Outcome]:
    """Give one outcome per criterion of the rubric, in its order; what is missing becomes `Unscored("missing")`.

    Raises:
        ValueError: An outcome names a criterion that the rubric does not have.
    """
    known = {criterion.id for criterion in rubric.criteria}
    strangers = sorted(set(outcomes) - known)
    if strangers:
        raise ValueError(f"outcomes for criteria that the rubric does not have: {', '.join(strangers)}")
    missing = Unscored(reason="missing", attempts=0)
    return {criterion.id: outcomes.get(criterion.id, missing) for criterion in rubric.criteria}


def _passed_score(fractions: Mapping[Tier, Bounds | None], weights: Weights, normalise: bool) -> Bounds:
    good, ideal = fractions["good_to_have"], fractions["ideal"]
    ceiling = weights.base + (weights.good_to_have if good else 0) + (weights.ideal if ideal else 0)
    scale = 1 / ceiling if normalise else 1.0

    def total(end: int) -> float:
        extra = (good[end] if good else 0) * weights.good_to_have + (ideal[end] if ideal else 0) * weights.ideal
        return round((weights.base + extra) * scale, 4)

    return Bounds(total(0), total(1))
