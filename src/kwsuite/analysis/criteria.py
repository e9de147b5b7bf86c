"""What each candidate came to on each criterion of an item."""

from collections.abc import Sequence

import pandas as pd

from kwsuite.analysis.frames import Frames

CRITERIA_COLUMNS = ["item", "criterion", "tier", "kind", "text", "candidate", "met", "not_met", "unscored", "spread"]


def criteria_matrix(frames: Frames, items: Sequence[str], candidates: Sequence[str]) -> pd.DataFrame:
    """Count verdicts by criterion and candidate, the criteria on which candidates differ first.

    Args:
        frames: The frames of one benchmark.
        items: Which items, in the order wanted.
        candidates: Which candidates, in the order wanted.

    Returns:
        One row an item, criterion and candidate that has it: its repeats counted as `met`, `not_met` and `unscored`,
        and the criterion's `spread`, the widest distance between two candidates' shares met (0 with fewer than two
        shares). Within an item widest spread first, then as the rubric has them. Empty for items without criteria.
    """
    verdicts = frames.criteria[
        frames.criteria["item"].isin(list(items)) & frames.criteria["candidate"].isin(list(candidates))
    ]
    if verdicts.empty:
        return pd.DataFrame(columns=CRITERIA_COLUMNS)
    states = verdicts["state"].astype(str)
    keys = ["item", "criterion", "candidate"]
    found = (
        verdicts.assign(met=states == "met", not_met=states == "not_met", unscored=~states.isin(["met", "not_met"]))
        .groupby([verdicts[key].astype(object) for key in keys])[["met", "not_met", "unscored"]]
        .sum()
        .reset_index()
    )
    share = found["met"] / (found["met"] + found["not_met"]).where(lambda decided: decided > 0)
    by_criterion = share.groupby([found["item"], found["criterion"]])
    found["spread"] = (by_criterion.transform("max") - by_criterion.transform("min")).fillna(0.0)
    facts = frames.catalogue.drop_duplicates(["item", "criterion"])[["item", "criterion", "tier", "kind", "text"]]
    found = found.merge(facts.assign(place=range(len(facts))), on=["item", "criterion"], how="left")
    found["text"] = found["text"].fillna("")
    found["item_place"] = found["item"].map({item: place for place, item in enumerate(items)})
    found["candidate_place"] = found["candidate"].map({name: place for place, name in enumerate(candidates)})
    found = found.sort_values(
        ["item_place", "spread", "place", "criterion", "candidate_place"], ascending=[True, False, True, True, True]
    )
    return found[CRITERIA_COLUMNS].reset_index(drop=True)
