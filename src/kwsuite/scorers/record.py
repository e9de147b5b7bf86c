"""What a log keeps of a judged answer."""

import html
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score

from kwsuite.verdicts import TIERS, Bounds, Criterion, GateScore, Outcome, Rubric, Tier, Unscored, Verdict, state_of

_TIER_NAMES: dict[Tier, str] = {"mandatory": "mandatory", "good_to_have": "good to have", "ideal": "ideal"}
_MARKS = {"met": "✓", "not_met": "✗"}
_CELL = 300


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
    gate = Bounds(0.0, 1.0) if result.gate is None else Bounds(float(result.gate), float(result.gate))
    unscored = sum(isinstance(outcome, Unscored) for outcome in outcomes.values())
    return Score(
        value={
            "gate": gate.value,
            "score": result.score.value,
            **{tier: _value(result.fractions[tier]) for tier in TIERS},
            "graded": round(result.graded, 4),
        },
        answer=answer,
        explanation=explanation(rubric, outcomes, result),
        reason="grader_failed" if result.gate is None else None,
        metadata={
            "verdicts": {name: state_of(outcome) for name, outcome in outcomes.items()},
            "criteria": criteria_record(rubric.criteria, outcomes),
            "bounds": {
                "gate": list(gate),
                "score": list(result.score),
                **{tier: list(bounds) for tier, bounds in result.fractions.items() if bounds},
            },
            "n_unscored": unscored,
            "n_unparsed": sum(
                isinstance(outcome, Unscored) and outcome.reason == "parse_failure" for outcome in outcomes.values()
            ),
            **context,
        },
    )


def criteria_record(criteria: tuple[Criterion, ...], outcomes: Mapping[str, Outcome]) -> list[dict[str, Any]]:
    """Give the full record: one entry per criterion, in order."""
    return [_entry(criterion, outcomes[criterion.id]) for criterion in criteria]


def explanation(rubric: Rubric, outcomes: Mapping[str, Outcome], result: GateScore) -> str:
    """Write a short markdown table for the reader of a log: the outcome first, then each criterion."""
    return "\n".join([_headline(rubric, outcomes, result), "", criteria_table(rubric.criteria, outcomes)])


def criteria_table(criteria: tuple[Criterion, ...], outcomes: Mapping[str, Outcome]) -> str:
    """Write the criteria as a markdown table, safe against what models write."""
    return "\n".join(["| | criterion, *and why* |", "|---|---|", *(_row(one, outcomes[one.id]) for one in criteria)])


def table_row(mark: str, said: str, text: str, why: str = "") -> str:
    """Make one row of two cells: a mark, then what is said of a text, the text, and why.

    Viewers break words anywhere once a table is narrow, on a phone for instance: hence one short cell and one long.

    Args:
        mark: One or two characters, ours.
        said: A few words, shown bold; may hold what a model wrote, as may `text` and `why`.
        text: What it is said of.
        why: The reason; empty leaves it out.
    """
    reason = f" *{table_cell(why)}*" if why.strip() else ""
    return f"| {mark} | **{table_cell(said)}:** {table_cell(text)}{reason} |"


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
    silent = sum(state not in _MARKS for state in states)
    return f"{_TIER_NAMES[tier]} {states.count('met')}/{len(states)}" + (f" with {silent} unscored" if silent else "")


def _row(criterion: Criterion, outcome: Outcome) -> str:
    mark = _MARKS.get(state_of(outcome), "–")
    return table_row(mark, f"{criterion.id} {state_words(outcome)}", criterion.text, outcome.rationale)


def state_words(outcome: Outcome) -> str:
    """Give the state as one says it: `met`, `not met`, or `unscored, <reason>`."""
    return state_of(outcome).replace("_", " ").replace(":", ", ")


def table_cell(text: str) -> str:
    """Make one table cell of text that a model may have written: one line, no markup, cut at 300 characters."""
    line = " ".join(text.split())
    shown = line if len(line) <= _CELL else f"{line[:_CELL]} …"
    escaped = html.escape(shown, quote=False)
    return "".join(f"\\{character}" if character in "|[]!*_`\\" else character for character in escaped)


def _entry(criterion: Criterion, outcome: Outcome) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": criterion.id,
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


def _value(bounds: Bounds | None) -> float:
    return float("nan") if bounds is None else round(bounds.value, 4)
