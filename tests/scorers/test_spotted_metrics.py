"""What the metrics make of several documents and epochs."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import Metric, SampleScore, Score

from kwsuite.scorers import spotted_metrics as metrics
from kwsuite.scorers.intervals import bootstrap_interval, bootstrap_ratio_interval


def sample(
    name: str, planted: int, reported: int, hits: int, most: int | None = None, epoch: int = 1, **extra: Any
) -> SampleScore:
    clean = float(reported == 0)
    value = {"planted": planted, "reported": reported, "readable": 1, "f1": math.nan if planted else clean}
    fields = {"hits": [hits, hits if most is None else most], "epoch": epoch, "words": 500.0, "criteria": [], **extra}
    return SampleScore(score=Score(value=value, metadata=fields), sample_id=name)


def compute(metric: Metric, *scores: SampleScore) -> Any:
    return metric(list(scores))  # type: ignore[call-arg, arg-type]


ALL = [
    metrics.f1_scores,
    metrics.precision_and_recall,
    metrics.recall_by_type,
    metrics.type_accuracy,
    metrics.false_alarms,
    metrics.clean_documents,
    metrics.caution_index,
    metrics.format_failures,
]


@pytest.mark.parametrize("factory", ALL)
def test_no_samples_give_nan_and_no_error(factory: Any) -> None:
    value = compute(factory())
    numbers = value.values() if isinstance(value, dict) else [value]
    assert all(math.isnan(number) or number == 0 for number in numbers)


def test_every_document_weighs_the_same_whatever_its_epochs() -> None:
    """Each document has one or two epochs of which some are decided; the mean over epochs counts."""
    scores = [sample("a", 2, 2, 2), sample("b", 2, 2, 0), sample("b", 2, 2, 0, epoch=2)]
    found = compute(metrics.f1_scores(), *scores)
    assert (found["micro_f1"], found["macro_f1"], found["documents"]) == (0.5, 0.5, 2)


def test_an_undecided_epoch_is_left_out_of_its_document() -> None:
    scores = [sample("a", 2, 2, 2), sample("a", 2, 2, 0, most=2, epoch=2)]
    found = compute(metrics.f1_scores(), *scores)
    assert (found["micro_f1"], found["micro_f1_all"], found["undecided"]) == (1.0, 0.5, 0)


def test_the_interval_is_over_documents_and_the_same_every_time() -> None:
    scores = [sample(str(number), 4, 4, number % 5) for number in range(10)]
    first, second = (compute(metrics.f1_scores(), *scores) for _ in range(2))
    assert first == second
    assert first["micro_f1_low"] < first["micro_f1"] < first["micro_f1_high"]


def test_c144_one_document_gives_no_interval() -> None:
    found = compute(metrics.f1_scores(), sample("a", 2, 2, 1), sample("a", 2, 2, 2, epoch=2))
    assert found["micro_f1"] == 0.75
    assert math.isnan(found["micro_f1_low"])


def test_the_interval_of_a_mean_is_that_of_a_ratio_with_equal_parts() -> None:
    values = [0.0, 0.2, 0.9, 1.0, 0.4]
    assert bootstrap_interval(values) == bootstrap_ratio_interval([2 * v for v in values], [2.0] * 5)


def test_a_draw_with_nothing_reported_counts_as_zero() -> None:
    assert bootstrap_ratio_interval([0.0, 2.0], [0.0, 2.0]) == (0.0, 1.0)


def test_recall_by_type_is_over_planted_problems_and_lists_types_that_occur() -> None:
    def problem(name: str, type_: str, state: str) -> dict[str, str]:
        return {"id": name, "type": type_, "state": state}

    one = [problem("p1", "ambiguity", "met"), problem("p2", "factual_error", "not_met")]
    two = [problem("p1", "ambiguity", "not_met"), problem("p2", "ambiguity", "unscored")]
    scores = [sample("a", 2, 2, 1, criteria=one), sample("b", 2, 2, 0, criteria=two)]
    found = compute(metrics.recall_by_type(), *scores)
    assert found == {"recall:factual_error": 0.0, "recall:ambiguity": 0.5}


def test_false_alarms_count_clean_documents_too() -> None:
    scores = [sample("a", 2, 3, 1), sample("b", 0, 4, 0)]
    assert compute(metrics.false_alarms(), *scores) == {"false_alarms_per_1000": 6.0}


@pytest.mark.parametrize(("reported", "index"), [(1, 0.25), (4, 1.0), (10, 2.5)])
def test_the_caution_index_leaves_clean_documents_out(reported: int, index: float) -> None:
    assert compute(metrics.caution_index(), sample("a", 4, reported, 0), sample("b", 0, 9, 0)) == index


def test_the_rate_on_clean_documents_has_a_wilson_interval() -> None:
    scores = [sample("a", 0, 0, 0), sample("b", 0, 2, 0), sample("c", 2, 2, 2)]
    found = compute(metrics.clean_documents(), *scores)
    assert (found["clean_rate"], found["clean_documents"], found["clean_reported"]) == (0.5, 2, 1.0)
    assert found["clean_rate_low"] == pytest.approx(0.0945, abs=1e-3)


def test_samples_matched_in_different_ways_are_never_averaged() -> None:
    scores = [sample("a", 2, 2, 2, match="judge"), sample("b", 2, 2, 2, match="lexical")]
    with pytest.raises(ValueError, match=r"matched in different ways \(match=judge.*; match=lexical"):
        compute(metrics.f1_scores(), *scores)


def test_a_score_of_another_scorer_is_refused_by_name() -> None:
    stranger = SampleScore(score=Score(value={"gate": 1.0}), sample_id="s1")
    with pytest.raises(ValueError, match="sample s1: its score has no 'planted'"):
        compute(metrics.f1_scores(), stranger)
