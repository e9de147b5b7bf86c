"""A reply after matching, as a table for the reader of a log."""

from collections.abc import Iterator, Mapping, Sequence

from kwsuite.matching.fates import Fate
from kwsuite.scorers.criteria_table import state_words, table_row
from kwsuite.scorers.spotting import Spotting
from kwsuite.verdicts import Outcome, state_of

_WORDS = {
    "matched": "names {}",
    "undecided": "undecided whether it names {}",
    "same_as_matched": "names {}, which another finding is credited with",
    "duplicate": "repeats another finding",
    "other_meaning": "says something else about the place of {}",
    "other_place": "nothing is planted there",
    "not_located": "place not found",
}
_MARKS = {"met": ("✓", "found"), "not_met": ("✗", "missed")}


def spotted_explanation(spotting: Spotting, outcomes: Mapping[str, Outcome], ends: Sequence[Fate]) -> str:
    """Write the outcome, then what came of each planted problem and of each finding, then the near misses."""
    lines = [_headline(spotting), *_problems(spotting, outcomes), *_findings(spotting, ends)]
    for miss in spotting.near:
        problem = spotting.comparison.planted[miss.problem].id
        measured = f"places agree {miss.iou:.2f}, descriptions {miss.similarity:.2f}"
        lines += ["", f"Nearest to {problem}: finding {miss.finding + 1} ({measured})."]
    return "\n".join(lines)


def _problems(spotting: Spotting, outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    if not spotting.comparison.planted:
        return
    yield from ("", "| | planted problem, *and why* |", "|---|---|")
    for planted in spotting.comparison.planted:
        outcome = outcomes[planted.id]
        mark, word = _MARKS.get(state_of(outcome), ("–", state_words(outcome)))
        yield table_row(mark, f"{planted.id} ({planted.type}) {word}", planted.description, outcome.rationale)


def _findings(spotting: Spotting, ends: Sequence[Fate]) -> Iterator[str]:
    if not spotting.reply.reported:
        return
    yield from ("", "| | finding, and what became of it |", "|---|---|")
    for index, fate in enumerate(ends):
        finding = spotting.comparison.reported[index].finding
        kind = f" ({finding.type_text})" if finding.type_text else ""
        yield table_row(str(index + 1), f"{_fate(spotting, index, fate)}{kind}", finding.description)
    for one in spotting.reply.refused:
        yield table_row("–", f"refused, {one.reason}", one.text)


def _headline(spotting: Spotting) -> str:
    score = spotting.score
    f1 = score.f1
    if not score.readable:
        return "**Unreadable reply: scored 0.**"
    if score.clean:
        return f"**Clean document, {score.reported} reported: scored {f1.low:.0f}.**"
    counts = f"{score.hits} of {score.planted} problems found, {score.reported} reported"
    if f1.low < f1.high:
        return f"**F1 unknown, between {f1.low:.2f} and {f1.high:.2f}** ({counts}; the grader was silent on some)"
    return f"**F1 {f1.low:.2f}** ({counts})"


def _fate(spotting: Spotting, index: int, fate: Fate) -> str:
    problem = "" if fate.problem is None else spotting.comparison.planted[fate.problem].id
    fault = spotting.comparison.reported[index].place.fault
    said = _WORDS[fate.state].format(problem)
    return f"{said} ({fault})" if fate.state == "not_located" else said
