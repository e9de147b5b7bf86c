"""Metrics over gate records: positives and neighbours apart, epochs averaged within an item, NaN where nothing is."""

import math
from collections import defaultdict
from collections.abc import Iterable
from statistics import stdev

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.scorers.sample_values import item_means, known, mean, metadata, number, over_items
from kwsuite.verdicts import rate_interval


@metric
def pass_rate() -> Metric:
    """Share of positive items whose gate is passed.

    Gives `pass_rate` over scored items with its 95 % interval (`pass_rate_low`, `pass_rate_high`; Wilson for one epoch
    or epochs that agree, else clustered by item). NaN for no positives.
    """

    def compute(scores: list[SampleScore]) -> Value:
        values = [number(score, "gate") for score in scores if _polarity(score) == "positive"]
        scored = [value for value in values if not math.isnan(value)]
        low, high = rate_interval(scored)
        return {
            "pass_rate": mean(scored),
            "pass_rate_low": low,
            "pass_rate_high": high,
        }

    return compute


@metric(scores="unreduced")
def pass_rate_all() -> Metric:
    """Share of all positives that pass, an unscored one counted as not passed: the rate at its worst.

    Gives `pass_rate_all`, an unscored epoch counting as 0 within its item; `positives`, items; and `unscored`, samples
    (items times epochs) whose gate is unknown. NaN and 0 for no positives.
    """

    def compute(scores: list[SampleScore]) -> Value:
        positives = _positives(scores)
        return {
            "pass_rate_all": over_items(positives, lambda score: float(number(score, "gate") == 1)),
            "positives": len({score.sample_id for score in positives}),
            "unscored": sum(math.isnan(number(score, "gate")) for score in positives),
        }

    return compute


@metric(scores="unreduced")
def false_alarm_rate() -> Metric:
    """Share of neighbours in which the suspicious reading was taken, though the plain one is right.

    A false alarm is a mandatory criterion of kind trap that is not met; in a rubric without such, a failed gate. Gives
    `false_alarm_rate` over neighbours of which that is known, with its 95 % interval (`false_alarm_rate_low`,
    `false_alarm_rate_high`), and `neighbour_pass_rate` (gate passed); both again at their worst, as
    `false_alarm_rate_all` (an unknown one is an alarm) and `neighbour_pass_rate_all` (an unknown gate is not passed);
    `neighbours`, items; and `neighbours_unscored`, samples (items times epochs) of which either is unknown. NaN and 0
    for no neighbours.
    """

    def compute(scores: list[SampleScore]) -> Value:
        neighbours = [score for score in scores if _polarity(score) == "neighbour"]
        alarms = item_means(neighbours, _false_alarm)
        low, high = rate_interval(alarms)
        return {
            "false_alarm_rate": mean(alarms),
            "false_alarm_rate_low": low,
            "false_alarm_rate_high": high,
            "false_alarm_rate_all": over_items(neighbours, lambda score: float(_false_alarm(score) != 0)),
            "neighbour_pass_rate": over_items(neighbours, lambda score: number(score, "gate")),
            "neighbour_pass_rate_all": over_items(neighbours, lambda score: float(number(score, "gate") == 1)),
            "neighbours": len({score.sample_id for score in neighbours}),
            "neighbours_unscored": sum(math.isnan(_false_alarm(one) + number(one, "gate")) for one in neighbours),
        }

    return compute


@metric
def mean_score() -> Metric:
    """Mean score of positive items in [0, 1], with the standard error over items; NaN for none."""

    def compute(scores: list[SampleScore]) -> Value:
        values = [number(score, "score") for score in scores if _polarity(score) == "positive"]
        scored = [value for value in values if not math.isnan(value)]
        error = stdev(scored) / math.sqrt(len(scored)) if len(scored) > 1 else math.nan
        return {"mean_score": mean(scored), "mean_score_stderr": error}

    return compute


@metric(scores="unreduced")
def conditional_score() -> Metric:
    """Mean score over passed positives, in [0.40, 1]: how good an answer is once it has seen the problem."""

    def compute(scores: list[SampleScore]) -> Value:
        passed = [score for score in _positives(scores) if number(score, "gate") == 1]
        return over_items(passed, lambda score: number(score, "score"))

    return compute


@metric(scores="unreduced")
def gated_out_fraction() -> Metric:
    """Mean share of good-to-have and ideal criteria met by positives that failed the gate; what the gate takes away.

    A sample with one of these criteria unscored has no known share and is left out.
    """

    def compute(scores: list[SampleScore]) -> Value:
        failed = [score for score in _positives(scores) if number(score, "gate") == 0]
        return over_items(failed, _beyond_mandatory)

    return compute


@metric(scores="unreduced")
def near_misses() -> Metric:
    """Share of positives with exactly one mandatory criterion not met and no mandatory one unscored."""

    def compute(scores: list[SampleScore]) -> Value:
        return over_items(_positives(scores), _near_miss)

    return compute


@metric
def pass_rate_by_category() -> Metric:
    """Pass rate of positives in each category (`pass_rate:<category>`), over scored items; none for no positives."""

    def compute(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[float]] = defaultdict(list)
        for score in _positives(scores):
            category = (score.sample_metadata or {}).get("category")
            if category is not None:
                groups[str(category)].append(number(score, "gate"))
        return {f"pass_rate:{name}": mean(known(values)) for name, values in sorted(groups.items())}

    return compute


@metric(scores="unreduced")
def best_run() -> Metric:
    """The one whole run (epoch) with the best mean score over positives, as the paper reports; optimistic by choice.

    Only a run with a known score for every item can win. Gives `best_run_score`, `best_run_pass_rate` and
    `best_run_epoch`; NaN where no run is whole, and nothing for a single epoch.
    """

    def compute(scores: list[SampleScore]) -> Value:
        runs: dict[int, list[SampleScore]] = defaultdict(list)
        for score in _positives(scores):
            runs[int(metadata(score).get("epoch", 1))].append(score)
        if len(runs) < 2:
            return {}
        items = len({score.sample_id for run in runs.values() for score in run})
        scored = {epoch: known(number(score, "score") for score in run) for epoch, run in sorted(runs.items())}
        means = {epoch: mean(values) for epoch, values in scored.items() if len(values) == items}
        if not means:
            return dict.fromkeys(("best_run_score", "best_run_pass_rate", "best_run_epoch"), math.nan)
        best = max(means, key=lambda epoch: means[epoch])
        rate = mean(known(number(score, "gate") for score in runs[best]))
        return {"best_run_score": means[best], "best_run_pass_rate": rate, "best_run_epoch": best}

    return compute


def _false_alarm(score: SampleScore) -> float:
    traps = [
        str(entry["state"])
        for entry in metadata(score).get("criteria", [])
        if entry["tier"] == "mandatory" and entry.get("kind") == "trap"
    ]
    if not traps:
        return 1 - number(score, "gate")
    if "not_met" in traps:
        return 1.0
    return 0.0 if all(state == "met" for state in traps) else math.nan


def _near_miss(score: SampleScore) -> float:
    states = [entry["state"] for entry in metadata(score).get("criteria", []) if entry["tier"] == "mandatory"]
    if not states or "unscored" in states:
        return math.nan if states.count("not_met") < 2 else 0.0
    return float(states.count("not_met") == 1)


def _beyond_mandatory(score: SampleScore) -> float:
    states = [entry["state"] for entry in metadata(score).get("criteria", []) if entry["tier"] != "mandatory"]
    return math.nan if not states or "unscored" in states else states.count("met") / len(states)


def _positives(scores: Iterable[SampleScore]) -> list[SampleScore]:
    return [score for score in scores if _polarity(score) == "positive"]


def _polarity(score: SampleScore) -> str:
    return str(metadata(score).get("polarity", "positive"))
