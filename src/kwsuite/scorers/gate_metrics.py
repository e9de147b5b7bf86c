"""Metrics over gate records: positives and neighbours apart, epochs averaged within an item, NaN where nothing is."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from statistics import fmean, stdev
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.scorers.intervals import mean_interval


@metric
def pass_rate() -> Metric:
    """Share of positive items whose gate is passed.

    Gives `pass_rate` over scored items with its 95 % interval (`pass_rate_low`, `pass_rate_high`; Wilson for one epoch
    or epochs that agree, else clustered by item), `pass_rate_all` over all positives (an unscored one counts as not
    passed), and the counts `positives` and `unscored`. NaN and 0 for no positives.
    """

    def compute(scores: list[SampleScore]) -> Value:
        values = [_number(score, "gate") for score in scores if _polarity(score) == "positive"]
        scored = [value for value in values if not math.isnan(value)]
        low, high = mean_interval(scored)
        return {
            "pass_rate": _mean(scored),
            "pass_rate_low": low,
            "pass_rate_high": high,
            "pass_rate_all": sum(scored) / len(values) if values else math.nan,
            "positives": len(values),
            "unscored": len(values) - len(scored),
        }

    return compute


@metric(scores="unreduced")
def false_alarm_rate() -> Metric:
    """Share of neighbours in which the suspicious reading was taken, though the plain one is right.

    A false alarm is a mandatory criterion of kind trap that is not met; in a rubric without such, a failed gate. Gives
    `false_alarm_rate`, `neighbour_pass_rate` (gate passed) and `neighbours`. NaN and 0 for no neighbours.
    """

    def compute(scores: list[SampleScore]) -> Value:
        neighbours = [score for score in scores if _polarity(score) == "neighbour"]
        return {
            "false_alarm_rate": _over_items(neighbours, _false_alarm),
            "neighbour_pass_rate": _over_items(neighbours, lambda score: _number(score, "gate")),
            "neighbours": len({score.sample_id for score in neighbours}),
        }

    return compute


@metric
def mean_score() -> Metric:
    """Mean score of positive items in [0, 1], with the standard error over items; NaN for none."""

    def compute(scores: list[SampleScore]) -> Value:
        values = [_number(score, "score") for score in scores if _polarity(score) == "positive"]
        scored = [value for value in values if not math.isnan(value)]
        error = stdev(scored) / math.sqrt(len(scored)) if len(scored) > 1 else math.nan
        return {"mean_score": _mean(scored), "mean_score_stderr": error}

    return compute


@metric(scores="unreduced")
def conditional_score() -> Metric:
    """Mean score over passed positives, in [0.40, 1]: how good an answer is once it has seen the problem."""

    def compute(scores: list[SampleScore]) -> Value:
        passed = [score for score in _positives(scores) if _number(score, "gate") == 1]
        return _over_items(passed, lambda score: _number(score, "score"))

    return compute


@metric(scores="unreduced")
def gated_out_fraction() -> Metric:
    """Mean share of good-to-have and ideal criteria met by positives that failed the gate; what the gate takes away."""

    def compute(scores: list[SampleScore]) -> Value:
        failed = [score for score in _positives(scores) if _number(score, "gate") == 0]
        return _over_items(failed, _beyond_mandatory)

    return compute


@metric(scores="unreduced")
def near_misses() -> Metric:
    """Share of positives with exactly one mandatory criterion not met and no mandatory one unscored."""

    def compute(scores: list[SampleScore]) -> Value:
        return _over_items(_positives(scores), _near_miss)

    return compute


@metric(scores="unreduced")
def coverage() -> Metric:
    """Share of criteria that have a verdict, over all items.

    Raises:
        ValueError: Samples were scored on different versions of the items, as after a retry across a change.
    """

    def compute(scores: list[SampleScore]) -> Value:
        versions = {str(_metadata(score).get("version")) for score in scores}
        if len(versions) > 1:
            raise ValueError(
                f"samples were scored on different versions of the items ({', '.join(sorted(versions))}), so no rate "
                "over them means anything. Run the task afresh instead of retrying the old log."
            )
        return _over_items(scores, lambda score: _number(score, "graded"))

    return compute


@metric
def pass_rate_by_category() -> Metric:
    """Pass rate of positives in each category (`pass_rate:<category>`), over scored items; none for no positives."""

    def compute(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[float]] = defaultdict(list)
        for score in _positives(scores):
            category = (score.sample_metadata or {}).get("category")
            if category is not None:
                groups[str(category)].append(_number(score, "gate"))
        return {f"pass_rate:{name}": _mean(_known(values)) for name, values in sorted(groups.items())}

    return compute


@metric(scores="unreduced")
def best_run() -> Metric:
    """The one whole run (epoch) with the best mean score over positives, as the paper reports; optimistic by choice.

    Gives `best_run_score`, `best_run_pass_rate` and `best_run_epoch`; nothing for a single epoch.
    """

    def compute(scores: list[SampleScore]) -> Value:
        runs: dict[int, list[SampleScore]] = defaultdict(list)
        for score in _positives(scores):
            runs[int(_metadata(score).get("epoch", 1))].append(score)
        if len(runs) < 2:
            return {}
        means = {epoch: _mean(_known(_number(score, "score") for score in run)) for epoch, run in runs.items()}
        best = max(sorted(means), key=lambda epoch: -1.0 if math.isnan(means[epoch]) else means[epoch])
        rate = _mean(_known(_number(score, "gate") for score in runs[best]))
        return {"best_run_score": means[best], "best_run_pass_rate": rate, "best_run_epoch": best}

    return compute


def _over_items(scores: Iterable[SampleScore], read: Callable[[SampleScore], float]) -> float:
    """Average within an item over its epochs, then over items; what is NaN is left out, NaN if nothing is left."""
    items: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        value = read(score)
        if not math.isnan(value):
            items[str(score.sample_id)].append(value)
    return _mean([fmean(values) for values in items.values()])


def _false_alarm(score: SampleScore) -> float:
    traps = [
        str(entry["state"])
        for entry in _metadata(score).get("criteria", [])
        if entry["tier"] == "mandatory" and entry.get("kind") == "trap"
    ]
    if not traps:
        return 1 - _number(score, "gate")
    if "not_met" in traps:
        return 1.0
    return 0.0 if all(state == "met" for state in traps) else math.nan


def _near_miss(score: SampleScore) -> float:
    states = [entry["state"] for entry in _metadata(score).get("criteria", []) if entry["tier"] == "mandatory"]
    if not states or "unscored" in states:
        return math.nan if states.count("not_met") < 2 else 0.0
    return float(states.count("not_met") == 1)


def _beyond_mandatory(score: SampleScore) -> float:
    states = [entry["state"] for entry in _metadata(score).get("criteria", []) if entry["tier"] != "mandatory"]
    known = [state for state in states if state != "unscored"]
    return known.count("met") / len(known) if known else math.nan


def _positives(scores: Iterable[SampleScore]) -> list[SampleScore]:
    return [score for score in scores if _polarity(score) == "positive"]


def _polarity(score: SampleScore) -> str:
    return str(_metadata(score).get("polarity", "positive"))


def _metadata(score: SampleScore) -> dict[str, Any]:
    return score.score.metadata or {}


def _number(score: SampleScore, key: str) -> float:
    value = score.score.value
    found = value.get(key) if isinstance(value, dict) else None
    return float(found) if isinstance(found, int | float) else math.nan


def _known(values: Iterable[float]) -> list[float]:
    return [value for value in values if not math.isnan(value)]


def _mean(values: list[float]) -> float:
    return fmean(values) if values else math.nan
