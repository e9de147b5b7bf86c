"""At which similarity a machine agrees best with people that two descriptions mean the same."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple


class Labelled(NamedTuple):
    """One pair that a person judged."""

    similarity: float
    """What the machine gave, in [0, 1]."""
    same: bool
    """What the person said."""
    weight: float = 1.0
    """How many pairs it stands for, above 0."""


class CurvePoint(NamedTuple):
    """How the rule "same if similarity >= threshold" does against the labels. Shares are weighted, in [0, 1]."""

    threshold: float
    """The threshold, between two neighbouring similarities, or 0 or just above the highest."""
    precision: float
    """Of the pairs it calls same, the share people call same; NaN where it calls none."""
    recall: float
    """Of the pairs people call same, the share it calls same; NaN where there are none."""
    f1: float
    """Harmonic mean of the two; 0 where nothing is rightly called same."""
    agreement: float
    """Share of pairs on which both say the same."""
    kappa: float
    """Cohen's kappa (Cohen 1960), in [-1, 1]; NaN where both sides give one answer only."""
    n: int
    """Labelled pairs."""


def point_at(pairs: Sequence[Labelled], threshold: float) -> CurvePoint:
    """Measure one threshold.

    Raises:
        ValueError: There are no pairs.
    """
    if not pairs:
        raise ValueError("no labelled pairs: fill the label column with same or different")
    n = sum(pair.weight for pair in pairs)
    yes = sum(pair.weight for pair in pairs if pair.similarity >= threshold)
    truly = sum(pair.weight for pair in pairs if pair.same)
    hits = sum(pair.weight for pair in pairs if pair.same and pair.similarity >= threshold)
    agreement = (hits + n - yes - truly + hits) / n
    chance = (yes * truly + (n - yes) * (n - truly)) / (n * n)
    one_sided = (not yes and not truly) or (yes == n and truly == n)
    return CurvePoint(
        threshold=threshold,
        precision=hits / yes if yes else math.nan,
        recall=hits / truly if truly else math.nan,
        f1=2 * hits / (yes + truly) if yes + truly else 0.0,
        agreement=agreement,
        kappa=math.nan if one_sided else (agreement - chance) / (1 - chance),
        n=len(pairs),
    )


def worth(pairs: Sequence[Labelled]) -> float:
    """Give the number of pairs of equal weight that say as much (Kish 1965): (sum of w)^2 / sum of w^2; 0 for none."""
    return sum(pair.weight for pair in pairs) ** 2 / sum(pair.weight**2 for pair in pairs) if pairs else 0.0


def threshold_curve(pairs: Sequence[Labelled]) -> tuple[CurvePoint, ...]:
    """Measure every threshold that makes a difference, ascending.

    Raises:
        ValueError: There are no pairs.
    """
    levels = sorted({pair.similarity for pair in pairs})
    between = [(low + high) / 2 for low, high in pairwise(levels)]
    above = [math.nextafter(levels[-1], math.inf)] if levels else []
    return tuple(point_at(pairs, threshold) for threshold in [0.0, *between, *above])


def best_point(curve: Sequence[CurvePoint]) -> CurvePoint:
    """Give the point with the highest kappa, then agreement; among equals the middle one, which errs least.

    Raises:
        ValueError: The curve is empty, or the labels are all the same so that no threshold can be told from another.
    """
    known = [point for point in curve if not math.isnan(point.kappa)]
    if not known:
        raise ValueError("every label is the same, so no threshold is better than another: label more pairs")
    top = max((point.kappa, point.agreement) for point in known)
    equals = [point for point in known if (point.kappa, point.agreement) == top]
    return equals[len(equals) // 2]
