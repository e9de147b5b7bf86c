"""The bootstrap intervals that stand beside means and ratios in a log."""

import math
from collections.abc import Sequence

from kwsuite.verdicts import rate_interval

_UPPER = 0.975


def bootstrap_interval(values: list[float], *, resamples: int = 2_000, seed: int = 0) -> tuple[float, float]:
    """Give the 95 % percentile bootstrap interval of a mean over items, as the Implicit Intelligence paper reports.

    Args:
        values: One value for each item, none NaN.
        resamples: How often to draw as many items as there are, with replacement.
        seed: The same values and seed give the same interval.

    Returns:
        Low and high end; NaN for fewer than two values, from which nothing can be said about others. Where all are
        equal, no draw differs and the interval would be a point: values in [0, 1] get `rate_interval`, others NaN.
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
        Low and high end; NaN for fewer than two items, from which nothing can be said about others. Where no draw
        differs it would be a point: `rate_interval` of the items' ratios if they are in [0, 1], else NaN.
    """
    if len(numerators) < 2:
        return math.nan, math.nan
    import numpy as np  # noqa: PLC0415 - a tenth of a second that a discovery of tasks should not pay

    drawn = np.random.default_rng(seed).integers(len(numerators), size=(resamples, len(numerators)))
    above, below = np.asarray(numerators, float)[drawn].sum(axis=1), np.asarray(denominators, float)[drawn].sum(axis=1)
    ratios = np.divide(above, below, out=np.zeros_like(above), where=below > 0)
    low, high = np.quantile(ratios, [1 - _UPPER, _UPPER])
    return _without_spread(numerators, denominators) if math.isclose(low, high) else (float(low), float(high))


def _without_spread(numerators: Sequence[float], denominators: Sequence[float]) -> tuple[float, float]:
    ratios = [above / below for above, below in zip(numerators, denominators, strict=True) if below > 0]
    if len(ratios) < 2 or not all(0 <= ratio <= 1 for ratio in ratios):
        return math.nan, math.nan
    return rate_interval(ratios)
