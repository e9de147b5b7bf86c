"""Rates over verified runs: each task counts once, what is unknown is counted, and nothing is made of nothing."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import Metric, SampleScore, Score

from kwsuite.scorers.verified_metrics import criterion_rates, exposure_rates, part_rates, verified_rate


def run(task: str, reward: float, judged: float = math.nan, **metadata: Any) -> SampleScore:
    value = {"reward": reward, "deterministic": reward, "judged": judged}
    return SampleScore(score=Score(value=value, metadata={"version": "a", **metadata}), sample_id=task)


def compute(metric: Metric, *scores: SampleScore) -> dict[str, float]:
    value = metric(list(scores))  # type: ignore[arg-type, call-arg]
    assert isinstance(value, dict)
    return {name: float(number) for name, number in value.items()}  # type: ignore[arg-type]


def test_a_task_counts_once_whatever_its_epochs() -> None:
    rates = compute(verified_rate(), run("a", 1.0), run("a", 1.0), run("a", 0.0), run("a", 0.0), run("b", 0.0))
    assert rates["verified_rate"] == 0.25
    assert (rates["runs"], rates["tasks"], rates["unscored"]) == (5, 2, 0)


def test_a_run_without_a_score_leaves_one_rate_and_lowers_the_other() -> None:
    """C52, C53"""
    rates = compute(verified_rate(), run("a", 1.0), run("a", math.nan), run("b", math.nan))
    assert (rates["verified_rate"], rates["verified_rate_all"], rates["unscored"]) == (1.0, 0.25, 2)


def test_a_right_zero_is_a_zero() -> None:
    rates = compute(verified_rate(), run("a", 0.0), run("b", 0.0))
    assert rates["verified_rate"] == 0.0
    assert rates["verified_rate_low"] == 0.0
    assert 0.6 < rates["verified_rate_high"] < 0.7


@pytest.mark.parametrize("metric", [verified_rate, part_rates, criterion_rates, exposure_rates])
def test_nothing_gives_no_rate(metric: Any) -> None:
    """C59"""
    rates = compute(metric())
    counts = ("runs", "tasks", "unscored", "judged_tasks")
    assert all(number == 0 if name in counts else math.isnan(number) for name, number in rates.items())


def test_the_judged_rate_is_over_tasks_with_something_to_judge() -> None:
    rates = compute(part_rates(), run("a", 1.0), run("b", 0.0, judged=1.0), run("c", 0.0, judged=0.0))
    assert (rates["judged_rate"], rates["judged_tasks"]) == (0.5, 2)
    assert rates["deterministic_rate"] == pytest.approx(1 / 3)


def test_runs_on_different_versions_of_the_tasks_are_not_averaged() -> None:
    with pytest.raises(ValueError, match="different versions"):
        compute(verified_rate(), run("a", 1.0), run("b", 1.0, version="b"))


def test_a_criterion_is_counted_where_it_was_decided() -> None:
    scores = (run("a", 0.0, verdicts={"x": state}) for state in ("met", "not_met", "unscored:grader_error"))
    assert compute(criterion_rates(), *scores) == {"met:a/x": 0.5}
