"""The interval that stands beside a rate in a log."""

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
