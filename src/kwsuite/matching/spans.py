"""Spans of a text and how much two of them agree."""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """A half-open range of a text, in code points: `text[start:end]` is its surface."""

    start: int
    """First code point, from 0."""
    end: int
    """One past the last code point; never before `start`."""

    def of(self, text: str) -> str:
        """Give the surface of the span in its text."""
        return text[self.start : self.end]


def iou(one: Span, other: Span) -> float:
    """Give intersection over union, in [0, 1]; 0 where either span is empty."""
    shared = min(one.end, other.end) - max(one.start, other.start)
    if shared <= 0:
        return 0.0
    return shared / (one.end - one.start + other.end - other.start - shared)


def best_iou(ones: Iterable[Span], others: Iterable[Span]) -> float:
    """Give the highest IoU over all combinations; 0 where either side names no place.

    Both a report and a planted problem may name several places that are equally right, such as the two ends of a
    contradiction.
    """
    against = tuple(others)
    return max((iou(one, other) for one in ones for other in against), default=0.0)
