"""Intervals for rates and means."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import stats

from kwsuite import verdicts

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]
"""The least and the greatest that a value can be."""
EQUAL = 1e-12
"""Means that differ by less are equal."""
SEED = 20_260_417
"""Seed of every resampling here, so that the same logs give the same page."""


@dataclass(frozen=True)
class Estimate:
    """A number with the interval that goes with it."""

    value: float
    """The point estimate; NaN when there was nothing to estimate from."""
    low: float
    """Lower end; NaN when no interval can be given."""
    high: float
    """Upper end; NaN when no interval can be given."""
    n: int
    """Independent units behind it: items, or clusters of them."""

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return not (math.isnan(self.low) or math.isnan(self.high))


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)


def wilson(k: int, n: int, level: float = 0.95) -> tuple[float, float] | None:
    """Give the Wilson score interval of a proportion; None for n = 0.

    Source: Wilson (1927), JASA 22:209-212; recommended for small n by Brown, Cai and DasGupta (2001).

    Args:
        k: Successes, a whole number from 0 to n.
        n: Trials, a whole number.
        level: Confidence, in (0, 1).

    Raises:
        ValueError: k or n is not a whole number, or k is outside 0..n.
    """
    for name, count in (("k", k), ("n", n)):
        if isinstance(count, bool) or not isinstance(count, int | np.integer):
            raise ValueError(f"{name} is {count!r}; Wilson's interval needs whole numbers")
    if not 0 <= k <= n:
        raise ValueError(f"k is {k} and n is {n}; k must lie between 0 and n")
    return verdicts.wilson(int(k), int(n), level) if n else None


def rate(values: Sequence[float] | Floats, items: Sequence[Hashable] | None = None, level: float = 0.95) -> Estimate:
    """Estimate a rate from 0/1 outcomes (NaN: unscored, left out), averaged within items and then over items.

    The interval is that of `verdicts.rate_interval`, as beside the same rate in a log: Wilson's with one outcome per
    item, and with repeats Wilson's at the effective sample size that the spread of the item means gives.

    Args:
        values: Outcomes in [0, 1] or NaN.
        items: The item of each outcome; None when each is an item of its own.
        level: Confidence, in (0, 1).

    Returns:
        The estimate with n = items that have an outcome. Empty: all NaN, n = 0. One item whose repeats disagree: no
        interval, because one cluster says nothing about the others.
    """
    means = _item_means(values, items)
    if not len(means):
        return NOTHING
    low, high = verdicts.rate_interval(means.tolist(), level)
    return Estimate(float(means.mean()), low, high, len(means))


def mean(
    values: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    weighting: Literal["cluster", "observation"] = "cluster",
    bounds: Bounds | None = None,
) -> Estimate:
    """Estimate a mean with Student's interval over clusters.

    `cluster` averages within clusters and then over them, and its error is the standard error of the cluster means.
    `observation` averages over all and uses the cluster-robust (CR1) error: Cameron and Miller (2015), J. Human
    Resources 50:317-372, as in Miller (2024), arXiv 2411.00640. The error always belongs to the estimator.

    Args:
        values: Any numbers; NaN is left out.
        clusters: The cluster (item, document) of each; None when each value is one.
        level: Confidence, in (0, 1).
        weighting: What is averaged.
        bounds: What no value can lie outside of, if known; the interval ends there.

    Returns:
        The estimate with n = clusters. Empty: all NaN, n = 0. One cluster: no interval, never a zero-width one. Several
        that are all equal: see `unspread`.
    """
    numbers, labels = _kept(values, clusters)
    if not len(numbers):
        return NOTHING
    groups = _group(numbers, labels)
    n = len(groups)
    own = np.array([group.mean() for group in groups])
    if n > 1 and np.ptp(own) < EQUAL:
        return Estimate(float(own.mean()), *unspread(own, level, bounds), n)
    if weighting == "cluster":
        value = float(own.mean())
        error = math.nan if n == 1 else float(own.std(ddof=1)) / math.sqrt(n)
    else:
        value = float(numbers.mean())
        residuals = np.array([(group - value).sum() for group in groups])
        error = math.nan if n == 1 else math.sqrt(float((residuals**2).sum()) * n / (n - 1)) / len(numbers)
    reach = math.nan if n == 1 else float(stats.t.ppf((1 + level) / 2, n - 1)) * error
    # The ends that are NaN stay so.
    least, most = bounds or (-math.inf, math.inf)
    return Estimate(value, float(np.maximum(value - reach, least)), float(np.minimum(value + reach, most)), n)


def bootstrap(
    values: Sequence[float] | Floats,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    resamples: int = 10_000,
    seed: int = SEED,
    *,
    bounds: Bounds | None = None,
) -> Estimate:
    """Estimate a mean of cluster means with the percentile bootstrap over clusters.

    Source: Efron and Tibshirani (1993), chapter 13; clusters, never single observations, are drawn (Field and Welsh
    2007). The random numbers are seeded.

    Returns:
        The estimate with n = clusters. Empty: all NaN, n = 0. One cluster: no interval. Several that are all equal:
        see `unspread`, which takes `bounds`.
    """
    means = _item_means(values, clusters)
    n = len(means)
    if not n:
        return NOTHING
    value = float(means.mean())
    if n == 1:
        return Estimate(value, math.nan, math.nan, 1)
    if np.ptp(means) < EQUAL:
        return Estimate(value, *unspread(means, level, bounds), n)
    low, high = resampled(means[:, None], level, resamples, seed)[0]
    return Estimate(value, low, high, n)


def unspread(means: Floats, level: float, bounds: Bounds | None) -> tuple[float, float]:
    """Give the interval of a mean where all cluster means are equal: from what is seen, chance has no size.

    Between known bounds it is that of a rate (`verdicts.rate_interval`), stretched to them; such means can vary only
    so much. Without bounds, or outside of them, there is none: NaN.
    """
    if bounds is None or not (bounds[0] <= means.min() and means.max() <= bounds[1]):
        return math.nan, math.nan
    least, width = bounds[0], bounds[1] - bounds[0]
    low, high = verdicts.rate_interval(((means - least) / width).tolist(), level)
    return least + width * low, least + width * high


def bounds_of(values: Sequence[float] | Floats) -> Bounds | None:
    """Give (0, 1) where all numbers lie there, as scores of most scorers do; None where some do not."""
    numbers, _ = _kept(values, None)
    return (0.0, 1.0) if len(numbers) and numbers.min() >= 0 and numbers.max() <= 1 else None


def resampled(columns: Floats, level: float, resamples: int, seed: int = SEED) -> list[tuple[float, float]]:
    """Give percentile intervals of the column means of a matrix (units x columns), the same draws for all columns."""
    n = len(columns)
    draws = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples)
    means = draws @ columns / n
    ends = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [(float(low), float(high)) for low, high in ends.T]


def _kept(values: Sequence[float] | Floats, labels: Sequence[Hashable] | None) -> tuple[Floats, list[Hashable]]:
    numbers = np.asarray(values, dtype=float)
    named: list[Hashable] = list(range(len(numbers))) if labels is None else list(labels)
    if len(named) != len(numbers):
        raise ValueError(f"{len(numbers)} values but {len(named)} items; give one item for each value")
    keep = ~np.isnan(numbers)
    return numbers[keep], [label for label, kept in zip(named, keep, strict=True) if kept]


def _group(numbers: Floats, labels: Sequence[Hashable]) -> list[Floats]:
    positions: dict[Hashable, list[int]] = {}
    for position, label in enumerate(labels):
        positions.setdefault(label, []).append(position)
    return [numbers[places] for places in positions.values()]


def _item_means(values: Sequence[float] | Floats, items: Sequence[Hashable] | None) -> Floats:
    numbers, labels = _kept(values, items)
    return np.array([group.mean() for group in _group(numbers, labels)], dtype=float)
