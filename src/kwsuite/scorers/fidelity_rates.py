"""How faithful a world model is: to itself over repeats, and to the engine. Pure."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from kwsuite.worlds.templates import written

Asked = Sequence[Mapping[str, Any]]
"""The calls of a script: each what the engine made of it (`tool`, `arguments`, `outcome`, `changes`), and `replies`."""


@dataclass(frozen=True)
class FidelityRates:
    """The rates of one script, each in [0, 1], or NaN where there is nothing to compare."""

    exact_repeats: float
    """The same call in the same state: pairs of repeats with the same outcome, message and changes."""
    type_repeats: float
    """The same action: pairs of repeats in which its calls touched the same properties."""
    exact_engine: float
    """Replies with the outcome, the state and the reported numbers of the engine."""
    type_engine: float
    """Repeats in which an action's calls touched the same properties as in the engine."""
    answered: float
    """Calls asked about to which the model gave a usable reply, re-asks included."""


def fidelity_rates(asked: Asked) -> FidelityRates:
    """Compare the replies to a script; an empty script gives NaN throughout."""
    replies = [reply for call in asked for reply in call["replies"]]
    by_tool: dict[str, list[Mapping[str, Any]]] = {}
    for call in asked:
        by_tool.setdefault(call["tool"], []).append(call)
    touched = {tool: _touched_by_repeat(calls) for tool, calls in by_tool.items()}
    due = {tool: frozenset[str]().union(*map(_touched, calls)) for tool, calls in by_tool.items()}
    return FidelityRates(
        exact_repeats=_mean(_agreement([_whole(reply) for reply in call["replies"]]) for call in asked),
        type_repeats=_mean(_agreement(sets) for sets in touched.values()),
        exact_engine=_mean(float(not reply["faults"]) for reply in replies),
        type_engine=_mean(float(found == due[tool]) for tool, sets in touched.items() for found in sets),
        answered=_mean(float("outcome" in reply) for reply in replies),
    )


def mistakes(asked: Asked) -> list[dict[str, Any]]:
    """List what went wrong, by action and fault, most frequent first: `tool`, `fault`, `times` and one `arguments`."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for call in asked:
        for reply in call["replies"]:
            for fault in reply["faults"]:
                entry = found.setdefault(
                    (call["tool"], fault),
                    {"tool": call["tool"], "arguments": call["arguments"], "fault": fault, "times": 0},
                )
                entry["times"] += 1
    return sorted(found.values(), key=lambda entry: -int(entry["times"]))


def _whole(reply: Mapping[str, Any]) -> Hashable:
    if "outcome" not in reply:
        return object()
    return reply["outcome"], reply["reply"], written(reply.get("changes", []))


def _touched_by_repeat(calls: Sequence[Mapping[str, Any]]) -> list[Hashable]:
    repeats = zip(*(call["replies"] for call in calls), strict=True)
    return [
        frozenset[str]().union(*map(_touched, repeat)) if all("outcome" in reply for reply in repeat) else object()
        for repeat in repeats
    ]


def _touched(step: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(f"{change['at'][0]}.{change['at'][1]}" for change in step.get("changes", ()))


def _agreement(values: Sequence[Hashable]) -> float:
    """Give the share of pairs that are equal; NaN for fewer than two values."""
    return _mean(float(one == other) for one, other in combinations(values, 2))


def _mean(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return fmean(known) if known else math.nan
