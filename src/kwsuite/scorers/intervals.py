"""The intervals that stand beside rates and means in a log."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

_UPPER = 0.975


def mean_interval(values: list[float]) -> tuple[float, float]:
    """Give the 95 % interval of a mean over items.

    Wilson (1927) when every value is 0 or 1. Values between, as epochs that disagree make them, get Student's interval
    over the item means, which are the independent units, cut to [0, 1]. Where all of them are equal it would be a
    point, so Wilson's stands in, with the number of items as n as if each had been run once.

    Args:
        values: One value in [0, 1] for each item, none NaN.

    Returns:
        Low and high end; NaN for no values, and for one value that is neither 0 nor 1.
    """
    if not values:
        return math.nan, math.nan
    if all(value in (0.0, 1.0) for value in values):
        return _wilson(sum(values), len(values))
    if len(values) == 1:
        return math.nan, math.nan
    if min(values) == max(values):
        return _wilson(sum(values), len(values))
    from scipy.special import stdtrit  # noqa: PLC0415 - half a second, for runs whose epochs disagree only

    half = float(stdtrit(len(values) - 1, _UPPER)) * stdev(values) / math.sqrt(len(values))
    return max(0.0, fmean(values) - half), min(1.0, fmean(values) + half)


def bootstrap_interval(values: list[float], *, resamples: int = 2_000, seed: int = 0) -> tuple[float, float]:
    """Give the 95 % percentile bootstrap interval of a mean over items, as the Implicit Intelligence paper reports.

    Args:
        values: One value for each item, none NaN.
        resamples: How often to draw as many items as there are, with replacement.
        seed: The same values and seed give the same interval.

    Returns:
        Low and high end; NaN for fewer than two values, from which nothing can be said about others.
    """
    return bootstrap_ratio_interval(values, [1.0] * len(values), resamples=resamples, seed=seed)


def bootstrap_ratio_interval(
    numerators: Sequence[float], denominators: Sequence[float], *, resamples: int = 2_000, seed: int = 0
) -> tuple[float, float]:
    """Give the 95 % percentile bootstrap interval of a ratio of sums over items, such as a micro average.

    Args:
        numerators: One for each item, none NaN.
        denominators: As many. A draw in which they sum to 0 counts as 0.
        resamples: How often to draw as many items as there are, with replacement.
        seed: The same values and seed give the same interval.

    Returns:
        Low and high end; NaN for fewer than two items, from which nothing can be said about others.
    """
    if len(numerators) < 2:
        return math.nan, math.nan
    import numpy as np  # noqa: PLC0415 - a tenth of a second that a discovery of tasks should not pay

    drawn = np.random.default_rng(seed).integers(len(numerators), size=(resamples, len(numerators)))
    above, below = np.asarray(numerators, float)[drawn].sum(axis=1), np.asarray(denominators, float)[drawn].sum(axis=1)
    ratios = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    low, high = np.quantile(ratios, [1 - _UPPER, _UPPER])
    return float(low), float(high)


def _wilson(passes: float, count: int) -> tuple[float, float]:
    z = NormalDist().inv_cdf(_UPPER)
    centre = (passes + z * z / 2) / (count + z * z)
    half = z / (count + z * z) * math.sqrt(passes * (count - passes) / count + z * z / 4)
    return max(0.0, centre - half), min(1.0, centre + half)
