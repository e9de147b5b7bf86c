"""Match reported findings with planted problems, one to one.

Three steps, so that whoever compares meanings may be asynchronous: `compare_places` says which pairs agree in place,
the caller finds a similarity for each, and `match` assigns. Nothing here depends on the order of the findings.
"""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kwsuite.matching.findings import Finding
from kwsuite.matching.meaning import Wording
from kwsuite.matching.places import Place, Source, locate
from kwsuite.matching.problem_types import ProblemType
from kwsuite.matching.spans import Span, best_iou

IOU = 0.5
"""Least intersection over union at which two places, widened to sentences, are the same."""


class Planted(NamedTuple):
    """One planted problem as the matcher needs it."""

    id: str
    """Name, unique within its document."""
    type: ProblemType
    """Its type."""
    description: str
    """What is wrong."""
    spans: tuple[Span, ...]
    """The places at which it may be named, in code points; any one of them is right. At least one."""


class Located(NamedTuple):
    """A finding with its place."""

    finding: Finding
    """What was reported."""
    place: Place
    """Where that is; without spans if it was not found."""


class Pair(NamedTuple):
    """A finding and a planted problem that agree in place, and so are to be compared in meaning."""

    finding: int
    """Index into `Comparison.reported`."""
    problem: int
    """Index into `Comparison.planted`."""
    iou: float
    """Agreement of their places, widened to sentences, in [0, 1]."""
    raw_iou: float
    """Agreement of the places as quoted, in [0, 1]."""
    wording: Wording
    """Their two descriptions."""


class Key(NamedTuple):
    """Names a pair."""

    finding: int
    """Index into `Comparison.reported`."""
    problem: int
    """Index into `Comparison.planted`."""


class Comparison(NamedTuple):
    """A document's findings and problems after their places were compared."""

    reported: tuple[Located, ...]
    """All findings, in the order of the reply."""
    planted: tuple[Planted, ...]
    """All problems, in the order of the document."""
    pairs: tuple[Pair, ...]
    """What is to be compared in meaning, by finding and problem. A duplicate finding has no pairs."""
    duplicates: tuple[int, ...]
    """Indices of findings that say what another one says about the same sentences; they can match nothing."""


class Matched(NamedTuple):
    """A finding that names a planted problem."""

    pair: Pair
    """The two."""
    similarity: float
    """Agreement of their descriptions, in [0, 1]."""


class Matching(NamedTuple):
    """The best assignment of findings to problems, and how many there can be if some meanings are unknown."""

    matched: tuple[Matched, ...]
    """Pairs on what is known, by problem; each finding and each problem at most once."""
    hits: int
    """Number of problems found on what is known: an undecided pair counts as different."""
    most_hits: int
    """Number found if every undecided pair were the same; equal to `hits` where all that matters is known."""
    undecided: tuple[Key, ...]
    """Pairs without a similarity."""
    most_matched: tuple[Key, ...]
    """Pairs of an assignment with `most_hits`, by problem."""


def locate_all(findings: Sequence[Finding], source: Source) -> tuple[Located, ...]:
    """Find the place of each finding, in order."""
    return tuple(Located(finding, locate(finding, source)) for finding in findings)


def compare_places(
    reported: Sequence[Located], planted: Sequence[Planted], source: Source, least_iou: float = IOU
) -> Comparison:
    """List the pairs whose places, widened to sentences, agree.

    Args:
        reported: The findings. One without a place is in no pair.
        planted: The problems; none for a clean document.
        source: The document.
        least_iou: Least agreement, in (0, 1].

    Raises:
        ValueError: `least_iou` is outside (0, 1].
    """
    if not 0 < least_iou <= 1:
        raise ValueError(f"iou is {least_iou}; it must be above 0 and at most 1")
    said = [tuple(source.widen(span) for span in one.place.spans) for one in reported]
    meant = [tuple(source.widen(span) for span in problem.spans) for problem in planted]
    duplicates = _duplicates(reported, said)
    pairs = []
    for finding, one in enumerate(reported):
        if finding in duplicates:
            continue
        for problem, other in enumerate(planted):
            agreement = best_iou(said[finding], meant[problem])
            if agreement >= least_iou:
                raw = best_iou(one.place.spans, other.spans)
                wording = Wording(one.finding.description, other.description)
                pairs.append(Pair(finding, problem, agreement, raw, wording))
    return Comparison(tuple(reported), tuple(planted), tuple(pairs), tuple(sorted(duplicates)))


def match(comparison: Comparison, similarities: Mapping[Key, float | None], threshold: float) -> Matching:
    """Assign findings to problems: as many as possible, and among those the best total agreement.

    Args:
        comparison: The pairs that agree in place.
        similarities: Agreement in meaning, in [0, 1], for each of them; None or no entry where it could not be decided.
        threshold: Least similarity at which two descriptions name the same problem.
    """
    known = [
        Matched(pair, similarity)
        for pair in comparison.pairs
        if (similarity := similarities.get(Key(pair.finding, pair.problem))) is not None and similarity >= threshold
    ]
    undecided = [
        Matched(pair, threshold)
        for pair in comparison.pairs
        if similarities.get(Key(pair.finding, pair.problem)) is None
    ]
    matched = _assign(known, comparison)
    most = _assign(known + undecided, comparison) if undecided else matched
    return Matching(matched, len(matched), len(most), _keys(undecided), _keys(most))


def _assign(candidates: Sequence[Matched], comparison: Comparison) -> tuple[Matched, ...]:
    """Solve the assignment over candidates, with rows in an order that only their content decides."""
    if not candidates:
        return ()
    # Most of a second to import, which the discovery of tasks should not pay.
    import numpy as np  # noqa: PLC0415
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415

    rows = sorted({one.pair.finding for one in candidates}, key=lambda row: _content(comparison.reported[row]))
    columns = sorted({one.pair.problem for one in candidates}, key=lambda column: comparison.planted[column].id)
    by_key = {Key(one.pair.finding, one.pair.problem): one for one in candidates}
    # One match more outweighs any sum of agreements, each of which is at most 2.
    bonus = 2.0 * min(len(rows), len(columns)) + 1
    weight = np.zeros((len(rows), len(columns)))
    for at_row, row in enumerate(rows):
        for at_column, column in enumerate(columns):
            if one := by_key.get(Key(row, column)):
                weight[at_row, at_column] = bonus + one.similarity + one.pair.iou
    chosen = zip(*linear_sum_assignment(weight, maximize=True), strict=True)
    pairs = [by_key.get(Key(rows[int(row)], columns[int(column)])) for row, column in chosen]
    return tuple(sorted((one for one in pairs if one is not None), key=lambda one: one.pair.problem))


def _keys(matched: Sequence[Matched]) -> tuple[Key, ...]:
    return tuple(Key(one.pair.finding, one.pair.problem) for one in matched)


def _duplicates(reported: Sequence[Located], widened: Sequence[tuple[Span, ...]]) -> set[int]:
    """Find findings that repeat another; which of them stays depends on content, not on order."""
    first: dict[tuple[tuple[Span, ...], str], int] = {}
    repeated = set()
    for index in sorted(range(len(reported)), key=lambda index: _content(reported[index])):
        spans = widened[index]
        key = (tuple(sorted(spans)), _plain(reported[index].finding.description))
        if spans and key in first:
            repeated.add(index)
        first.setdefault(key, index)
    return repeated


def _content(one: Located) -> tuple[tuple[Span, ...], str, str, str]:
    return one.place.spans, one.finding.description, one.finding.type_text, one.finding.location


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum())
