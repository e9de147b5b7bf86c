"""False alarms: neighbours in which the suspicious reading was taken, though the plain one is right."""

import numpy as np
import pandas as pd

_SAMPLE = ["run", "item", "epoch"]


def false_alarms(items: pd.DataFrame, criteria: pd.DataFrame) -> pd.Series:
    """Say of each sample whether it is a false alarm, as the metric `false_alarm_rate` does.

    A neighbour is one (1.0) when a mandatory criterion of kind trap is not met, is none (0.0) when all of them are met,
    and is NaN when an unscored one decides. A rubric without such criteria: the failed gate counts. A neighbour that
    failed its gate otherwise is a poor answer, not a false alarm.

    Args:
        items: The items frame, with `polarity`, `state` and `passed`.
        criteria: The criteria frame, with tiers and kinds.

    Returns:
        One number a row of `items`, NaN for positives and for samples without a score.
    """
    neighbours = (items["polarity"] != "positive") & ~items["state"].isin(["errored", "not_run"])
    plain = (1 - items["passed"]).where(neighbours)
    traps = criteria[(criteria["tier"] == "mandatory") & (criteria["kind"] == "trap")]
    if traps.empty:
        return plain
    states = traps["state"].astype(str)
    keys = [traps[key].astype(object) for key in _SAMPLE]
    failed = (states == "not_met").groupby(keys).any()
    avoided = (states == "met").groupby(keys).all()
    decided = pd.Series(np.where(failed, 1.0, np.where(avoided, 0.0, np.nan)), index=failed.index)
    own = pd.MultiIndex.from_frame(items[_SAMPLE].astype(object))
    trapped = own.isin(decided.index)
    found = pd.Series(decided.reindex(own).to_numpy(), index=items.index)
    return plain.where(~trapped, found).where(neighbours)
