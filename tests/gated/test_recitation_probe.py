"""The recitation probe through real runs."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.scorer import SampleScore, Score

from kwsuite.arguments import ArgumentError
from kwsuite.datasets.data_error import DataError
from kwsuite.scorers.recitation import _same, cross_table
from kwsuite.tasks import recitation_probe as probe_module
from kwsuite.tasks.recitation_probe import recitation_probe
from tests.gated.small import small_task
from tests.scripted import Scripted


def play(model: Any, **options: Any) -> tuple[dict[str, Any], Any]:
    log = inspect_eval(recitation_probe(**options), model=model, display="none", log_realtime=False)[0]
    assert log.status == "success", log.error
    assert log.results is not None
    metrics = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    return metrics, log


@pytest.mark.parametrize(
    ("name", "cell"), [("expert", "recited_answered"), ("surface", "recited_only"), ("null", "neither")]
)
def test_reference_candidates_land_in_their_cell_on_every_shipped_task(name: str, cell: str) -> None:
    metrics, log = play(f"reference/{name}")
    assert len(log.samples) >= 3
    cells = ("recited_answered", "recited_only", "answered_only", "neither")
    assert [metrics[key] for key in cells] == [float(key == cell) for key in cells]
    assert [metrics[f"{key}_runs"] for key in cells] == [len(log.samples) * (key == cell) for key in cells]


def test_rates_are_averaged_within_a_task_and_then_over_tasks() -> None:
    """Task a was run three times, task b once: each weighs the same, and the counts stand beside."""
    outcomes = [("a", 1, 1), ("a", 1, 0), ("a", 1, 0), ("b", 0, 0)]
    compute: Any = cross_table()
    found = compute(
        [
            SampleScore(score=Score(value={"recited": recited, "answered": answered}), sample_id=task)
            for task, recited, answered in outcomes
        ]
    )
    rates = [found[cell] for cell in ("recited_answered", "recited_only", "answered_only", "neither")]
    assert rates == pytest.approx([1 / 6, 1 / 3, 0, 1 / 2])
    assert (found["recited_only_runs"], found["tasks"]) == (2, 2)
    assert (found["neither_low"], found["neither_high"]) == pytest.approx((0.0945, 0.9055), abs=1e-4)


def test_runs_on_two_versions_of_the_tasks_are_not_averaged() -> None:
    compute: Any = cross_table()
    value = {"recited": 1.0, "answered": 1.0}
    scores = [SampleScore(score=Score(value=value, metadata={"version": one}), sample_id=one) for one in ("v1", "v2")]
    with pytest.raises(ValueError, match=r"different versions of the items \(v1, v2\)"):
        compute(scores)


def test_the_second_turn_stands_in_the_same_conversation_and_holds_the_data(tmp_path: Path) -> None:
    candidate = Scripted(lambda call: '{"grace_days": 9}')
    _, log = play(candidate.model, dataset=str(small_task(tmp_path)))
    first, second = candidate.calls
    assert "Days up to and including 9 are free" in first.prompt
    assert "data/invoices.csv" not in first.prompt
    assert second.prompt.startswith(first.prompt)
    assert "===== data/invoices.csv =====" in second.prompt
    recited = log.samples[0].scores["recitation"].metadata["recited"]
    assert recited == {"grace_days": True, "daily_rate": False, "largest_fee": False, "smallest_fee": False}


def test_a_task_whose_data_does_not_fit_is_left_out() -> None:
    with pytest.raises(DataError, match="no task's data fits the budget of 10 characters"):
        recitation_probe(budget=10)


@pytest.mark.parametrize("budget", [0, True, "10", 1.5])
def test_a_budget_that_is_no_count_is_refused(budget: Any) -> None:
    with pytest.raises(ArgumentError, match="it must be a whole number of at least 1"):
        recitation_probe(budget=budget)


def test_the_version_changes_with_the_words_of_the_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    before = recitation_probe().version
    monkeypatch.setattr(probe_module, "RECITATION_PROMPTS", ("other", "words"))
    assert recitation_probe().version != before


@pytest.mark.parametrize(("got", "same"), [(True, True), (False, False), (1, False), ("true", False)])
def test_a_convention_that_is_a_flag_can_be_recited_right(got: Any, same: bool) -> None:
    assert _same(got, True) is same
