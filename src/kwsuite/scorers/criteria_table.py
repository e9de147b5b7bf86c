"""What a reader of a log is shown of the criteria: a markdown table, safe against what models write."""

import html
from collections.abc import Mapping

from kwsuite.verdicts import Criterion, Outcome, state_of

_MARKS = {"met": "✓", "not_met": "✗"}
_CELL = 300


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


def state_words(outcome: Outcome) -> str:
    """Give the state as one says it: `met`, `not met`, or `unscored, <reason>`."""
    return state_of(outcome).replace("_", " ").replace(":", ", ")


def table_cell(text: str) -> str:
    """Make one table cell of text that a model may have written: one line, no markup, cut at 300 characters."""
    line = " ".join(text.split())
    shown = line if len(line) <= _CELL else f"{line[:_CELL]} …"
    escaped = html.escape(shown, quote=False)
    return "".join(f"\\{character}" if character in "|[]!*_`\\" else character for character in escaped)


def _row(criterion: Criterion, outcome: Outcome) -> str:
    mark = _MARKS.get(state_of(outcome), "–")
    return table_row(mark, f"{criterion.id} {state_words(outcome)}", criterion.text, outcome.rationale)
