"""What a log keeps of a judged answer."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score

from kwsuite.scorers.criteria_record import criteria_record, unscored_counts
from kwsuite.scorers.criteria_table import criteria_table
from kwsuite.verdicts import TIERS, Bounds, GateScore, Outcome, Rubric, Tier, state_of

_TIER_NAMES: dict[Tier, str] = {"mandatory": "mandatory", "good_to_have": "good to have", "ideal": "ideal"}


def gate_record(
    rubric: Rubric, outcomes: Mapping[str, Outcome], result: GateScore, answer: str, context: Mapping[str, Any]
) -> Score:
    """Write the score of one answer under the gate.

    Args:
        rubric: The criteria.
        outcomes: One outcome for each of them.
        result: The rule's result.
        answer: What was judged.
        context: Further metadata: epoch, polarity, hashes, grader.

    Returns:
        A score whose value has the keys gate, score, mandatory, good_to_have, ideal and graded: floats in [0, 1] to
        four decimals, or NaN where the number cannot be known or the rubric has no such tier.
    """
    gate = Bounds.of(result.gate)
    return Score(
        value={
            "gate": gate.value,
            "score": result.score.value,
            **{tier: _value(result.fractions[tier]) for tier in TIERS},
            "graded": round(result.graded, 4),
        },
        answer=answer,
        explanation=_explanation(rubric, outcomes, result),
        reason="grader_failed" if result.gate is None else None,
        metadata={
            "verdicts": {name: state_of(outcome) for name, outcome in outcomes.items()},
            "criteria": criteria_record(rubric.criteria, outcomes),
            "bounds": {
                "gate": list(gate),
                "score": list(result.score),
                **{tier: list(bounds) for tier, bounds in result.fractions.items() if bounds},
            },
            **unscored_counts(outcomes.values()),
            **context,
        },
    )


def _explanation(rubric: Rubric, outcomes: Mapping[str, Outcome], result: GateScore) -> str:
    return "\n".join([_headline(rubric, outcomes, result), "", criteria_table(rubric.criteria, outcomes)])


def _headline(rubric: Rubric, outcomes: Mapping[str, Outcome], result: GateScore) -> str:
    counts = ", ".join(_count(rubric, outcomes, tier) for tier in TIERS if rubric.tier(tier))
    missed = [c.id for c in rubric.tier("mandatory") if state_of(outcomes[c.id]) == "not_met"]
    match result.gate:
        case True:
            low, high = result.score
            score = f"{low:.2f}" if low == high else f"between {low:.2f} and {high:.2f}"
            return f"**Gate passed, score {score}** ({counts})"
        case False:
            return f"**Gate failed, score 0**: {', '.join(missed)} not met ({counts})"
        case None:
            return f"**Gate unknown**: a mandatory criterion has no verdict ({counts})"


def _count(rubric: Rubric, outcomes: Mapping[str, Outcome], tier: Tier) -> str:
    states = [state_of(outcomes[criterion.id]) for criterion in rubric.tier(tier)]
    silent = sum(state not in ("met", "not_met") for state in states)
    return f"{_TIER_NAMES[tier]} {states.count('met')}/{len(states)}" + (f" with {silent} unscored" if silent else "")


def _value(bounds: Bounds | None) -> float:
    return float("nan") if bounds is None else round(bounds.value, 4)
