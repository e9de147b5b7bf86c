"""Metrics over verified runs: each task counts once, whatever its epochs."""

import math
from collections import defaultdict
from statistics import fmean

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.scorers.sample_values import (
    item_means,
    known,
    mean,
    metadata,
    number,
    over_items,
    refuse_mixed_versions,
)
from kwsuite.verdicts import rate_interval

_STEPS = ("listed", "opened", "quoted")


@metric(scores="unreduced")
def verified_rate() -> Metric:
    """Share of runs that pass, averaged within a task and then over tasks.

    Gives `verified_rate` with its 95 % interval over tasks (`verified_rate_low`, `verified_rate_high`; Wilson for one
    epoch), `verified_rate_all` (a run that could not be scored counts as not passed), `runs`, `tasks` and `unscored`.
    NaN and 0 for no runs.

    Raises:
        ValueError: Runs were scored on different versions of the tasks.
    """

    def compute(scores: list[SampleScore]) -> Value:
        refuse_mixed_versions(scores)
        rewards = [number(score, "reward") for score in scores]
        means = item_means(scores, lambda score: number(score, "reward"))
        low, high = rate_interval(means)
        return {
            "verified_rate": mean(means),
            "verified_rate_low": low,
            "verified_rate_high": high,
            "verified_rate_all": over_items(scores, _passed),
            "runs": len(rewards),
            "tasks": len(means),
            "unscored": len(rewards) - len(known(rewards)),
        }

    return compute


@metric(scores="unreduced")
def part_rates() -> Metric:
    """The rate of each part by itself: `deterministic_rate` is the verifier's criteria, `judged_rate` the judge's.

    Averaged within a task and then over tasks; `judged_rate` over the tasks that have a judged output, `judged_tasks`
    of them. NaN and 0 where there are none.
    """

    def compute(scores: list[SampleScore]) -> Value:
        judged = item_means(scores, lambda score: number(score, "judged"))
        return {
            "deterministic_rate": over_items(scores, lambda score: number(score, "deterministic")),
            "judged_rate": mean(judged),
            "judged_tasks": len(judged),
        }

    return compute


@metric(scores="unreduced")
def criterion_rates() -> Metric:
    """Share of runs that meet each criterion (`met:<task>/<criterion>`) of those that decided it; empty for no runs."""

    def compute(scores: list[SampleScore]) -> Value:
        met: dict[str, list[float]] = defaultdict(list)
        for score in scores:
            for name, state in metadata(score).get("verdicts", {}).items():
                if state in ("met", "not_met"):
                    met[f"met:{score.sample_id}/{name}"].append(float(state == "met"))
        return {name: fmean(values) for name, values in sorted(met.items())}

    return compute


@metric(scores="unreduced")
def exposure_rates() -> Metric:
    """Share of runs with an artefact in which it was `listed`, `opened` and `quoted`; NaN where none had one."""

    def compute(scores: list[SampleScore]) -> Value:
        chains = [metadata(score).get("exposure") or {} for score in scores]
        exposed = [chain for chain in chains if chain.get("available")]
        return {
            f"artefact_{step}": fmean(float(bool(chain[step])) for chain in exposed) if exposed else math.nan
            for step in _STEPS
        }

    return compute


@metric(scores="unreduced")
def followed_rate() -> Metric:
    """Share of runs with the perturbed artefact that give exactly its other answer; NaN where there are none."""

    def compute(scores: list[SampleScore]) -> Value:
        given = [metadata(score).get("followed") for score in scores]
        followed = [float(one) for one in given if one is not None]
        return {"followed_rate": fmean(followed) if followed else math.nan}

    return compute


def _passed(score: SampleScore) -> float:
    reward = number(score, "reward")
    return 0.0 if math.isnan(reward) else reward
