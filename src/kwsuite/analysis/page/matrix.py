"""The criteria of an item by candidate, as the page shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import pandas as pd

from kwsuite.analysis.rows import rows

MOST_CRITERIA = 40
"""Criteria of one item on the page; those on which candidates differ come first."""


class Mark(NamedTuple):
    """What one candidate came to on one criterion."""

    look: Literal["met", "not_met", "part", "unscored", "absent"]
    """How it is drawn."""
    sign: str
    """What stands there: a sign for one try, met out of decided for several."""
    said: str
    """The same in words."""


@dataclass(frozen=True)
class Line:
    """One criterion."""

    criterion: str
    """Its id."""
    text: str
    """What it asks; empty where the log does not say."""
    about: str
    """Tier and kind in words; empty where the log does not say."""
    differs: bool
    """Whether two candidates came to different shares."""
    marks: tuple[Mark, ...]
    """One a candidate."""


@dataclass(frozen=True)
class Matrix:
    """The criteria of one item."""

    lines: tuple[Line, ...]
    """At most `MOST_CRITERIA`, those on which candidates differ first."""
    total: int
    """Criteria that the item has."""
    differing: int
    """How many of all of them candidates differ on."""


def matrices(criteria: pd.DataFrame, items: Sequence[str], candidates: Sequence[str]) -> dict[str, Matrix]:
    """Arrange criteria for the page.

    Args:
        criteria: `criteria_matrix`.
        items: The items that the page lists.
        candidates: The columns, in order.

    Returns:
        A matrix for each of the items that has criteria.
    """
    found = {}
    for item, own in criteria[criteria["item"].isin(list(items))].groupby("item", sort=False):
        lines = [_line(part, candidates) for _, part in own.groupby("criterion", sort=False)]
        differing = sum(line.differs for line in lines)
        found[str(item)] = Matrix(tuple(lines[:MOST_CRITERIA]), len(lines), differing)
    return found


def _line(part: pd.DataFrame, candidates: Sequence[str]) -> Line:
    first = part.iloc[0]
    own = {row.candidate: row for row in rows(part)}
    repeated = bool((part[["met", "not_met", "unscored"]].sum(axis=1) > 1).any())
    about = ", ".join(str(name).replace("_", " ") for name in (first["tier"], first["kind"]) if isinstance(name, str))
    marks = tuple(_mark(own.get(name), repeated) for name in candidates)
    return Line(str(first["criterion"]), str(first["text"]), about, bool(first["spread"] > 0), marks)


def _mark(row: Any, repeated: bool) -> Mark:
    if row is None:
        return Mark("absent", "", "no record")
    decided = row.met + row.not_met
    silent = f", {row.unscored} unscored" if row.unscored else ""
    if not decided:
        return Mark("unscored", "?", "unscored")
    look: Literal["met", "not_met", "part"] = "met" if row.met == decided else "part" if row.met else "not_met"
    if not repeated:
        return Mark(look, "✓" if row.met else "✕", "met" if row.met else "not met")
    return Mark(look, f"{row.met}/{decided}" + ("?" if row.unscored else ""), f"met in {row.met} of {decided}{silent}")
