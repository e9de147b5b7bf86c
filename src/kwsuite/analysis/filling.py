"""Completing the items frame: what samples that were not run are known to be, and who passes."""

import numpy as np
import pandas as pd


def fill_gaps(items: pd.DataFrame, texts: pd.DataFrame) -> None:
    """Give samples that were not run what other candidates' samples of the item say."""
    facts = texts.set_index(["benchmark", "item"])
    missing = items["state"] == "not_run"
    if missing.any():
        keys = pd.MultiIndex.from_frame(items.loc[missing, ["benchmark", "item"]])
        for column, default in (("polarity", "positive"), ("category", "all"), ("subcategory", "")):
            items.loc[missing, column] = facts[column].reindex(keys).fillna(default).to_numpy()
    for column, default in (
        ("link", ""),
        ("rubric_hash", ""),
        ("scorer", ""),
        ("other_scorers", ""),
        ("grader", ""),
        ("limit", ""),
        ("error", ""),
    ):
        items[column] = items[column].where(items[column].notna(), default)
    for column in ("stale", "self_graded", "calibrated"):
        items[column] = items[column].where(items[column].notna(), False).astype(bool)
    # A sample that errored may carry a score of the state it was left in; it never counts.
    dead = items["state"].isin(["errored", "not_run"])
    items.loc[dead, ["passed", "score", "graded"]] = np.nan


def decide_passes(items: pd.DataFrame, pass_at: float | None) -> None:
    """Turn scores of benchmarks that give no pass or fail into passes, in place; without `pass_at` they have none."""
    for _, rows in items[items["state"] == "scored"].groupby("benchmark", observed=True):
        if rows["binary"].astype(bool).all():
            continue
        scores = rows["score"]
        marked = np.nan if pass_at is None else (scores >= pass_at).astype(float).where(scores.notna())
        items.loc[rows.index, "passed"] = marked
    items["passed"] = items["passed"].astype(float)
