"""Items by candidates."""

from typing import Literal

import numpy as np
import pandas as pd

PassRule = Literal["majority", "any", "all", "best_run"]
"""When an item with several repeats counts as passed: `any` is an oracle over repeats, `best_run` the paper's way."""


def item_means(items: pd.DataFrame, column: str = "passed", polarity: str = "positive") -> pd.DataFrame:
    """Average a column over each candidate's scored repeats of an item.

    Args:
        items: The items frame of one benchmark.
        column: `passed` or `score`.
        polarity: Which items.

    Returns:
        Items (rows, sorted) by candidates (columns, in order of appearance); NaN where nothing was scored. Empty frame
        for no rows.
    """
    rows = items[items["polarity"] == polarity]
    candidates = list(dict.fromkeys(rows["candidate"]))
    wide = rows.pivot_table(
        index="item", columns="candidate", values=column, aggfunc="mean", dropna=False, observed=True
    )
    every = sorted(dict.fromkeys(rows["item"]))
    return wide.reindex(index=every, columns=candidates).astype(float)


def pass_matrix(items: pd.DataFrame, rule: PassRule = "majority", polarity: str = "positive") -> pd.DataFrame:
    """Decide for every item and candidate whether it counts as passed.

    `majority` wants more than half of the scored repeats, `any` one of them, `all` every one; `best_run` takes the one
    run (all items, one repeat each) with the highest pass rate, as KWBench reports it (arXiv 2604.15760).

    Args:
        items: The items frame of one benchmark.
        rule: The rule above; with one repeat all of them agree.
        polarity: Which items.

    Returns:
        Like `item_means`, with 1.0, 0.0, or NaN where nothing was scored.
    """
    if rule == "best_run":
        items = best_run(items)
    means = item_means(items, "passed", polarity)
    match rule:
        case "any":
            decided = means > 0
        case "all":
            decided = means == 1
        case "majority" | "best_run":
            decided = means > 0.5
    return decided.astype(float).where(means.notna(), np.nan)


def best_run(items: pd.DataFrame) -> pd.DataFrame:
    """Keep for each candidate the repeat whose pass rate over positives is highest; the earliest of equals."""
    positives = items[items["polarity"] == "positive"]
    rates = positives.groupby(["candidate", "repeat"], observed=True)["passed"].mean().reset_index()
    rates = rates.sort_values(["candidate", "passed", "repeat"], ascending=[True, False, True])
    best = rates.groupby("candidate", observed=True).first()["repeat"]
    return items[items["repeat"] == items["candidate"].map(best).astype(float)]


def contenders(runs: pd.DataFrame) -> list[str]:
    """Name the candidates that may be compared with each other: all but reference candidates, or all if only those."""
    real = runs.loc[~runs["reference"].astype(bool), "candidate"]
    return list(dict.fromkeys(real if len(real) else runs["candidate"]))
