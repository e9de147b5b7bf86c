"""Where each candidate is strong."""

import pandas as pd

from kwsuite.analysis.intervals import rate

FINGERPRINT_COLUMNS = ["category", "candidate", "items", "rate", "low", "high", "any_rate"]


def fingerprints(items: pd.DataFrame, passes: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Estimate every candidate's pass rate in every category, over positives.

    Args:
        items: The items frame of one benchmark.
        passes: Items by candidates (`pass_matrix`), for `any_rate`.
        level: Confidence of the intervals.

    Returns:
        One row a category and candidate: `items` scored, `rate` with `low` and `high`, and `any_rate`, the share of
        the category's items that at least one of the candidates passes (an oracle). Empty for no rows.
    """
    rows = []
    positives = items[(items["polarity"] == "positive") & items["candidate"].isin(list(passes.columns))]
    anyone = (passes == 1).any(axis=1).astype(float)
    for category, members in positives.groupby("category"):
        own = anyone.reindex(members["item"].unique())
        for candidate in passes.columns:
            part = members[members["candidate"] == candidate]
            found = rate(part["passed"].to_numpy(dtype=float), part["item"].tolist(), level)
            rows.append((category, candidate, found.n, found.value, found.low, found.high, float(own.mean())))
    return pd.DataFrame(rows, columns=FINGERPRINT_COLUMNS)
