"""The intervals that stand beside rates and means in a log."""

import math
from statistics import fmean, stdev


def mean_interval(values: list[float]) -> tuple[float, float]:
    """Give the 95 % interval of a mean over items.

    Wilson (1927) when every value is 0 or 1. Values between, as epochs that disagree make them, get Student's interval
    over the item means, which are the independent units, cut to [0, 1].

    Args:
        values: One value in [0, 1] for each item, none NaN.

    Returns:
        Low and high end; NaN for no values, and for one value that is neither 0 nor 1.
    """
    if not values:
        return math.nan, math.nan
    if all(value in (0.0, 1.0) for value in values):
        from scipy.stats import binomtest  # noqa: PLC0415 - half a second that a discovery of tasks should not pay

        interval = binomtest(int(sum(values)), len(values)).proportion_ci(method="wilson")
        return float(interval.low), float(interval.high)
    if len(values) == 1:
        return math.nan, math.nan
    from scipy.stats import t  # noqa: PLC0415 - as above

    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / math.sqrt(len(values))
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
    if len(values) < 2:
        return math.nan, math.nan
    import numpy as np  # noqa: PLC0415 - as above

    drawn = np.random.default_rng(seed).choice(np.asarray(values), size=(resamples, len(values)))
    low, high = np.quantile(drawn.mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
