"""Is B worse than A?"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pandas as pd

from kwsuite.analysis.frames import Frames
from kwsuite.analysis.intervals import Bounds, Estimate, bounds_of, mean, rate
from kwsuite.analysis.paired import Difference, difference, holm
from kwsuite.analysis.pairing import pair_items
from kwsuite.analysis.unlike import Unlike, unlike

Verdict = Literal["better", "worse", "equivalent", "inconclusive"]
Metric = Literal["pass rate", "false alarms", "neighbour pass rate", "mean score"]
FailIf = Literal["worse", "different", "unproven"]

_COLUMNS: dict[Metric, str] = {
    "pass rate": "passed",
    "false alarms": "alarm",
    "neighbour pass rate": "passed",
    "mean score": "score",
}
_OF_NEIGHBOURS: tuple[Metric, ...] = ("false alarms", "neighbour pass rate")


@dataclass(frozen=True)
class Comparison:
    """One number of one candidate, before and after."""

    benchmark: str
    """Task name."""
    first: str
    """Candidate of A."""
    second: str
    """Candidate of B."""
    metric: Metric
    """What is compared; for false alarms less is better."""
    a: Estimate
    """A on all its scored items, paired or not."""
    b: Estimate
    """B on all its scored items, paired or not."""
    difference: Difference
    """B minus A over paired items."""
    p_holm: float
    """The p-value, adjusted for all comparisons made together; NaN without pairs."""
    unmatched: int
    """Items that only one side has."""
    unscored: int
    """Samples that both have, but at least one side without a score; they leave both sides."""
    changed: int
    """Items whose rubric, or the rules it is applied by, differ between the sides; they leave both."""
    verdict: Verdict
    """See `verdict_of`."""
    unlike: tuple[Unlike, ...] = ()
    """What else differs between the sides: graders, versions, task arguments. The change may come from it."""


class NoMatchError(ValueError):
    """The two sides hold nothing that can be compared."""


def compare(
    a: Frames,
    b: Frames,
    *,
    margin: float = 0.0,
    level: float = 0.95,
    metric: Literal["auto", "pass", "score"] = "auto",
    first: str | None = None,
    second: str | None = None,
) -> list[Comparison]:
    """Compare two sets of logs, benchmark by benchmark, on the items that both have.

    A side with one candidate is compared with the other side's one candidate, whatever they are called; otherwise
    candidates of the same name are compared. Positives give the pass rate (or mean score), neighbours the false alarms
    (see `false_alarms`) and, where it says more than they do, their own pass rate.

    Args:
        a: The baseline.
        b: What is tried against it.
        margin: Differences up to this size (a share, in [0, 1]) do not matter.
        level: Confidence; 1 - level is the level of the tests, after Holm over all comparisons.
        metric: `auto` takes the pass rate where there is one, else the mean score.
        first: The candidate of A to take.
        second: The candidate of B to take.

    Returns:
        One comparison a benchmark, pair of candidates and metric.

    Raises:
        NoMatchError: No benchmark, candidate or item is on both sides; the message says what each side has.
        ValueError: The margin is not in [0, 1].
    """
    if not 0 <= margin <= 1:
        raise ValueError(f"margin is {margin}; give a share from 0 to 1, like 0.02 for two points")
    found: list[Comparison] = []
    for benchmark in [name for name in a.benchmarks if name in b.benchmarks]:
        one, two = a.of(benchmark), b.of(benchmark)
        for left, right in _pairs(one.runs, two.runs, benchmark, first, second):
            differing = unlike(*(own.runs[own.runs["candidate"] == name] for own, name in ((one, left), (two, right))))
            pairs = _compared(benchmark, one.items, two.items, names=(left, right), wanted=metric, level=level)
            found += [replace(own, unlike=differing) for own in pairs]
    if not found:
        raise NoMatchError(
            f"Nothing to compare: A has {', '.join(a.benchmarks)} and B has {', '.join(b.benchmarks)}. "
            "Give logs of the same task, with scores."
        )
    adjusted = holm([own.difference.p for own in found])
    return [
        replace(own, p_holm=p, verdict=verdict_of(own.difference, p, margin, 1 - level, own.metric == "false alarms"))
        for own, p in zip(found, adjusted, strict=True)
    ]


def verdict_of(found: Difference, p: float, margin: float, alpha: float, less_is_better: bool = False) -> Verdict:
    """Say what a difference amounts to.

    `worse` and `better` want both the test (p below alpha) and the whole interval beyond the margin. `equivalent` wants
    the whole interval within a margin above 0 (the confidence-interval form of two one-sided tests, conservative at
    this level). All else is `inconclusive`, which says that too little was measured, not that nothing changed.
    """
    low, high = (-found.high, -found.low) if less_is_better else (found.low, found.high)
    if math.isnan(low) or math.isnan(p):
        return "inconclusive"
    if p < alpha and high < -margin:
        return "worse"
    if p < alpha and low > margin:
        return "better"
    return "equivalent" if margin > 0 and -margin < low and high < margin else "inconclusive"


def fails(found: Sequence[Comparison], rule: FailIf, margin: float = 0.0) -> list[Comparison]:
    """Give the comparisons that break a rule; empty when the gate is passed.

    `worse`: the verdict is worse. `different`: it is worse or better. `unproven`: the interval does not rule out a loss
    larger than the margin (non-inferiority), so that too few items fail as well.
    """

    def broken(own: Comparison) -> bool:
        match rule:
            case "worse":
                return own.verdict == "worse"
            case "different":
                return own.verdict in ("worse", "better")
            case "unproven":
                low = -own.difference.high if own.metric == "false alarms" else own.difference.low
                return not low >= -margin

    return [own for own in found if broken(own)]


def comparison_table(found: Sequence[Comparison]) -> pd.DataFrame:
    """Give comparisons as a frame, one row each, nested parts flattened with `a_`, `b_` and `difference_` in front.

    `unlike` is a list of what else differs, each with `what`, `a` and `b`.
    """
    rows = []
    for own in found:
        flat = {key: value for key, value in vars(own).items() if key not in ("a", "b", "difference", "unlike")}
        for name in ("a", "b", "difference"):
            flat |= {f"{name}_{key}": value for key, value in vars(getattr(own, name)).items()}
        rows.append(flat | {"unlike": [part._asdict() for part in own.unlike]})
    return pd.DataFrame(rows)


def _pairs(
    one: pd.DataFrame, two: pd.DataFrame, benchmark: str, first: str | None, second: str | None
) -> Iterator[tuple[str, str]]:
    left, right = list(dict.fromkeys(one["candidate"])), list(dict.fromkeys(two["candidate"]))
    for name, wanted, there in (("A", first, left), ("B", second, right)):
        if wanted and wanted not in there:
            raise NoMatchError(f"{benchmark}: {name} has no candidate {wanted!r}, only {', '.join(there)}.")
    left, right = [first] if first else left, [second] if second else right
    if len(left) == 1 and len(right) == 1:
        yield left[0], right[0]
        return
    common = [name for name in left if name in right]
    if not common:
        raise NoMatchError(
            f"{benchmark}: A has {', '.join(left)} and B has {', '.join(right)}, and no name is on both sides. "
            "Choose one of each with --first and --second."
        )
    yield from ((name, name) for name in common)


def _compared(
    benchmark: str, one: pd.DataFrame, two: pd.DataFrame, *, names: tuple[str, str], wanted: str, level: float
) -> Iterator[Comparison]:
    left, right = names
    one, two = one[one["candidate"] == left], two[two["candidate"] == right]
    rated = bool(one["passed"].notna().any() and two["passed"].notna().any())
    scores = wanted == "score" or (wanted == "auto" and not rated)
    for metric in _metrics(one, two, scores):
        column = _COLUMNS[metric]
        a, b = (side[_on_neighbours(side) == (metric in _OF_NEIGHBOURS)] for side in (one, two))
        if a.empty or b.empty:
            continue
        paired = pair_items(a, b, column)
        bounds = bounds_of(pd.concat([a[column], b[column]]).to_numpy(dtype=float))
        yield Comparison(
            benchmark,
            left,
            right,
            metric,
            _alone(a, column, level, bounds),
            _alone(b, column, level, bounds),
            difference(paired.first, paired.second, level),
            math.nan,
            paired.unmatched,
            paired.unscored,
            paired.changed,
            "inconclusive",
        )


def _metrics(one: pd.DataFrame, two: pd.DataFrame, scores: bool) -> tuple[Metric, ...]:
    if scores:
        return ("mean score",)
    pooled = pd.concat([side[_on_neighbours(side)] for side in (one, two)])
    # Without traps in the rubrics the two say the same, and a second test of it would only cost power.
    alike = bool((pooled["alarm"] == 1 - pooled["passed"]).where(pooled["passed"].notna(), True).all())
    return ("pass rate", "false alarms") if alike else ("pass rate", "false alarms", "neighbour pass rate")


def _on_neighbours(side: pd.DataFrame) -> "pd.Series[bool]":
    return side["polarity"].astype(str) != "positive"


def _alone(side: pd.DataFrame, column: str, level: float, bounds: Bounds | None) -> Estimate:
    values, items = side[column].to_numpy(dtype=float), side["item"].tolist()
    return mean(values, items, level, bounds=bounds) if column == "score" else rate(values, items, level)
