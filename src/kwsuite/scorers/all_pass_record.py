"""What a log keeps of a run that had to meet every criterion."""

from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score

from kwsuite.scorers.criteria_record import criteria_record, unscored_counts
from kwsuite.scorers.criteria_table import criteria_table
from kwsuite.verdicts import Bounds, Outcome, Rubric, Verdict, conjunction, fraction, state_of


def all_pass_record(rubric: Rubric, outcomes: Mapping[str, Outcome], answer: str, context: Mapping[str, Any]) -> Score:
    """Write the score of one run.

    Args:
        rubric: The criteria.
        outcomes: One outcome for each of them.
        answer: The agent's closing message.
        context: Further metadata.

    Returns:
        A score whose value has the keys all_pass (1 if every criterion is met), fraction (the share of criteria met)
        and graded (the share that has a verdict): floats to four decimals, or NaN where the number cannot be known for
        want of a verdict.
    """
    held = [outcomes[criterion.id] for criterion in rubric.criteria]
    passed = conjunction(held)
    share = fraction(held) or Bounds(0.0, 1.0)
    bounds = Bounds.of(passed)
    return Score(
        value={
            "all_pass": bounds.value,
            "fraction": round(share.value, 4),
            "graded": round(sum(isinstance(outcome, Verdict) for outcome in held) / len(held), 4),
        },
        answer=answer,
        explanation="\n".join([_headline(rubric, outcomes, passed), "", criteria_table(rubric.criteria, outcomes)]),
        reason="grader_failed" if passed is None else None,
        metadata={
            "verdicts": {criterion.id: state_of(outcomes[criterion.id]) for criterion in rubric.criteria},
            "criteria": criteria_record(rubric.criteria, outcomes),
            "bounds": {"all_pass": list(bounds), "fraction": list(share)},
            **unscored_counts(held),
            **context,
        },
    )


def _headline(rubric: Rubric, outcomes: Mapping[str, Outcome], passed: bool | None) -> str:
    states = {criterion.id: state_of(outcomes[criterion.id]) for criterion in rubric.criteria}
    count = f"{list(states.values()).count('met')} of {len(states)} criteria met"
    match passed:
        case True:
            return f"**Passed** ({count})"
        case False:
            missed = [name for name, state in states.items() if state == "not_met"]
            return f"**Failed**: {', '.join(missed)} not met ({count})"
        case None:
            silent = [name for name, state in states.items() if state not in ("met", "not_met")]
            return f"**Unknown**: {', '.join(silent)} without a verdict ({count})"
