"""What a log keeps of a verified run."""

import html
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score

from kwsuite.scorers.record import criteria_record
from kwsuite.verdicts import Bounds, Criterion, Outcome, Verdict, conjunction, fraction, state_of

_MARKS = {"met": "✓ met", "not_met": "✗ not met"}
_CELL = 300


def verified_record(outcomes: Mapping[str, Outcome], answer: str, context: Mapping[str, Any]) -> Score:
    """Write the score of one run.

    Args:
        outcomes: One for each criterion, in the verifier's order; at least one.
        answer: The candidate's closing message.
        context: Further metadata.

    Returns:
        A score whose value has the keys reward, fraction and graded: floats in [0, 1], or NaN where the verifier broke.
    """
    passed = conjunction(outcomes.values())
    share = fraction(outcomes.values()) or Bounds(0.0, 1.0)
    reward = Bounds(0.0, 1.0) if passed is None else Bounds(float(passed), float(passed))
    decided = sum(isinstance(outcome, Verdict) for outcome in outcomes.values())
    criteria = tuple(Criterion(id=name, text=f"The deliverable is right in: {name}.") for name in outcomes)
    return Score(
        value={"reward": reward.value, "fraction": round(share.value, 4), "graded": round(decided / len(outcomes), 4)},
        answer=answer,
        explanation=_explanation(outcomes, passed),
        reason="scoring_failed" if passed is None else None,
        metadata={
            "verdicts": {name: state_of(outcome) for name, outcome in outcomes.items()},
            "criteria": criteria_record(criteria, outcomes),
            "bounds": {"reward": list(reward), "fraction": list(share)},
            "n_unscored": len(outcomes) - decided,
            **context,
        },
    )


def _explanation(outcomes: Mapping[str, Outcome], passed: bool | None) -> str:
    states = {name: state_of(outcome) for name, outcome in outcomes.items()}
    missed = [name for name, state in states.items() if state == "not_met"]
    match passed:
        case True:
            headline = f"**Passed** (all {len(states)} criteria met)"
        case False:
            headline = f"**Failed**: {', '.join(missed)} not met ({len(states) - len(missed)} of {len(states)} met)"
        case None:
            headline = "**Unknown**: the verifier broke; the outputs are kept and can be scored again"
    rows = [
        f"| {_MARKS.get(states[name], states[name])} | {name} | {_cell(o.rationale)} |" for name, o in outcomes.items()
    ]
    return "\n".join([headline, "", "| | criterion | why |", "|---|---|---|", *rows])


def _cell(text: str) -> str:
    """Fit a table cell: one line, no markup, cut."""
    line = " ".join(text.split())
    shown = line if len(line) <= _CELL else f"{line[:_CELL]} …"
    return "".join(f"\\{c}" if c in "|[]!*_`\\" else c for c in html.escape(shown, quote=False))
