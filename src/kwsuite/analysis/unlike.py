"""What two sides differ in besides their candidates."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pandas as pd

_NEXT = re.compile(r", (?=\w+=)")


class Unlike(NamedTuple):
    """One thing that is not the same on both sides, so that a change may come from it."""

    what: str
    """`grader`, `version`, or the name of a task argument such as `framing` or `judge_style`."""
    a: str
    """What A has; several values joined by ` / `."""
    b: str
    """What B has."""


def unlike(a: pd.DataFrame, b: pd.DataFrame) -> tuple[Unlike, ...]:
    """Say in what two candidates were measured differently: graders, task versions and task arguments.

    Args:
        a: Runs of one candidate (`RUN_COLUMNS`).
        b: Runs of the other.

    Returns:
        The differences, the grader first; empty where both were measured alike.
    """
    sides = (_facts(a), _facts(b))
    keys = dict.fromkeys([*sides[0], *sides[1]])
    pairs = ((key, *(_told(side.get(key, ["default"])) for side in sides)) for key in keys)
    return tuple(Unlike(what, one, two) for what, one, two in pairs if one != two)


def _facts(runs: pd.DataFrame) -> dict[str, list[str]]:
    facts = {"grader": list(runs["grader"]), "version": list(runs["version"])}
    for given in runs["arguments"]:
        for part in _NEXT.split(given) if given else []:
            name, _, value = part.partition("=")
            # An argument may be called version as well.
            facts.setdefault(name if name not in ("grader", "version") else f"-T {name}", []).append(value)
    return facts


def _told(values: Sequence[str]) -> str:
    return " / ".join(sorted({value or "none" for value in values}))
