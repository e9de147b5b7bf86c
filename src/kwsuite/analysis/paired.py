"""Two candidates on the same items."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import stats

from kwsuite.analysis.intervals import EQUAL, SEED, Floats, bounds_of, resampled, unspread, wilson

EXACT_FLIPS = 14
"""Up to so many unequal items, all sign patterns are enumerated."""


@dataclass(frozen=True)
class Difference:
    """Second minus first, over the items that both have."""

    value: float
    """Mean difference of item means; NaN without pairs."""
    low: float
    """Lower end; NaN without at least two pairs."""
    high: float
    """Upper end; NaN without at least two pairs."""
    p: float
    """Two-sided p-value of no difference; NaN without pairs."""
    n: int
    """Items paired."""
    gained: int
    """Items on which the second is better."""
    lost: int
    """Items on which the first is better."""
    method: Literal["mcnemar", "sign-flip", "none"]
    """The test: exact McNemar for one 0/1 outcome a side, else the sign-flip permutation test."""
    detectable: float
    """Smallest true difference that this many items show with 80 % power; NaN without at least two pairs, or where
    all items change alike."""


NO_PAIRS = Difference(math.nan, math.nan, math.nan, math.nan, 0, 0, 0, "none", math.nan)


def difference(
    first: Sequence[float] | Floats, second: Sequence[float] | Floats, level: float = 0.95, resamples: int = 10_000
) -> Difference:
    """Compare paired item means (same position, same item); a pair with a NaN leaves both sides.

    All outcomes 0 or 1: exact McNemar test and Newcombe's interval. Otherwise (repeats, scores): the sign-flip
    permutation test on item differences, of which McNemar's is the special case, and the paired bootstrap. Where all
    items change alike a bootstrap has no width: shares get the interval of `unspread`, other scores none.

    Args:
        first: Item means of the baseline.
        second: Item means of the other, in the same order.
        level: Confidence of the interval, in (0, 1).
        resamples: Bootstrap and permutation draws.

    Returns:
        The difference; `NO_PAIRS` when no pair is complete.

    Raises:
        ValueError: The sides have different lengths.
    """
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if one.shape != two.shape:
        raise ValueError(f"{len(one)} and {len(two)} items; paired sides need the same items in the same order")
    both = ~(np.isnan(one) | np.isnan(two))
    one, two = one[both], two[both]
    n = len(one)
    if not n:
        return NO_PAIRS
    change = two - one
    gained, lost = int((change > 0).sum()), int((change < 0).sum())
    binary = bool(np.isin(one, (0.0, 1.0)).all() and np.isin(two, (0.0, 1.0)).all())
    if n == 1:
        low = high = math.nan
    elif binary:
        low, high = newcombe(int((one * two).sum()), lost, gained, n, level)
    elif np.ptp(change) < EQUAL:
        both_shares = bounds_of(np.concatenate([one, two]))
        low, high = unspread(change, level, (-1.0, 1.0) if both_shares else None)
    else:
        low, high = resampled(change[:, None], level, resamples)[0]
    p = mcnemar(lost, gained) if binary else sign_flip(change, resamples)
    # A rate of unequal pairs that happens to be 0 must not promise unlimited power: two of each are added.
    spread = math.sqrt((gained + lost + 2) / (n + 4)) if binary else float(change.std(ddof=1)) if n > 1 else math.nan
    # Where all items change alike, nothing says how much others would.
    spread = spread if spread > EQUAL else math.nan
    detectable = minimal_detectable_difference(spread, n, 1 - level)
    method: Literal["mcnemar", "sign-flip"] = "mcnemar" if binary else "sign-flip"
    return Difference(
        float(change.mean()), low, high, p, n, gained, lost, method, math.nan if detectable is None else detectable
    )


def mcnemar(lost: int, gained: int) -> float:
    """Give the exact two-sided McNemar p-value: the binomial test of `gained` out of the unequal pairs at one half.

    Source: McNemar (1947), Psychometrika 12:153-157, in its exact form. No unequal pair: 1.0.
    """
    unequal = lost + gained
    return 1.0 if not unequal else float(stats.binomtest(gained, unequal, 0.5).pvalue)


def newcombe(both: int, lost: int, gained: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Give the interval of a difference of paired proportions, second minus first.

    Source: Newcombe (1998), Statistics in Medicine 17:2635-2650, method 10. Unlike the bootstrap it keeps its width
    when no pair is unequal.

    Args:
        both: Items passed by both.
        lost: Items passed by the first only.
        gained: Items passed by the second only.
        n: Items in all, at least 1.
        level: Confidence, in (0, 1).

    Raises:
        ValueError: The counts do not fit into n, or n is 0.
    """
    neither = n - both - lost - gained
    first, second = wilson(both + lost, n, level), wilson(both + gained, n, level)
    if first is None or second is None or neither < 0:
        raise ValueError(f"{both} + {lost} + {gained} pairs do not fit into n = {n}")
    p1, p2 = (both + lost) / n, (both + gained) / n
    product = float((both + lost) * (gained + neither) * (both + gained) * (lost + neither))
    cross = float(both * neither - lost * gained)
    phi = 0.0 if product == 0 else (max(cross - n / 2, 0.0) if cross > 0 else cross) / math.sqrt(product)

    def reach(up: float, down: float) -> float:
        return math.sqrt(max(0.0, up * up - 2 * phi * up * down + down * down))

    change = p2 - p1
    return change - reach(p2 - second[0], first[1] - p1), change + reach(second[1] - p2, p1 - first[0])


def sign_flip(change: Floats, resamples: int = 10_000, seed: int = SEED) -> float:
    """Give the two-sided permutation p-value that item differences are symmetric about 0.

    All sign patterns are enumerated up to `EXACT_FLIPS` unequal items, else drawn, and the observed pattern counts as
    one draw (Phipson and Smyth 2010), so that p is never 0. No unequal item: 1.0.

    Source: Fisher (1935), The Design of Experiments, section 21.
    """
    moved = change[change != 0]
    if not len(moved):
        return 1.0
    observed = abs(float(moved.sum())) - 1e-12
    if len(moved) <= EXACT_FLIPS:
        patterns = 1 - 2 * ((np.arange(2 ** len(moved))[:, None] >> np.arange(len(moved))) & 1)
        return float((np.abs(patterns @ moved) >= observed).mean())
    flips = np.random.default_rng(seed).choice(np.array([-1.0, 1.0]), size=(resamples, len(moved)))
    return (1 + int((np.abs(flips @ moved) >= observed).sum())) / (resamples + 1)


def holm(ps: Sequence[float]) -> list[float]:
    """Adjust p-values for looking at all of them: Holm (1979), Scand. J. Statistics 6:65-70. NaN stays NaN, uncounted.

    Returns:
        Adjusted values in the given order, each at most 1; empty for none.
    """
    counted = sorted((p, position) for position, p in enumerate(ps) if not math.isnan(p))
    adjusted = [math.nan] * len(ps)
    running = 0.0
    for rank, (p, position) in enumerate(counted):
        running = max(running, min(1.0, p * (len(counted) - rank)))
        adjusted[position] = running
    return adjusted


def minimal_detectable_difference(spread: float, n: int, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Give the smallest true paired difference that n items show: (z(1-alpha/2) + z(power)) * spread / sqrt(n).

    Source: Miller (2024), arXiv 2411.00640, section 5, for paired differences.

    Args:
        spread: Standard deviation of the item differences; for 0/1 outcomes about the root of the unequal share.
        n: Paired items.
        alpha: Two-sided level of the test, in (0, 1).
        power: Wanted chance of showing it, in (0, 1).

    Returns:
        A difference in the unit of the spread; None with fewer than two items or an unknown spread.
    """
    if n < 2 or math.isnan(spread):
        return None
    return float(stats.norm.ppf(1 - alpha / 2) + stats.norm.ppf(power)) * spread / math.sqrt(n)
