"""Precision, recall and F1 of a document, and its part of each over many."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from kwsuite.matching.normalised import is_cjk
from kwsuite.verdicts import Bounds

CHINESE_CHARACTERS_PER_WORD = 1.875
"""The ratio at which this benchmark calls a document long: 15,000 characters or 8,000 words."""


@dataclass(frozen=True)
class DocumentScore:
    """How the findings about one document compare with its planted problems.

    Raises:
        ValueError: A count is negative, or there are more hits than findings or problems.
    """

    planted: int
    """Problems in the document; 0 for a clean one."""
    reported: int
    """Findings, the refused ones included."""
    hits: int
    """Problems found, on what is known."""
    most_hits: int
    """Problems found if every undecided meaning were the same."""
    readable: bool = True
    """Whether the reply could be read. One that could not scores zero, on a clean document too."""

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.most_hits <= min(self.planted, self.reported):
            raise ValueError(
                f"{self.hits} to {self.most_hits} hits of {self.planted} problems by {self.reported} findings: "
                "a hit needs one of each"
            )

    @property
    def clean(self) -> bool:
        """Whether nothing is planted in the document."""
        return self.planted == 0

    @property
    def precision(self) -> Bounds:
        """Share of findings that name a planted problem; 0 where there are none to find it by."""
        return self._share(self.reported)

    @property
    def recall(self) -> Bounds:
        """Share of planted problems that were found."""
        return self._share(self.planted)

    @property
    def f1(self) -> Bounds:
        """Harmonic mean of precision and recall: 2 hits / (reported + planted)."""
        if self.clean:
            return self._share(0)
        total = self.reported + self.planted
        return Bounds(2 * self.hits / total, 2 * self.most_hits / total)

    def _share(self, of: int) -> Bounds:
        # A clean document has one score, given three times: 1 where a reply that can be read reports nothing.
        if self.clean:
            right = float(self.readable and self.reported == 0)
            return Bounds(right, right)
        return Bounds(self.hits / of, self.most_hits / of) if of else Bounds(0.0, 0.0)


class Ratio(NamedTuple):
    """One document's part of a measure over many, which is the sum of the first over the sum of the second."""

    numerator: float
    """At least 0."""
    denominator: float
    """At least 0."""


Measure = Literal[
    "micro_precision",
    "micro_recall",
    "micro_f1",
    "macro_precision",
    "macro_recall",
    "macro_f1",
    "caution_index",
]
"""What documents with problems come to together. Micro sums findings and problems over documents; macro averages over
documents. The caution index is findings over problems: under 1 over-cautious, over 1 over-eager; not capped."""


def ratio(measure: Measure, score: DocumentScore) -> Ratio:
    """Give a document's part of a measure, on what is known: an undecided meaning counts as different."""
    parts: dict[Measure, Ratio] = {
        "micro_precision": Ratio(score.hits, score.reported),
        "micro_recall": Ratio(score.hits, score.planted),
        "micro_f1": Ratio(2 * score.hits, score.reported + score.planted),
        "macro_precision": Ratio(score.precision.low, 1),
        "macro_recall": Ratio(score.recall.low, 1),
        "macro_f1": Ratio(score.f1.low, 1),
        "caution_index": Ratio(score.reported, score.planted),
    }
    return parts[measure]


def total(ratios: Iterable[Ratio]) -> float:
    """Sum up; 0 where there is nothing to divide by, as for the precision of no findings, and NaN for no documents."""
    parts = list(ratios)
    if not parts:
        return math.nan
    denominator = sum(part.denominator for part in parts)
    return sum(part.numerator for part in parts) / denominator if denominator else 0.0


def word_count(text: str) -> float:
    """Count words: runs of letters or digits, plus Chinese characters at 1.875 to the word; 0 for a blank text."""
    characters = sum(is_cjk(character) for character in text)
    without = "".join(" " if is_cjk(character) else character for character in text)
    return len(re.findall(r"\w+(?:['’\-]\w+)*", without)) + characters / CHINESE_CHARACTERS_PER_WORD


def false_alarms_per_thousand(score: DocumentScore, text: str) -> float:
    """Give findings that name no planted problem per 1,000 words, on what is known; NaN for a blank text."""
    words = word_count(text)
    return (score.reported - score.hits) * 1000 / words if words else math.nan
