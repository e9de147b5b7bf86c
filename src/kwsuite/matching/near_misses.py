"""Findings that almost name a planted problem, for human eyes."""

from typing import NamedTuple

from kwsuite.matching.match import Comparison, Matching
from kwsuite.matching.meaning import Similarity, Wording
from kwsuite.matching.places import Source
from kwsuite.matching.spans import best_iou


class NearMiss(NamedTuple):
    """An unmatched problem and the unmatched finding that comes nearest to it."""

    finding: int
    """Index into `Comparison.reported`."""
    problem: int
    """Index into `Comparison.planted`."""
    iou: float
    """Agreement of their places, widened to sentences, in [0, 1]."""
    similarity: float
    """Agreement of their descriptions by the given measure, in [0, 1]."""


def near_misses(comparison: Comparison, matching: Matching, source: Source, similarity: Similarity) -> list[NearMiss]:
    """List, for each problem that was not found, the unmatched finding nearest in place and meaning together.

    Args:
        comparison: The pairs.
        matching: Their assignment.
        source: The document.
        similarity: The measure to rank by. It decides nothing, so the lexical one will do beside a judge.

    Returns:
        The nearest first; problems that no finding is near (no place and no word in common) are left out.
    """
    found = {one.pair.problem for one in matching.matched}
    used = {one.pair.finding for one in matching.matched} | set(comparison.duplicates)
    free = [index for index in range(len(comparison.reported)) if index not in used]
    nearest = []
    for problem, planted in enumerate(comparison.planted):
        if problem in found or not free:
            continue
        spans = tuple(source.widen(span) for span in planted.spans)
        scores = similarity([Wording(comparison.reported[i].finding.description, planted.description) for i in free])
        misses = []
        for index, score in zip(free, scores, strict=True):
            widened = tuple(source.widen(span) for span in comparison.reported[index].place.spans)
            misses.append(NearMiss(index, problem, best_iou(widened, spans), score))
        best = max(misses, key=_nearness)
        if _nearness(best) > 0:
            nearest.append(best)
    return sorted(nearest, key=_nearness, reverse=True)


def _nearness(miss: NearMiss) -> float:
    return miss.iou + miss.similarity
