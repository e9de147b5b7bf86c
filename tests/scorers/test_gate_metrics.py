"""Metrics over the record: hand-made scores whose right values can be worked out on paper."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
from inspect_ai.scorer import Metric, SampleScore, Score

from kwsuite.scorers import gate_metrics as metrics
from kwsuite.scorers.best_epoch import best_epoch
from kwsuite.scorers.coverage import coverage
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import Call, Scripted, run, says, write_item

NAN = math.nan
EVERY = [
    metrics.pass_rate,
    metrics.pass_rate_all,
    metrics.false_alarm_rate,
    metrics.mean_score,
    metrics.conditional_score,
    metrics.gated_out_fraction,
    metrics.near_misses,
    coverage,
    metrics.pass_rate_by_category,
    metrics.best_run,
]


def scored(
    item: str,
    states: str,
    *,
    gate: float,
    score: float,
    epoch: int = 1,
    polarity: str = "positive",
    kinds: Sequence[str | None] = (None,),
    version: str = "v1",
    category: str = "signalling",
) -> SampleScore:
    """States: letters for mandatory criteria, a bar, letters for the rest; + met, - not met, ? unscored."""
    words = {"+": "met", "-": "not_met", "?": "unscored"}
    mandatory, _, rest = states.partition("|")
    criteria: list[dict[str, Any]] = [
        {"id": f"m{n}", "tier": "mandatory", "kind": kinds[n % len(kinds)], "state": words[letter]}
        for n, letter in enumerate(mandatory)
    ]
    criteria += [
        {"id": f"g{n}", "tier": "ideal", "kind": None, "state": words[letter]} for n, letter in enumerate(rest)
    ]
    graded = sum(entry["state"] != "unscored" for entry in criteria) / len(criteria)
    metadata = {"criteria": criteria, "epoch": epoch, "polarity": polarity, "version": version}
    value = {"gate": gate, "score": score, "graded": graded}
    return SampleScore(
        score=Score(value=value, metadata=metadata), sample_id=item, sample_metadata={"category": category}
    )


def value_of(metric: Metric, scores: list[SampleScore]) -> Any:
    return metric(scores)  # type: ignore[arg-type]


@pytest.mark.parametrize("factory", EVERY)
def test_every_metric_of_no_scores_is_nan_or_nothing(factory: Any) -> None:
    """C59."""
    value = value_of(factory(), [])
    numbers = list(value.values()) if isinstance(value, dict) else [value]
    assert all(math.isnan(number) or number == 0 for number in numbers)


def test_pass_rate_leaves_neighbours_out_and_shows_both_denominators() -> None:
    """C52."""
    scores = [
        scored("a", "++", gate=1, score=0.4),
        scored("b", "+-", gate=0, score=0),
        scored("c", "+?", gate=NAN, score=NAN),
        scored("n", "++", gate=1, score=1, polarity="neighbour"),
    ]
    assert value_of(metrics.pass_rate(), scores)["pass_rate"] == 0.5
    value = value_of(metrics.pass_rate_all(), scores)
    assert (value["positives"], value["unscored"]) == (3, 1)
    assert value["pass_rate_all"] == pytest.approx(1 / 3)


def test_the_worst_rate_counts_an_unscored_epoch_as_not_passed() -> None:
    scores = [scored("a", "+", gate=1, score=1, epoch=1), scored("a", "?", gate=NAN, score=NAN, epoch=2)]
    assert value_of(metrics.pass_rate_all(), scores) == {"pass_rate_all": 0.5, "positives": 1, "unscored": 1}


def test_pass_rate_has_the_wilson_interval() -> None:
    scores = [scored(str(n), "+", gate=float(n < 3), score=0) for n in range(5)]
    value = value_of(metrics.pass_rate(), scores)
    assert (value["pass_rate_low"], value["pass_rate_high"]) == pytest.approx((0.2307, 0.8824), abs=1e-4)


@pytest.mark.parametrize(
    ("states", "gate", "alarm"), [("+-", 0.0, 1.0), ("-+", 0.0, 0.0), ("++", 1.0, 0.0), ("+?", NAN, NAN)]
)
def test_a_false_alarm_is_a_trap_not_met_and_no_other_failure(states: str, gate: float, alarm: float) -> None:
    score = scored("n", states, gate=gate, score=0, polarity="neighbour", kinds=("extraction", "trap"))
    found = value_of(metrics.false_alarm_rate(), [score])["false_alarm_rate"]
    assert found == alarm or (math.isnan(found) and math.isnan(alarm))


def test_a_neighbour_without_traps_alarms_when_its_gate_fails() -> None:
    score = scored("n", "-", gate=0, score=0, polarity="neighbour")
    assert value_of(metrics.false_alarm_rate(), [score])["false_alarm_rate"] == 1.0


def test_neighbours_without_a_verdict_are_counted_and_alarm_at_the_worst() -> None:
    scores = [scored("n0", "+", gate=1, score=1, polarity="neighbour")]
    scores += [scored(f"n{n}", "?", gate=NAN, score=NAN, polarity="neighbour") for n in (1, 2, 3)]
    value = value_of(metrics.false_alarm_rate(), scores)
    assert (value["false_alarm_rate"], value["false_alarm_rate_all"]) == (0.0, 0.75)
    assert (value["neighbour_pass_rate"], value["neighbour_pass_rate_all"]) == (1.0, 0.25)
    assert (value["neighbours"], value["neighbours_unscored"]) == (4, 3)


def test_a_known_alarm_of_an_undecided_gate_is_unscored_all_the_same() -> None:
    score = scored("n", "?+", gate=NAN, score=NAN, polarity="neighbour", kinds=("extraction", "trap"))
    value = value_of(metrics.false_alarm_rate(), [score])
    assert (value["false_alarm_rate_all"], value["neighbour_pass_rate_all"], value["neighbours_unscored"]) == (0, 0, 1)


def test_the_false_alarm_rate_has_its_interval_over_neighbours() -> None:
    gates = [0.0] * 3 + [1.0] * 2
    scores = [scored(str(n), "-+"[int(gate)], gate=gate, score=0, polarity="neighbour") for n, gate in enumerate(gates)]
    value = value_of(metrics.false_alarm_rate(), scores)
    assert (value["false_alarm_rate_low"], value["false_alarm_rate_high"]) == pytest.approx((0.2307, 0.8824), abs=1e-4)


def test_conditional_score_averages_within_an_item_first() -> None:
    scores = [
        scored("a", "+|+", gate=1, score=1.0, epoch=1),
        scored("a", "+|+", gate=1, score=0.8, epoch=2),
        scored("a", "-|+", gate=0, score=0.0, epoch=3),
        scored("b", "+|-", gate=1, score=0.4, epoch=1),
    ]
    assert value_of(metrics.conditional_score(), scores) == pytest.approx((0.9 + 0.4) / 2)


def test_gated_out_fraction_reads_the_other_tiers_of_failures_only() -> None:
    scores = [scored("a", "-|++--", gate=0, score=0), scored("b", "+|----", gate=1, score=0.4)]
    assert value_of(metrics.gated_out_fraction(), scores) == 0.5


def test_gated_out_fraction_is_unknown_with_a_criterion_unscored() -> None:
    """C34: the denominator is the rubric, not what the judge decided."""
    assert math.isnan(value_of(metrics.gated_out_fraction(), [scored("a", "-|+???", gate=0, score=0)]))


@pytest.mark.parametrize(("states", "near"), [("++-", 1.0), ("+--", 0.0), ("+++", 0.0), ("+-?", NAN), ("--?", 0.0)])
def test_a_near_miss_is_exactly_one_mandatory_criterion_not_met(states: str, near: float) -> None:
    found = value_of(metrics.near_misses(), [scored("a", states, gate=0, score=0)])
    assert found == near or (math.isnan(found) and math.isnan(near))


def test_coverage_is_the_share_of_criteria_with_a_verdict() -> None:
    scores = [scored("a", "+?", gate=NAN, score=NAN), scored("b", "++", gate=1, score=1)]
    assert value_of(coverage(), scores) == 0.75


def test_samples_of_different_versions_are_not_averaged() -> None:
    scores = [scored("a", "+", gate=1, score=1), scored("b", "+", gate=1, score=1, version="v2")]
    with pytest.raises(ValueError, match=r"different versions of the items \(v1, v2\)"):
        value_of(coverage(), scores)


def test_pass_rate_by_category_groups_positives() -> None:
    scores = [
        scored("a", "+", gate=1, score=1),
        scored("b", "-", gate=0, score=0),
        scored("c", "-", gate=0, score=0, category="strategic_omission"),
        scored("n", "+", gate=1, score=1, polarity="neighbour"),
    ]
    assert value_of(metrics.pass_rate_by_category(), scores) == {
        "pass_rate:signalling": 0.5,
        "pass_rate:strategic_omission": 0.0,
    }


def test_best_run_is_one_whole_epoch_and_not_each_items_best() -> None:
    scores = [
        scored("a", "+", gate=1, score=1.0, epoch=1),
        scored("b", "-", gate=0, score=0.0, epoch=1),
        scored("a", "-", gate=0, score=0.0, epoch=2),
        scored("b", "+", gate=1, score=0.6, epoch=2),
    ]
    assert value_of(metrics.best_run(), scores) == {
        "best_run_score": 0.5,
        "best_run_pass_rate": 0.5,
        "best_run_epoch": 1,
    }


def test_a_run_that_is_not_whole_cannot_be_the_best_run() -> None:
    scores = [scored(item, "+", gate=1, score=0.9, epoch=1) for item in "abc"]
    scores += [scored("a", "+", gate=1, score=1.0, epoch=2), scored("b", "?", gate=NAN, score=NAN, epoch=2)]
    value = value_of(metrics.best_run(), scores)
    assert (value["best_run_epoch"], value["best_run_score"]) == (1, pytest.approx(0.9))


def test_best_epoch_ranks_worlds_by_all_pass() -> None:
    epochs = [Score(value={"all_pass": 0.0, "fraction": 0.9}), Score(value={"all_pass": 1.0, "fraction": 1.0})]
    assert best_epoch()(epochs).value == {"all_pass": 1.0, "fraction": 1.0}


def test_best_epoch_refuses_a_score_it_cannot_rank() -> None:
    with pytest.raises(ValueError, match="best_epoch ranks gate or all_pass scores"):
        best_epoch()([Score(value={"fluency": 1.0})])


@pytest.mark.parametrize("order", [1, -1])
def test_best_epoch_keeps_one_whole_epoch_and_says_that_it_is_an_oracle(order: int) -> None:
    """C53, C55."""
    epochs = [
        Score(value={"gate": NAN, "score": NAN}, metadata={"epoch": 1}),
        Score(value={"gate": 1.0, "score": 0.6}, metadata={"epoch": 2}),
        Score(value={"gate": 1.0, "score": 0.4}, metadata={"epoch": 3}),
    ]
    kept = best_epoch()(epochs[::order])
    assert kept.value == {"gate": 1.0, "score": 0.6}
    assert kept.metadata == {"epoch": 2, "oracle": "best_epoch"}


def alternating() -> Scripted:
    """Passes the gate in every second answer it judges, by what the answer says."""
    return Scripted(
        lambda call: "VERDICT: NOT_MET" if "bad" in call.prompt and call.criterion == "Q m1?" else "VERDICT: MET"
    )


def candidate_of(*answers: str) -> Scripted:
    left = list(answers)

    def reply(call: Call) -> str:
        return left.pop(0)

    return Scripted(reply)


def test_epochs_that_disagree_average_within_the_item_in_a_real_run(tmp_path: Any) -> None:
    log = run(kwbench(dataset=str(write_item(tmp_path))), candidate_of("good", "bad", "good"), alternating(), epochs=3)
    assert log.results is not None
    by_view = {score.reducer: score.metrics for score in log.results.scores}
    assert by_view["mean"]["pass_rate"].value == pytest.approx(2 / 3)
    assert by_view[None]["near_misses"].value == pytest.approx(1 / 3)
    assert by_view[None]["conditional_score"].value == 1.0
    assert by_view[None]["best_run_score"].value == 1.0


def test_the_oracle_reducer_works_by_its_package_name(tmp_path: Any) -> None:
    from inspect_ai import Epochs

    log = run(
        kwbench(dataset=str(write_item(tmp_path))),
        candidate_of("bad", "good"),
        alternating(),
        epochs=Epochs(2, "kwsuite/best_epoch"),
    )
    assert log.results is not None
    reduced = next(score for score in log.results.scores if score.reducer is not None)
    assert reduced.metrics["pass_rate"].value == 1.0


def test_an_unscored_epoch_leaves_the_items_mean_to_the_others(tmp_path: Any) -> None:
    """C53."""
    grader = Scripted(lambda call: "hmm" if "bad" in call.prompt else "VERDICT: MET")
    log = run(kwbench(dataset=str(write_item(tmp_path))), candidate_of("bad", "good"), grader, epochs=2)
    assert log.results is not None
    metrics_of = {score.reducer: score.metrics for score in log.results.scores}
    assert metrics_of["mean"]["pass_rate"].value == 1.0
    assert metrics_of[None]["coverage"].value == 0.5


def test_no_positives_at_all_is_nan_and_not_zero(tmp_path: Any) -> None:
    folder = tmp_path / "items"
    folder.mkdir()
    write_item(folder, "item-a")
    write_item(folder, "item-n", polarity="neighbour", neighbour_of="item-a")
    log = run(kwbench(dataset=str(folder), polarity="neighbour"), says("memo"), says("VERDICT: MET"))
    assert log.results is not None
    metrics_of = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    assert math.isnan(metrics_of["pass_rate"])
    assert (metrics_of["neighbour_pass_rate"], metrics_of["neighbours"]) == (1.0, 1.0)
