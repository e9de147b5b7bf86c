"""What goes wrong, and for whom."""

from typing import Any, get_args

import pandas as pd

from kwsuite.analysis.frames import Frames
from kwsuite.analysis.intervals import bounds_of, mean, rate
from kwsuite.verdicts import TIERS, Kind

CRITERION_FAILURES = ["item", "category", "criterion", "tier", "kind", "text", "candidates", "failed", "rate"]
GROUP_FAILURES = ["candidate", "group", "items", "verdicts", "failed", "low", "high", "unscored"]
BEHAVIOURS = ["candidate", "behaviour", "items", "value", "low", "high"]
VALUES = ["candidate", "value", "items", "mean", "low", "high"]


def failed_criteria(frames: Frames, polarity: str = "positive") -> pd.DataFrame:
    """Rank the criteria of one benchmark by how many candidates fail them.

    Args:
        frames: The frames of one benchmark.
        polarity: Which items.

    Returns:
        One row a criterion of an item with a verdict: `candidates` that have one, the mean number `failed` of them
        over repeats, `rate` (failed over candidates), most failed first, mandatory before other tiers.
    """
    rows = _decided(frames, polarity)
    if rows.empty:
        return pd.DataFrame(columns=CRITERION_FAILURES)
    by_candidate = rows.groupby(["item", "criterion", "candidate"], observed=True)["failed"].mean()
    found = by_candidate.groupby(level=["item", "criterion"], observed=True).agg(["size", "sum"]).reset_index()
    found.columns = pd.Index(["item", "criterion", "candidates", "failed"])
    found[["item", "criterion"]] = found[["item", "criterion"]].astype(object)
    found["rate"] = found["failed"] / found["candidates"]
    facts = frames.catalogue.drop_duplicates(["item", "criterion"])[["item", "criterion", "tier", "kind", "text"]]
    found = found.merge(facts, on=["item", "criterion"], how="left")
    found = found.merge(frames.texts[["item", "category"]], on="item", how="left")
    order = found["tier"].map({"mandatory": 0, "good_to_have": 1, "ideal": 2}).fillna(0)
    found = found.assign(order=order).sort_values(
        ["rate", "candidates", "order", "item", "criterion"], ascending=[False, False, True, True, True]
    )
    return found[CRITERION_FAILURES].reset_index(drop=True)


def failures_by(frames: Frames, group: str, polarity: str = "positive", level: float = 0.95) -> pd.DataFrame:
    """Estimate for each candidate the share of criteria failed in each group, averaged within items and over them.

    Args:
        frames: The frames of one benchmark.
        group: `kind` or `tier`.
        polarity: Which items.
        level: Confidence of the item-clustered intervals.

    Returns:
        One row a candidate and group that occurs: `items`, `verdicts` with a verdict, share `failed` with its interval,
        `unscored` criteria beside it. Empty where the log does not say the group.
    """
    members = set(frames.texts.loc[frames.texts["polarity"] == polarity, "item"])
    rows = frames.criteria[frames.criteria["item"].isin(members) & frames.criteria[group].notna()]
    found: list[dict[str, Any]] = []
    for (candidate, name), part in rows.groupby(["candidate", group], observed=True):
        decided = part[part["state"] != "unscored"]
        failed = [float(state == "not_met") for state in decided["state"]]
        share = rate(failed, decided["item"].tolist(), level)
        found.append(
            {
                "candidate": candidate,
                "group": name,
                "items": share.n,
                "verdicts": len(decided),
                "failed": share.value,
                "low": share.low,
                "high": share.high,
                "unscored": len(part) - len(decided),
            }
        )
    frame = pd.DataFrame(found, columns=GROUP_FAILURES)
    order = {name: place for place, name in enumerate([*TIERS, *get_args(Kind)])}
    return frame.sort_values("group", key=lambda names: names.map(order), kind="stable").reset_index(drop=True)


def behaviours(frames: Frames, level: float = 0.95) -> pd.DataFrame:
    """Average what scorers record of behaviour: patterns of worlds, the exposure chain of gated tasks.

    Returns:
        One row a candidate and behaviour: `value` (a rate in [0, 1] where the entries are yes or no, else a mean) with
        its item-clustered interval, over `items`. Empty where nothing is recorded.
    """
    found = []
    for (candidate, name), part in frames.behaviours.groupby(["candidate", "behaviour"], sort=False):
        yes_or_no = part["value"].isin([0.0, 1.0]).all()
        estimate = (rate if yes_or_no else mean)(part["value"].to_numpy(dtype=float), part["item"].tolist(), level)
        found.append((candidate, name, estimate.n, estimate.value, estimate.low, estimate.high))
    return pd.DataFrame(found, columns=BEHAVIOURS)


def score_values(frames: Frames, level: float = 0.95) -> pd.DataFrame:
    """Average every number of the score's value over positives: precision, recall, a caution index, whatever is there.

    Returns:
        One row a candidate and key: `mean` with its item-clustered interval, over `items`. Empty where scores are
        single numbers, which the headline has already.
    """
    rows = frames.items[(frames.items["polarity"] == "positive") & (frames.items["state"] == "scored")]
    keys = [column for column in rows.columns if column.startswith("value.") and column != "value.value"]
    bounds = {key: bounds_of(rows[key].to_numpy(dtype=float)) for key in keys}
    found = []
    for candidate, part in rows.groupby("candidate", observed=True):
        for key in keys:
            values = part[key].to_numpy(dtype=float)
            estimate = mean(values, part["item"].tolist(), level, bounds=bounds[key])
            if estimate.n:
                name = key.removeprefix("value.")
                found.append((candidate, name, estimate.n, estimate.value, estimate.low, estimate.high))
    return pd.DataFrame(found, columns=VALUES)


def _decided(frames: Frames, polarity: str) -> pd.DataFrame:
    members = set(frames.texts.loc[frames.texts["polarity"] == polarity, "item"])
    rows = frames.criteria[frames.criteria["item"].isin(members) & (frames.criteria["state"] != "unscored")]
    return rows.assign(failed=(rows["state"] == "not_met").astype(float))
