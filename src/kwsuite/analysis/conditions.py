"""One candidate under several conditions: contrasted with itself, never ranked against itself."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from kwsuite.analysis.paired import difference, holm
from kwsuite.analysis.pairs import DIFFERENCE_COLUMNS
from kwsuite.analysis.passes import contenders
from kwsuite.analysis.rows import rows

EFFECT_COLUMNS = ["subject", *DIFFERENCE_COLUMNS]
_ORDER = ("with", "without", "perturbed", "cold", "hinted", "specified")


@dataclass(frozen=True)
class Conditions:
    """The conditions of one benchmark."""

    names: tuple[str, ...] = ()
    """As in `runs.condition`, in the order in which they are told; empty where runs do not differ in one."""
    base: str = ""
    """The one under which candidates are set against each other; empty where there are none."""

    def rivals(self, runs: pd.DataFrame) -> list[str]:
        """Name the candidates that may be set against each other: contenders under the base condition."""
        own = set(runs.loc[runs["condition"] == self.base, "candidate"])
        return [name for name in contenders(runs) if name in own]


def conditions(runs: pd.DataFrame) -> Conditions:
    """Find the conditions of a benchmark's runs.

    The base is the condition that most contenders have; of equals the first in the order with, without, perturbed, or
    cold, hinted, specified, then by name.

    Args:
        runs: The runs of one benchmark (`RUN_COLUMNS`).
    """
    names = sorted(set(runs["condition"]) - {""}, key=_place)
    if not names:
        return Conditions()
    known = runs[runs["candidate"].isin(contenders(runs))].drop_duplicates("candidate")["condition"].value_counts()
    return Conditions(tuple(names), max(names, key=lambda name: int(known.get(name, 0))))


def condition_effects(means: pd.DataFrame, runs: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Contrast the conditions of each candidate with its first one, on the items that it has under both.

    Args:
        means: Items by candidates (`item_means`).
        runs: The runs of one benchmark.
        level: Confidence of the (unadjusted) intervals.

    Returns:
        One row a candidate and further condition: `difference` is the second condition minus the first, with Holm's
        adjustment over all rows; `dropped` counts items with a mean under one of the two only. Empty where no
        candidate has two conditions.
    """
    order = {name: place for place, name in enumerate(conditions(runs).names)}
    found = []
    for subject, own in runs[runs["condition"] != ""].drop_duplicates("candidate").groupby("subject", sort=False):
        ranked = list(rows(own.sort_values("condition", key=lambda names: names.map(order))))
        for other in ranked[1:]:
            one, two = means[ranked[0].candidate].to_numpy(), means[other.candidate].to_numpy()
            effect = difference(one, two, level)
            found.append(
                {
                    "subject": subject,
                    "first": ranked[0].condition,
                    "second": other.condition,
                    "dropped": int((np.isnan(one) ^ np.isnan(two)).sum()),
                    **{key: value for key, value in vars(effect).items() if key != "value"},
                    "difference": effect.value,
                }
            )
    adjusted = holm([row["p"] for row in found])
    return pd.DataFrame([{**row, "p_holm": p} for row, p in zip(found, adjusted, strict=True)], columns=EFFECT_COLUMNS)


def _place(name: str) -> tuple[list[int], str]:
    values = [part.partition("=")[2] for part in name.split(" · ")]
    return [_ORDER.index(value) if value in _ORDER else len(_ORDER) for value in values], name
