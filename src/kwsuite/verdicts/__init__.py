"""What a criterion can come to, and the rules that turn many of them into a score.

A criterion ends as `met`, `not_met` or `Unscored(reason)`. Rules follow Kleene's strong three-valued logic: what is
known decides where it can, and what cannot be known is NaN with the bounds it lies between. Nothing here does I/O or
knows Inspect.
"""

from kwsuite.verdicts.intervals import rate_interval, wilson
from kwsuite.verdicts.outcomes import Outcome, Reason, State, Unscored, Verdict, state_of
from kwsuite.verdicts.rubric import TIERS, Criterion, Kind, Rubric, Tier
from kwsuite.verdicts.rules import (
    GATE_WEIGHTS,
    Bounds,
    GateScore,
    Weights,
    complete,
    conjunction,
    fraction,
    gate_score,
)

__all__ = [
    "GATE_WEIGHTS",
    "TIERS",
    "Bounds",
    "Criterion",
    "GateScore",
    "Kind",
    "Outcome",
    "Reason",
    "Rubric",
    "State",
    "Tier",
    "Unscored",
    "Verdict",
    "Weights",
    "complete",
    "conjunction",
    "fraction",
    "gate_score",
    "rate_interval",
    "state_of",
    "wilson",
]
