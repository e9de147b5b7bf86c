"""What candidates reach together."""

import numpy as np
import pandas as pd

COVERAGE_COLUMNS = ["step", "candidate", "gain", "total", "items", "share", "share_of_union"]
DIFFICULTY_COLUMNS = ["passing", "items"]


def coverage_curve(passes: pd.DataFrame) -> pd.DataFrame:
    """Add candidates one by one, each time the one that adds most items; of equals the one that passes more, by name.

    The greedy set cover (Chvatal 1979) is the published curve. It is an oracle: it knows who will pass what.

    Args:
        passes: Items by candidates (`pass_matrix`); an item without a score counts as not passed.

    Returns:
        One row a candidate, in the order taken: `gain` and `total` in items, `items` in all, `share` of all items and
        `share_of_union` of those that anyone passes (0 when nobody passes any). Empty for no candidates.
    """
    solved = passes.fillna(0.0) == 1
    left = list(solved.columns)
    reached = pd.Series(False, index=solved.index)
    union = int(np.count_nonzero(solved.to_numpy().any(axis=1)))
    rows = []
    for step in range(1, len(left) + 1):
        best = min(left, key=lambda name: (-int((solved[name] & ~reached).sum()), -int(solved[name].sum()), name))
        gain = int((solved[best] & ~reached).sum())
        reached = reached | solved[best]
        total = int(reached.sum())
        share, of_union = total / len(solved) if len(solved) else 0.0, total / union if union else 0.0
        rows.append((step, best, gain, total, len(solved), share, of_union))
        left.remove(best)
    return pd.DataFrame(rows, columns=COVERAGE_COLUMNS)


def difficulty(passes: pd.DataFrame) -> pd.DataFrame:
    """Count the items that 0, 1, 2, ... candidates pass; items without any score are left out.

    Returns:
        One row for each number from 0 to all candidates. All zeros for no items.
    """
    known = passes[passes.notna().any(axis=1)]
    counts = (known == 1).sum(axis=1).value_counts()
    rows = [(k, int(counts.get(k, 0))) for k in range(len(passes.columns) + 1)]
    return pd.DataFrame(rows, columns=DIFFICULTY_COLUMNS)


def unique_passes(passes: pd.DataFrame) -> pd.Series:
    """Count for each candidate the items that it alone passes."""
    solved = passes == 1
    alone = solved.sum(axis=1) == 1
    return solved[alone].sum().astype(int)
