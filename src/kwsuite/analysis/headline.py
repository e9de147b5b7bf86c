"""Who passes how much, and how sure that is."""

import math
from typing import Any

import pandas as pd

from kwsuite.analysis.conditions import Conditions, conditions
from kwsuite.analysis.frames import Frames
from kwsuite.analysis.intervals import Bounds, Estimate, bounds_of, mean, rate
from kwsuite.analysis.rows import rows as records

STATES = ("scored", "unscored", "errored", "not_run")


def headline(frames: Frames, level: float = 0.95) -> pd.DataFrame:
    """Summarise each candidate of one benchmark, best first; the conditions of one stand together, its base deciding.

    Args:
        frames: The frames of one benchmark.
        level: Confidence of all intervals.

    Returns:
        One row a candidate, with its `subject` and `condition` as in the runs frame. Over positives: `planned`,
        `scored`, `unscored`, `errored`, `not_run` samples; `items` with a score; `passes` (sum over items of the mean
        pass); `rate` with `rate_low`, `rate_high` over scored samples; `rate_all` with everything that has no score
        counted as a fail, and `rate_best` with it as a pass; `score` with its interval; `conditional`, the mean score
        of passed samples; `gated_out`, the share of non-mandatory criteria met where the gate failed; `near_misses`;
        `graded`, the share of criteria with a verdict. Over neighbours: `alarm` (share of false alarms, see
        `false_alarms`) and `neighbour_rate` (share that pass), each with its interval, and `neighbours`, the items with
        a known alarm. Then `tokens`, `cost` and `seconds` a sample, `repeats`, `limits` hit, and `reference`. Rates are
        in [0, 1]; NaN where there is nothing to estimate from.
    """
    missed = near_misses(frames)
    loose = _gated_out(frames)
    rows = []
    bounds = bounds_of(frames.items["score"].to_numpy(dtype=float))
    facts = {row.candidate: row for row in records(frames.runs.drop_duplicates("candidate"))}
    for candidate, own in frames.items.groupby("candidate", observed=True):
        rows.append(
            {
                "candidate": candidate,
                "subject": facts[candidate].subject,
                "condition": facts[candidate].condition,
                **_positives(own[own["polarity"] == "positive"], level, bounds),
                **_neighbours(own[own["polarity"] != "positive"], level),
                "gated_out": loose.get(candidate, math.nan),
                "near_misses": int((missed["candidate"] == candidate).sum()),
                "tokens": float(own["tokens"].mean()),
                "cost": float(own["cost"].mean()),
                "seconds": float(own["seconds"].mean()),
                "repeats": int(own["repeat"].max()),
                "limits": int((own["limit"] != "").sum()),
                "reference": bool(facts[candidate].reference),
            }
        )
    frame = pd.DataFrame(rows)
    if not rows:
        return frame
    order = ["rate", "score"] if frame["rate"].notna().any() else ["score"]
    frame = frame.sort_values([*order, "candidate"], ascending=[False] * len(order) + [True])
    return _together(frame, conditions(frames.runs)).reset_index(drop=True)


def near_misses(frames: Frames) -> pd.DataFrame:
    """List the samples of positives that failed by exactly one mandatory criterion, all others being met.

    Returns:
        One row a sample: candidate, item, epoch, criterion (the one that was not met). Empty where tiers are unknown.
    """
    rows = _positive_criteria(frames)
    rows = rows[rows["tier"] == "mandatory"]
    keys = ["candidate", "run", "item", "epoch"]
    if rows.empty:
        return pd.DataFrame(columns=["candidate", "item", "epoch", "criterion"])
    failed = rows["state"] == "not_met"
    undecided = rows["state"] == "unscored"
    counts = rows.assign(failed=failed, undecided=undecided).groupby(keys, observed=True)[["failed", "undecided"]].sum()
    near = counts[(counts["failed"] == 1) & (counts["undecided"] == 0)].index
    hits = rows[failed].set_index(keys)
    hits = hits[hits.index.isin(near)].reset_index()
    return hits[["candidate", "item", "epoch", "criterion"]].reset_index(drop=True)


def _together(ranked: pd.DataFrame, found: Conditions) -> pd.DataFrame:
    by_base = ranked.assign(other=ranked["condition"] != found.base).sort_values("other", kind="stable")
    subjects = {name: place for place, name in enumerate(dict.fromkeys(by_base["subject"]))}
    order = {name: place for place, name in enumerate(found.names)}
    places = ranked.assign(s=ranked["subject"].map(subjects), c=ranked["condition"].map(order).fillna(0))
    return places.sort_values(["s", "c"], kind="stable").drop(columns=["s", "c"])


def _positive_criteria(frames: Frames) -> pd.DataFrame:
    positives = frames.texts.loc[frames.texts["polarity"] == "positive", "item"]
    return frames.criteria[frames.criteria["item"].isin(set(positives))]


def _gated_out(frames: Frames) -> dict[object, float]:
    failed = frames.items[(frames.items["passed"] == 0) & (frames.items["polarity"] == "positive")]
    rows = frames.criteria[frames.criteria["tier"].isin(["good_to_have", "ideal"])]
    rows = rows[rows["state"] != "unscored"]
    keys = ["candidate", "run", "item", "epoch"]
    rows = rows.merge(failed[keys].astype(object), on=keys, how="inner")
    if rows.empty:
        return {}
    met = (rows["state"] == "met").astype(float)
    by_item = met.groupby([rows["candidate"], rows["item"]], observed=True).mean()
    means = by_item.groupby(level=0, observed=True).mean()
    return {candidate: float(mean) for candidate, mean in means.items()}


def _positives(rows: pd.DataFrame, level: float, bounds: Bounds | None) -> dict[str, Any]:
    counts = {state: int((rows["state"] == state).sum()) for state in STATES}
    items = rows["item"].tolist()
    passed = rate(rows["passed"].to_numpy(dtype=float), items, level)
    score = mean(rows["score"].to_numpy(dtype=float), items, level, bounds=bounds)
    won = rows[rows["passed"] == 1]
    conditional = mean(won["score"].to_numpy(dtype=float), won["item"].tolist(), level, bounds=bounds)
    # With no pass outcome at all, nothing failed either.
    decidable = rows["passed"].notna().any()
    worst = rows["passed"].fillna(0.0).groupby(rows["item"]).mean().mean() if decidable else math.nan
    best = rows["passed"].fillna(1.0).groupby(rows["item"]).mean().mean() if decidable else math.nan
    return {
        "planned": len(rows),
        **counts,
        "items": passed.n or score.n,
        "passes": passed.value * passed.n,
        **_spread("rate", passed),
        "rate_all": float(worst),
        "rate_best": float(best),
        **_spread("score", score),
        **_spread("conditional", conditional),
        "conditional_n": conditional.n,
        "graded": float(rows["graded"].mean()),
    }


def _neighbours(rows: pd.DataFrame, level: float) -> dict[str, Any]:
    names = rows["item"].tolist()
    alarms = rate(rows["alarm"].to_numpy(dtype=float), names, level)
    passed = rate(rows["passed"].to_numpy(dtype=float), names, level)
    return {
        **_spread("alarm", alarms),
        **_spread("neighbour_rate", passed),
        "neighbours": alarms.n,
        "neighbours_planned": len(rows),
    }


def _spread(name: str, estimate: Estimate) -> dict[str, float]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
