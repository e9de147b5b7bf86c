"""Metrics over all-pass records: the paper's two rates, their intervals, and what an idle agent would get."""

import math
from collections import defaultdict
from collections.abc import Callable

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.scorers.intervals import bootstrap_interval
from kwsuite.scorers.sample_values import known, mean, metadata, number, over_items
from kwsuite.verdicts import rate_interval

Reader = Callable[[SampleScore], float]


@metric
def spr() -> Metric:
    """Scenario pass rate: the share of scenarios with every criterion met.

    Gives `spr` over scored scenarios with its 95 % interval (`spr_low`, `spr_high`; Wilson for one epoch or epochs that
    agree, else clustered by scenario), and the count `scenarios`. NaN and 0 for no scenarios.
    """

    def compute(scores: list[SampleScore]) -> Value:
        values = [number(score, "all_pass") for score in scores]
        scored = known(values)
        low, high = rate_interval(scored)
        return {"spr": mean(scored), "spr_low": low, "spr_high": high, "scenarios": len(values)}

    return compute


@metric(scores="unreduced")
def spr_all() -> Metric:
    """Scenario pass rate at worst: a run without a score counts as not passed within its scenario.

    Gives `spr_all`, and `unscored`, the count of runs (not scenarios) without a score. NaN and 0 for no runs.
    """

    # Reducing epochs leaves out those without a score, so both would be lost in reduced values.
    def compute(scores: list[SampleScore]) -> Value:
        unscored = [score for score in scores if math.isnan(number(score, "all_pass"))]
        return {"spr_all": over_items(scores, _passed), "unscored": len(unscored)}

    return compute


@metric
def nss() -> Metric:
    """Normalised scenario score: the mean over scenarios of the share of criteria met, each scenario counting once.

    Gives `nss` over scored scenarios with its 95 % bootstrap interval (`nss_low`, `nss_high`), and `nss_idle`, what an
    agent gets that does nothing: prohibitions hold when nothing is done, so read `nss` against it. NaN for none;
    `nss_idle` also where a judge has to say, as with criteria of one's own.
    """

    def compute(scores: list[SampleScore]) -> Value:
        scored = known(number(score, "fraction") for score in scores)
        low, high = bootstrap_interval(scored)
        return {
            "nss": mean(scored),
            "nss_low": low,
            "nss_high": high,
            "nss_idle": over_items(scores, _recorded("idle_fraction")),
        }

    return compute


@metric
def by_category() -> Metric:
    """Both rates in each category, as `spr:<category>` and `nss:<category>`; none where samples have no category."""

    def compute(scores: list[SampleScore]) -> Value:
        groups: dict[str, list[SampleScore]] = defaultdict(list)
        for score in scores:
            category = (score.sample_metadata or {}).get("category")
            if category is not None:
                groups[str(category)].append(score)
        rates = {"spr": "all_pass", "nss": "fraction"}
        return {
            f"{rate}:{category}": mean(known(number(score, key) for score in groups[category]))
            for rate, key in rates.items()
            for category in sorted(groups)
        }

    return compute


@metric(scores="unreduced")
def diagnostics() -> Metric:
    """How the agent went about it, after the failure patterns of the Implicit Intelligence paper.

    Shares of runs: `acted_before_looking`, `temporary_not_restored` (of those with something to restore),
    `broad_instead_of_narrow` (of those where it matters). Share of the entities that a run configured, averaged over
    runs: `configured_not_verified`. Means per run: `steps`, `reads_per_write`, `calls_refused`, `calls_malformed`,
    `questions`. Shares of runs by what ended them: `ended_submitted`, `ended_no_action`, `ended_limit`. None for runs
    outside a world.
    """

    def compute(scores: list[SampleScore]) -> Value:
        if not any("diagnostics" in metadata(score) for score in scores):
            return {}
        readers: dict[str, Reader] = {
            "acted_before_looking": _any("acted_before_looking"),
            "configured_not_verified": _not_verified,
            "temporary_not_restored": _any("not_restored"),
            "broad_instead_of_narrow": _any("too_broad"),
            "steps": _recorded("steps"),
            "reads_per_write": _diagnosed("reads_per_write"),
            "calls_refused": _count("refused"),
            "calls_malformed": _count("malformed"),
            "questions": _recorded("questions"),
            "ended_submitted": _ended("submitted"),
            "ended_no_action": _ended("no_action"),
            "ended_limit": _ended("limit"),
        }
        return {name: over_items(scores, read) for name, read in readers.items()}

    return compute


def _passed(score: SampleScore) -> float:
    value = number(score, "all_pass")
    return 0.0 if math.isnan(value) else value


def _recorded(key: str) -> Reader:
    return lambda score: _number(metadata(score).get(key))


def _diagnosed(key: str) -> Reader:
    return lambda score: _number(metadata(score).get("diagnostics", {}).get(key))


def _any(key: str) -> Reader:
    return lambda score: _number(_length(score, key), lambda count: float(count > 0))


def _not_verified(score: SampleScore) -> float:
    configured, left = _length(score, "configured"), _length(score, "not_verified")
    return left / configured if configured and left is not None else math.nan


def _count(key: str) -> Reader:
    return lambda score: _number(_length(score, key))


def _ended(reason: str) -> Reader:
    return lambda score: float(metadata(score)["stop"] == reason) if "stop" in metadata(score) else math.nan


def _length(score: SampleScore, key: str) -> int | None:
    found = metadata(score).get("diagnostics", {}).get(key)
    return len(found) if isinstance(found, list) else None


def _number(value: object, read: Callable[[float], float] = float) -> float:
    return read(value) if isinstance(value, int | float) else math.nan
