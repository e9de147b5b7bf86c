"""Metrics over verified runs: each task counts once, whatever its epochs."""

import math
from collections import defaultdict
from statistics import fmean
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.scorers.intervals import mean_interval

_STEPS = ("listed", "opened", "quoted")


@metric(scores="unreduced")
def verified_rate() -> Metric:
    """Share of runs that pass, averaged within a task and then over tasks.

    Gives `verified_rate` with its 95 % interval over tasks (`verified_rate_low`, `verified_rate_high`; Wilson for one
    epoch), `verified_rate_all` (a run that could not be verified counts as not passed), `runs`, `tasks` and `unscored`.
    NaN and 0 for no runs.
    """

    def compute(scores: list[SampleScore]) -> Value:
        by_task: dict[str, list[float]] = defaultdict(list)
        rewards = [_reward(score) for score in scores]
        for score, reward in zip(scores, rewards, strict=True):
            if not math.isnan(reward):
                by_task[str(score.sample_id)].append(reward)
        known = [reward for reward in rewards if not math.isnan(reward)]
        means = [fmean(values) for values in by_task.values()]
        low, high = mean_interval(means)
        return {
            "verified_rate": fmean(means) if means else math.nan,
            "verified_rate_low": low,
            "verified_rate_high": high,
            "verified_rate_all": sum(known) / len(rewards) if rewards else math.nan,
            "runs": len(rewards),
            "tasks": len(by_task),
            "unscored": len(rewards) - len(known),
        }

    return compute


@metric(scores="unreduced")
def criterion_rates() -> Metric:
    """Share of runs that meet each criterion (`met:<task>/<criterion>`) of those that decided it; empty for no runs."""

    def compute(scores: list[SampleScore]) -> Value:
        met: dict[str, list[float]] = defaultdict(list)
        for score in scores:
            for name, state in _metadata(score).get("verdicts", {}).items():
                if state in ("met", "not_met"):
                    met[f"met:{score.sample_id}/{name}"].append(float(state == "met"))
        return {name: fmean(values) for name, values in sorted(met.items())}

    return compute


@metric(scores="unreduced")
def exposure_rates() -> Metric:
    """Share of runs with an artefact in which it was `listed`, `opened` and `quoted`; NaN where none had one."""

    def compute(scores: list[SampleScore]) -> Value:
        chains = [_metadata(score).get("exposure") or {} for score in scores]
        exposed = [chain for chain in chains if chain.get("available")]
        return {
            f"artefact_{step}": fmean(float(bool(chain[step])) for chain in exposed) if exposed else math.nan
            for step in _STEPS
        }

    return compute


def _reward(score: SampleScore) -> float:
    value = score.score.value
    found = value.get("reward") if isinstance(value, dict) else None
    return float(found) if isinstance(found, int | float) else math.nan


def _metadata(score: SampleScore) -> dict[str, Any]:
    return score.score.metadata or {}
