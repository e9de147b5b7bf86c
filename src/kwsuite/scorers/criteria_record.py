"""What a log keeps of each criterion."""

from collections.abc import Iterable, Mapping
from typing import Any

from kwsuite.verdicts import Criterion, Outcome, Unscored, Verdict


def criteria_record(criteria: tuple[Criterion, ...], outcomes: Mapping[str, Outcome]) -> list[dict[str, Any]]:
    """Give the full record: one entry per criterion, in order, its text included, so that a log tells by itself."""
    return [_entry(criterion, outcomes[criterion.id]) for criterion in criteria]


def unscored_counts(outcomes: Iterable[Outcome]) -> dict[str, int]:
    """Count what has no verdict: `n_unscored`, and of these `n_unparsed`, whose replies could not be read."""
    reasons = [outcome.reason for outcome in outcomes if isinstance(outcome, Unscored)]
    return {"n_unscored": len(reasons), "n_unparsed": reasons.count("parse_failure")}


def _entry(criterion: Criterion, outcome: Outcome) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": criterion.id,
        "text": criterion.text,
        "tier": criterion.tier,
        "kind": criterion.kind,
        "state": outcome.state if isinstance(outcome, Verdict) else "unscored",
        "rationale": outcome.rationale,
        "source": outcome.source,
        "grader": outcome.grader,
        "attempts": outcome.attempts,
    }
    if isinstance(outcome, Unscored):
        entry["reason"] = outcome.reason
    if outcome.votes:
        entry["votes"] = list(outcome.votes)
    return entry
