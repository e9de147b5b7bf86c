"""Reading numbers out of sample scores, and averaging them so that an item counts once whatever its epochs."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import fmean
from typing import Any

from inspect_ai.scorer import SampleScore


def number(score: SampleScore, key: str) -> float:
    """Give one number of a score's value; NaN where it has none of that name."""
    value = score.score.value
    found = value.get(key) if isinstance(value, dict) else None
    return float(found) if isinstance(found, int | float) else math.nan


def metadata(score: SampleScore) -> dict[str, Any]:
    """Give a score's metadata; empty if it has none."""
    return score.score.metadata or {}


def known(values: Iterable[float]) -> list[float]:
    """Leave out what is NaN."""
    return [value for value in values if not math.isnan(value)]


def mean(values: list[float]) -> float:
    """Average values; NaN for none."""
    return fmean(values) if values else math.nan


def item_means(scores: Iterable[SampleScore], read: Callable[[SampleScore], float]) -> list[float]:
    """Average within each item over its epochs; what is NaN is left out, and so is an item with nothing else."""
    items: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        value = read(score)
        if not math.isnan(value):
            items[str(score.sample_id)].append(value)
    return [fmean(values) for values in items.values()]


def over_items(scores: Iterable[SampleScore], read: Callable[[SampleScore], float]) -> float:
    """Average within an item over its epochs, then over items; NaN if nothing is known."""
    return mean(item_means(scores, read))


def refuse_mixed_versions(scores: Iterable[SampleScore]) -> None:
    """Refuse to average over samples that were scored on different content.

    Raises:
        ValueError: Samples were scored on different versions of the items, as after a retry across a change.
    """
    versions = {str(metadata(score).get("version")) for score in scores}
    if len(versions) > 1:
        raise ValueError(
            f"samples were scored on different versions of the items ({', '.join(sorted(versions))}), so no rate "
            "over them means anything. Run the task afresh instead of retrying the old log."
        )
