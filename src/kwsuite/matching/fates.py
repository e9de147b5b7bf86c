"""What became of each finding, so that people can see why it did not count."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from kwsuite.matching.match import Comparison, Key, Matching

FateState = Literal[
    "matched", "undecided", "same_as_matched", "duplicate", "other_meaning", "other_place", "not_located"
]
"""`matched`: it names a planted problem. `undecided`: nobody could say whether it does. `same_as_matched`: the problem
it names is credited to another finding. `duplicate`: it repeats another finding. `other_meaning`: it points at a
planted problem and says something else. `other_place`: nothing is planted there. `not_located`: its place is not in the
text."""


class Fate(NamedTuple):
    """What became of a finding."""

    state: FateState
    """In a word."""
    problem: int | None = None
    """Index of the planted problem that the word is about; None where it is about none."""


def fates(
    comparison: Comparison, matching: Matching, similarities: Mapping[Key, float | None], threshold: float
) -> tuple[Fate, ...]:
    """Give one fate for each finding, in the order of the reply; the arguments are those of `match`."""
    matched = {one.pair.finding: one.pair.problem for one in matching.matched}
    return tuple(
        Fate("matched", matched[index])
        if index in matched
        else _unmatched(index, comparison, matching, similarities, threshold)
        for index in range(len(comparison.reported))
    )


def _unmatched(
    index: int, comparison: Comparison, matching: Matching, similarities: Mapping[Key, float | None], threshold: float
) -> Fate:
    if index in comparison.duplicates:
        return Fate("duplicate")
    pairs = [pair for pair in comparison.pairs if pair.finding == index]
    for pair in pairs:
        if (similarities.get(Key(index, pair.problem)) or 0.0) >= threshold:
            return Fate("same_as_matched", pair.problem)
    for pair in pairs:
        if Key(index, pair.problem) in matching.undecided:
            return Fate("undecided", pair.problem)
    if pairs:
        return Fate("other_meaning", max(pairs, key=lambda pair: pair.iou).problem)
    return Fate("other_place" if comparison.reported[index].place.spans else "not_located")
