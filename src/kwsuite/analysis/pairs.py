"""Every pair of candidates: how much better, and how much alike."""

import math
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from kwsuite.analysis.paired import difference, holm

DIFFERENCE_COLUMNS = [
    "first",
    "second",
    "n",
    "dropped",
    "difference",
    "low",
    "high",
    "p",
    "p_holm",
    "gained",
    "lost",
    "method",
    "detectable",
]
OVERLAP_COLUMNS = [
    "first",
    "second",
    "n",
    "shared",
    "union",
    "jaccard",
    "independent",
    "nested",
    "only_first",
    "only_second",
]


def pairwise_differences(means: pd.DataFrame, level: float = 0.95, resamples: int = 2_000) -> pd.DataFrame:
    """Compare all pairs of candidates on the items that both have, with Holm's adjustment over all pairs.

    Args:
        means: Items by candidates (`item_means`), best candidate first.
        level: Confidence of the (unadjusted) intervals.
        resamples: Draws a pair, where one is needed.

    Returns:
        One row a pair, `difference` being first minus second; `dropped` counts items that only one of them has. Empty
        with fewer than two candidates.
    """
    rows: list[dict[str, Any]] = []
    for first, second in combinations(means.columns, 2):
        one, two = means[first].to_numpy(), means[second].to_numpy()
        found = difference(two, one, level, resamples)
        rows.append(
            {
                "first": first,
                "second": second,
                "n": found.n,
                "dropped": int((np.isnan(one) ^ np.isnan(two)).sum()),
                "difference": found.value,
                "low": found.low,
                "high": found.high,
                "p": found.p,
                "gained": found.gained,
                "lost": found.lost,
                "method": found.method,
                "detectable": found.detectable,
            }
        )
    adjusted = holm([row["p"] for row in rows])
    return pd.DataFrame(
        [{**row, "p_holm": p} for row, p in zip(rows, adjusted, strict=True)], columns=DIFFERENCE_COLUMNS
    )


def pairwise_overlap(passes: pd.DataFrame) -> pd.DataFrame:
    """Compare the sets of items that candidates pass, over the items that both have.

    `jaccard` is shared over union (Jaccard 1912). Two values stand beside it: `independent`, expected if passing one
    told nothing about passing the other (shared = a*b/n), and `nested`, the most it can be, if the weaker candidate
    passed only what the stronger does (min/max, KWBench section 7.1).

    Args:
        passes: Items by candidates (`pass_matrix`).

    Returns:
        One row a pair. Two empty sets: Jaccard 1.0, by declared rule, as are its two companions; no common item: NaN.
    """
    rows = []
    for first, second in combinations(passes.columns, 2):
        both = passes[[first, second]].dropna()
        one, two = both[first] == 1, both[second] == 1
        a, b, n = int(one.sum()), int(two.sum()), len(both)
        shared = int((one & two).sum())
        chance = a * b / n if n else math.nan
        rows.append(
            {
                "first": first,
                "second": second,
                "n": n,
                "shared": shared,
                "union": a + b - shared,
                "jaccard": jaccard(shared, a + b - shared) if n else math.nan,
                "independent": jaccard(chance, a + b - chance) if n else math.nan,
                "nested": jaccard(min(a, b), max(a, b)) if n else math.nan,
                "only_first": a - shared,
                "only_second": b - shared,
            }
        )
    return pd.DataFrame(rows, columns=OVERLAP_COLUMNS)


def jaccard(shared: float, union: float) -> float:
    """Give shared / union; 1.0 for two empty sets, by declared rule."""
    return shared / union if union else 1.0
