"""The interval of a rate over items, the same wherever one is shown: in a log, in a screen and in a report."""

import math
from collections.abc import Sequence
from itertools import accumulate
from statistics import NormalDist

_ONE_ITEM = 0.25
"""The greatest variance of one value in [0, 1]."""


def rate_interval(means: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """Give the interval of a rate that is averaged within items, over repeats, and then over items.

    Wilson's (1927) where every mean is 0 or 1, with the number of items as n. Else Wilson's at the effective sample
    size `n (n p (1-p) + 1/4) / (Q + 1/4)`, Q being the sum of squared deviations of the item means. It is n where the
    means are as far apart as single outcomes are, and more the closer they lie. The quarters stand for one item more,
    so that a few means which happen to agree do not pass for certainty (effective sizes: Korn and Graubard 1998, Survey
    Methodology 24:193-201; with Wilson in Dean and Pagano 2015, J. Survey Statistics and Methodology 3:484-503).

    Such an interval alone can rank a candidate over a better one, whose means happen to vary more. So the lower end is
    the least that any candidate gets who is at least as good on every item, and the upper end mirrors it: whoever is
    nowhere better never gets a higher end. Over one epoch of a benchmark it changes nothing.

    Args:
        means: The mean of each item, in [0, 1], none NaN.
        level: Confidence, in (0, 1).

    Returns:
        Low and high end; NaN for no items, and for one item whose repeats disagree, which says nothing about others.
    """
    if not means or (len(means) == 1 and 0 < means[0] < 1):
        return math.nan, math.nan
    if all(mean in (0, 1) for mean in means):
        return wilson(sum(means), len(means), level)
    z = _quantile(level)
    return _lower(means, z), 1 - _lower([1 - mean for mean in means], z)


def wilson(passes: float, count: float, level: float = 0.95) -> tuple[float, float]:
    """Give the score interval of a proportion (Wilson 1927, JASA 22:209-212).

    Recommended for few trials by Brown, Cai and DasGupta (2001), Statistical Science 16:101-133.

    Args:
        passes: From 0 to `count`; a fraction where `count` is an effective size.
        count: Trials, above 0.
        level: Confidence, in (0, 1).

    Returns:
        Low and high end, in [0, 1]; exactly 0 or 1 where the proportion is.
    """
    return _wilson(passes / count, count, _quantile(level))


def _lower(means: Sequence[float], z: float) -> float:
    """Give the least lower end among the candidates who are at least as good on every item.

    Of those with a given rate, the one whose means vary most has the lowest end: the one who raises the best items to 1
    first. On the way from one such raise to the next the end has no minimum, so only the raised ones are looked at.
    """
    n = len(means)
    ranked = sorted(means, reverse=True)
    sums = accumulate((1 - mean for mean in ranked), initial=math.fsum(ranked))
    squares = accumulate((1 - mean * mean for mean in ranked), initial=math.fsum(mean * mean for mean in ranked))
    return min(_at_effective_size(total, square, n, z) for total, square in zip(sums, squares, strict=True))


def _at_effective_size(total: float, square: float, n: int, z: float) -> float:
    rate = min(total / n, 1.0)
    size = n * (total * (1 - rate) + _ONE_ITEM) / (max(0.0, square - total * rate) + _ONE_ITEM)
    return _wilson(rate, size, z)[0]


def _wilson(rate: float, n: float, z: float) -> tuple[float, float]:
    centre = (rate + z * z / (2 * n)) / (1 + z * z / n)
    reach = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    # At the ends the formula is exactly 0 or 1, but not in floating point.
    return (0.0 if rate == 0 else max(0.0, centre - reach)), (1.0 if rate == 1 else min(1.0, centre + reach))


def _quantile(level: float) -> float:
    if not 0 < level < 1:
        raise ValueError(f"level is {level}; it must lie between 0 and 1, like 0.95")
    return NormalDist().inv_cdf((1 + level) / 2)
