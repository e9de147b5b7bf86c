"""What a log keeps of a verified run."""

import math
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score

from kwsuite.scorers.criteria_record import criteria_record, unscored_counts
from kwsuite.scorers.criteria_table import criteria_table
from kwsuite.scorers.judged_outputs import JudgedPart
from kwsuite.verdicts import Bounds, Criterion, Outcome, Verdict, conjunction, fraction, state_of


def verified_record(
    checked: Mapping[str, Outcome], judged: JudgedPart, answer: str, context: Mapping[str, Any]
) -> Score:
    """Write the score of one run.

    Args:
        checked: An outcome for each criterion of the verifier, in its order; at least one.
        judged: What became of the judged criteria; most tasks have none.
        answer: The candidate's closing message.
        context: Further metadata.

    Returns:
        A score whose value has the keys reward (all criteria met), deterministic (all of the verifier's), judged (all
        of the judge's; NaN for a task without), fraction (the share met) and graded (the share decided): floats in
        [0, 1], or NaN where a number cannot be known for want of a verdict.
    """
    outcomes = {**checked, **judged.outcomes}
    passed = conjunction(outcomes.values())
    share = fraction(outcomes.values()) or Bounds(0.0, 1.0)
    parts = {
        "reward": Bounds.of(passed),
        "deterministic": Bounds.of(conjunction(checked.values())),
        **({"judged": Bounds.of(conjunction(judged.outcomes.values()))} if judged.outcomes else {}),
    }
    decided = sum(isinstance(outcome, Verdict) for outcome in outcomes.values())
    questions = tuple(Criterion(id=name, text=f"The deliverable is right in: {name}.") for name in checked)
    criteria = (*questions, *judged.criteria)
    return Score(
        value={
            "judged": math.nan,
            **{name: bounds.value for name, bounds in parts.items()},
            "fraction": round(share.value, 4),
            "graded": round(decided / len(outcomes), 4),
        },
        answer=answer,
        explanation="\n".join([_headline(outcomes, passed), "", criteria_table(criteria, outcomes)]),
        reason=_reason(checked, passed),
        metadata={
            "verdicts": {name: state_of(outcome) for name, outcome in outcomes.items()},
            "criteria": criteria_record(criteria, outcomes),
            "bounds": {**{name: list(bounds) for name, bounds in parts.items()}, "fraction": list(share)},
            **unscored_counts(outcomes.values()),
            **judged.context,
            **context,
        },
    )


def _reason(checked: Mapping[str, Outcome], passed: bool | None) -> str | None:
    if passed is not None:
        return None
    return "scoring_failed" if conjunction(checked.values()) is None else "grader_failed"


def _headline(outcomes: Mapping[str, Outcome], passed: bool | None) -> str:
    states = {name: state_of(outcome) for name, outcome in outcomes.items()}
    missed = [name for name, state in states.items() if state == "not_met"]
    silent = [name for name, state in states.items() if state not in ("met", "not_met")]
    match passed:
        case True:
            return f"**Passed** (all {len(states)} criteria met)"
        case False:
            met = list(states.values()).count("met")
            return f"**Failed**: {', '.join(missed)} not met ({met} of {len(states)} met)"
        case None:
            return (
                f"**Unknown**: {', '.join(silent)} without a verdict; the outputs are kept and can be scored again "
                f"({len(states) - len(silent)} of {len(states)} met)"
            )
