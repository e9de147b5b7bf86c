"""Which items two candidates have in common, and what each got on them."""

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Pairing:
    """Two candidates on the same items."""

    first: np.ndarray
    """The one's mean on each item."""
    second: np.ndarray
    """The other's, in the same order."""
    unmatched: int
    """Items on one side only."""
    unscored: int
    """Pairs without both numbers."""
    changed: int
    """Items whose rubric or rules differ between the sides; they are left out."""


def pair_items(a: pd.DataFrame, b: pd.DataFrame, column: str) -> Pairing:
    """Pair repeats of an item where both sides have as many, else item means; then average within items.

    Args:
        a: Rows of the items frame of one candidate.
        b: Rows of the other's.
        column: What is compared, a number a row.

    Returns:
        Two arrays of equal length, one entry an item; both empty where no item is on both sides with numbers.
    """
    hashes = [
        side[side["rubric_hash"] != ""].drop_duplicates("item").set_index("item")["rubric_hash"] for side in (a, b)
    ]
    both = hashes[0].to_frame("a").join(hashes[1].rename("b"), how="inner")
    changed = set(both.index[both["a"] != both["b"]])
    common = set(a["item"]) & set(b["item"])
    unmatched = len(set(a["item"]) ^ set(b["item"]))
    a, b = (side[side["item"].isin(common - changed)] for side in (a, b))
    equal = a.groupby("item").size().eq(b.groupby("item").size()).all()
    keys = ["item", "repeat"] if equal else ["item"]
    sides = [side.groupby(keys)[column].mean() for side in (a, b)]
    joined = sides[0].to_frame("a").join(sides[1].rename("b"), how="inner")
    whole = joined.dropna()
    means = whole.groupby(level="item").mean()
    return Pairing(means["a"].to_numpy(), means["b"].to_numpy(), unmatched, len(joined) - len(whole), len(changed))
