"""What the metrics make of several documents and epochs."""

import math
from typing import Any

import pytest
from inspect_ai.scorer import Metric, SampleScore, Score

from kwsuite.scorers import spotted_metrics as metrics
from kwsuite.scorers.intervals import bootstrap_interval, bootstrap_ratio_interval
from kwsuite.verdicts import rate_interval


def sample(
    name: str,
    planted: int,
    reported: int,
    hits: int,
    most: int | None = None,
    epoch: int = 1,
    *,
    readable: int = 1,
    **extra: Any,
) -> SampleScore:
    clean = float(reported == 0 and readable)
    value = {"planted": planted, "reported": reported, "readable": readable, "f1": math.nan if planted else clean}
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


def test_items_that_are_all_equal_have_no_point_for_an_interval() -> None:
    assert bootstrap_interval([1.0] * 8) == rate_interval([1.0] * 8)
    assert bootstrap_ratio_interval([1.0, 3.0], [2.0, 6.0]) == rate_interval([0.5, 0.5])
    assert all(map(math.isnan, bootstrap_interval([1.5] * 8)))


def test_a_draw_with_nothing_reported_counts_as_zero() -> None:
    assert bootstrap_ratio_interval([0.0, 2.0], [0.0, 2.0]) == (0.0, 1.0)


def test_micro_counts_findings_and_macro_counts_documents() -> None:
    scores = [sample("a", 1, 1, 1), sample("b", 3, 9, 0)]
    found = {**compute(metrics.f1_scores(), *scores), **compute(metrics.precision_and_recall(), *scores)}
    assert (found["micro_recall"], found["macro_recall"]) == (0.25, 0.5)
    assert (found["micro_precision"], found["macro_precision"]) == (0.1, 0.5)
    assert (found["micro_f1"], found["macro_f1"]) == (pytest.approx(2 / 14), 0.5)


def test_c138_clean_documents_are_counted_apart() -> None:
    scores = [sample("a", 4, 2, 2), sample("b", 2, 0, 0), sample("c", 0, 0, 0), sample("d", 0, 5, 0)]
    found = {**compute(metrics.f1_scores(), *scores), **compute(metrics.precision_and_recall(), *scores)}
    assert found["macro_f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert (found["micro_precision"], found["micro_recall"]) == (1.0, pytest.approx(1 / 3))
    assert found["documents"] == 2


def test_an_undecided_document_is_left_out_of_precision_and_recall() -> None:
    found = compute(metrics.precision_and_recall(), sample("a", 2, 2, 1, most=2), sample("b", 4, 2, 2))
    assert (found["micro_precision"], found["micro_recall"]) == (1.0, 0.5)


def test_a_right_zero_is_zero() -> None:
    scores = [sample("a", 2, 0, 0)]
    found = {**compute(metrics.f1_scores(), *scores), **compute(metrics.precision_and_recall(), *scores)}
    assert [found[f"{size}_{part}"] for size in ("micro", "macro") for part in ("f1", "precision", "recall")] == [
        0.0
    ] * 6


def typed(name: str, *types: str | None, most: int | None = None, epoch: int = 1) -> SampleScore:
    """A document on which each finding names an ambiguity, or nothing, and gives one of these types."""
    criteria = [{"id": f"p{at}", "type": "ambiguity", "state": "met"} for at in range(len(types))]
    findings = [{"state": "matched", "problem": f"p{at}", "type": type_} for at, type_ in enumerate(types)]
    alarm = {"state": "other_place", "problem": None, "type": "ambiguity"}
    hits = len(types)
    return sample(name, 9, hits + 1, hits, most, epoch, criteria=criteria, findings=[*findings, alarm])


def test_the_type_is_right_read_and_wrong_or_not_read() -> None:
    found = compute(metrics.type_accuracy(), typed("a", "ambiguity", "argument_flaw", None), typed("b", "ambiguity"))
    assert found == {"type_accuracy": 0.5, "type_read": 0.75}


def test_types_on_an_undecided_document_are_left_out() -> None:
    found = compute(metrics.type_accuracy(), typed("a", "ambiguity"), typed("b", None, most=2))
    assert found == {"type_accuracy": 1.0, "type_read": 1.0}


def test_a_document_with_more_epochs_weighs_no_more_in_the_type() -> None:
    scores = [typed("a", "ambiguity"), *(typed("b", None, epoch=epoch) for epoch in (1, 2, 3))]
    assert compute(metrics.type_accuracy(), *scores) == {"type_accuracy": 0.5, "type_read": 0.5}


def test_replies_that_cannot_be_read_or_break_off_are_shares_of_documents() -> None:
    unreadable = sample("b", 2, 0, 0, readable=0)
    cut = [sample("a", 2, 2, 2, epoch=epoch, reply_truncated=epoch == 1) for epoch in (1, 2)]
    found = compute(metrics.format_failures(), *cut, unreadable)
    assert found == {"format_failures": 0.5, "truncated": 0.25}


def test_a_reply_that_cannot_be_read_is_not_right_on_a_clean_document() -> None:
    """It reports nothing, which is not why it counts as wrong."""
    found = compute(metrics.clean_documents(), sample("a", 0, 0, 0, readable=0), sample("b", 0, 0, 0))
    assert (found["clean_rate"], found["clean_reported"]) == (0.5, 0.0)


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
