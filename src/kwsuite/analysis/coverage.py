"""What candidates reach together."""

import pandas as pd

COVERAGE_COLUMNS = ["step", "candidate", "gain", "total", "items", "share", "share_of_union"]
DIFFICULTY_COLUMNS = ["passing", "items"]


def coverage_curve(passes: pd.DataFrame) -> pd.DataFrame:
    """Add candidates one by one, each time the one that adds most items.

    Of equals the one that passes more comes first, then the one whose column does. The greedy set cover (Chvatal 1979)
    is the published curve. It is an oracle: it knows who will pass what.

    Args:
        passes: Items by candidates (`pass_matrix`), best candidate first. An item without any score is left out; a
            candidate without a score on an item does not pass it.

    Returns:
        One row a candidate, in the order taken: `gain` and `total` in items, `items` with a score, `share` of them and
        `share_of_union` of those that anyone passes (0 when nobody passes any). Empty for no candidates.
    """
    solved = {str(name): frozenset(passes.index[passes[name] == 1]) for name in passes.columns}
    union, items = len(frozenset[object]().union(*solved.values())), len(passes.dropna(how="all"))
    reached: frozenset[object] = frozenset()
    rows = []
    for step in range(1, len(solved) + 1):
        best = min(solved, key=lambda name: (-len(solved[name] - reached), -len(solved[name])))
        own = solved.pop(best)
        gain, reached = len(own - reached), reached | own
        share, of_union = len(reached) / items if items else 0.0, len(reached) / union if union else 0.0
        rows.append((step, best, gain, len(reached), items, share, of_union))
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
