"""What fails, and the cautions about it."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.scorer import Score

from kwsuite.analysis import Findings, Frames, find, read_frames
from kwsuite.analysis.story import takeaways
from tests.analysis.making import gate_record, write_log

PASS = {"m1": "met", "m2": "met", "m3": "met", "g1": "met", "i1": "not_met"}
NEAR = {**PASS, "m2": "not_met"}
FAR = {**PASS, "m2": "not_met", "m3": "not_met", "g1": "not_met"}
OPEN = {**NEAR, "m3": "unscored:refusal"}


def made(folder: Path, verdicts: dict[str, list[dict[str, str]]], **options: Any) -> Frames:
    """Logs of candidates whose items have these verdicts; ids that end in n are neighbours."""
    for number, (model, rows) in enumerate(verdicts.items()):
        names = options.get("names") or [f"i{place}" for place in range(len(rows))]
        samples = {
            name: {"input": name, "category": "c", "polarity": "neighbour" if name.endswith("n") else "positive"}
            for name in names
        }
        scores = {
            (name, 1): gate_record(row, **options.get("metadata", {})) for name, row in zip(names, rows, strict=True)
        }
        write_log(folder, model, scores, samples, number=number, metadata={"version": "new"})
    return read_frames(folder)


def titles(found: Findings) -> list[str]:
    return [caution.title for caution in found.cautions]


def test_a_near_miss_fails_one_mandatory_criterion_and_leaves_none_open(tmp_path: Path) -> None:
    found = find(made(tmp_path, {"x/a": [PASS, NEAR, FAR, OPEN]}))[0]
    assert found.near_misses[["item", "criterion"]].to_numpy().tolist() == [["i1", "m2"]]
    assert found.headline.iloc[0]["near_misses"] == 1


def test_what_gated_out_answers_still_met_is_reported(tmp_path: Path) -> None:
    found = find(made(tmp_path, {"x/a": [PASS, NEAR, FAR]}))[0]
    # NEAR met one of two others, FAR none.
    assert found.headline.iloc[0]["gated_out"] == 0.25


def test_criteria_are_ranked_by_the_candidates_they_fail(tmp_path: Path) -> None:
    found = find(made(tmp_path, {"x/a": [NEAR], "x/b": [FAR], "x/c": [PASS]}))[0]
    ranked = found.failed_criteria
    assert ranked["criterion"].tolist()[:3] == ["i1", "m2", "m3"]
    assert ranked["failed"].tolist()[:3] == [3, 2, 1]
    assert ranked.set_index("criterion").loc["m2", "kind"] == "trap"


def test_kinds_and_tiers_keep_their_order_and_count_the_unscored_apart(tmp_path: Path) -> None:
    found = find(made(tmp_path, {"x/a": [OPEN, PASS]}))[0]
    assert found.tiers["group"].tolist() == ["mandatory", "good_to_have", "ideal"]
    mandatory = found.tiers.iloc[0]
    assert (mandatory["verdicts"], mandatory["unscored"]) == (5, 1)
    assert mandatory["failed"] == pytest.approx((0.5 + 0) / 2)
    assert found.kinds["group"].tolist() == ["extraction", "trap", "mechanism", "action", "tradeoff"]


def test_neighbours_have_their_own_rate_and_leave_the_headline(tmp_path: Path) -> None:
    found = find(made(tmp_path, {"x/a": [PASS, NEAR, PASS, NEAR]}, names=["i0", "i1", "i0n", "i1n"]))[0]
    row = found.headline.iloc[0]
    assert (row["items"], row["rate"]) == (2, 0.5)
    assert (row["neighbours"], row["alarm"]) == (2, 0.5)
    assert list(found.passes.index) == ["i0", "i1"]


def test_a_false_alarm_is_a_mandatory_trap_not_met_and_other_failures_are_none(tmp_path: Path) -> None:
    trapped, poor = {**PASS, "m2": "not_met"}, {**PASS, "m1": "not_met"}
    open_trap, no_trap = {**PASS, "m2": "unscored:refusal"}, {"m1": "not_met", "m3": "met"}
    frames = made(tmp_path, {"x/a": [trapped, poor, open_trap, no_trap]}, names=["an", "bn", "cn", "dn"])
    alarms = frames.items.set_index("item")["alarm"]
    assert alarms.drop("cn").to_dict() == {"an": 1.0, "bn": 0.0, "dn": 1.0}
    assert math.isnan(alarms["cn"])
    row = find(frames)[0].headline.iloc[0]
    assert (row["alarm"], row["neighbours"]) == (pytest.approx(2 / 3), 3)
    assert row["neighbour_rate"] == 0.0


def test_positives_have_no_alarm(tmp_path: Path) -> None:
    assert made(tmp_path, {"x/a": [NEAR, PASS]}).items["alarm"].isna().all()


def test_items_on_which_candidates_differ_come_with_links(tmp_path: Path) -> None:
    frames = made(tmp_path, {"x/a": [PASS, PASS], "x/b": [PASS, FAR]})
    found = find(frames, view="http://localhost:7575/")[0]
    assert found.contrasts["item"].tolist() == ["i1"]
    row = found.contrasts.iloc[0]
    assert (row["passed_by"], row["failed_by"]) == (["a"], ["b"])
    log = Path(frames.runs.set_index("candidate").loc["b", "log"]).name.replace("+", "%2B")
    assert row["links"]["b"] == f"http://localhost:7575/#/logs/{log}/samples/sample/i1/1"


@pytest.mark.parametrize(
    ("metadata", "title"),
    [
        ({"self_graded": True}, "Self-graded runs"),
        ({}, "Uncalibrated grader"),
        ({"version": "old"}, "1 sample from another rubric"),
        ({"grader": "reference/labels"}, "Shipped labels"),
    ],
)
def test_what_can_mislead_is_said(tmp_path: Path, metadata: dict[str, Any], title: str) -> None:
    assert title in titles(find(made(tmp_path, {"x/a": [PASS]}, metadata=metadata))[0])


def test_a_calibrated_grader_needs_no_caution(tmp_path: Path) -> None:
    found = find(made(tmp_path, {"x/a": [PASS] * 40}, metadata={"calibrated": True}))[0]
    assert titles(found) == []


def test_candidates_with_other_graders_other_items_or_other_rubrics_are_named(tmp_path: Path) -> None:
    record = gate_record(PASS, grader="j/one", rubric_hash="aa")
    other = gate_record(PASS, grader="j/two", rubric_hash="bb")
    write_log(tmp_path, "x/a", {("i0", 1): record, ("i1", 1): record}, {"i0": {}, "i1": {}}, number=0)
    write_log(tmp_path, "x/b", {("i0", 1): other, ("i2", 1): other}, {"i0": {}, "i2": {}}, number=1)
    found = titles(find(read_frames(tmp_path))[0])
    assert {"Different graders", "Different items", "1 item with more than one rubric", "Few items"} <= set(found)


def test_reference_candidates_are_marked_and_set_against_each_other_only_when_alone(tmp_path: Path) -> None:
    mixed = find(made(tmp_path / "mixed", {"reference/expert": [PASS], "x/a": [NEAR]}))[0]
    assert mixed.headline["reference"].tolist() == [True, False]
    assert list(mixed.passes.columns) == ["a"]
    assert "Reference candidates" in titles(mixed)
    alone = find(made(tmp_path / "alone", {"reference/expert": [PASS], "reference/null": [FAR]}))[0]
    assert list(alone.passes.columns) == ["reference/expert", "reference/null"]


def test_takeaways_say_whether_the_order_is_settled(tmp_path: Path) -> None:
    close = find(made(tmp_path / "close", {"x/a": [PASS] * 20 + [FAR] * 20, "x/b": [PASS] * 19 + [FAR] * 21}))[0]
    assert any("which chance can explain" in sentence for sentence in takeaways(close))
    far = find(made(tmp_path / "far", {"x/a": [PASS] * 40, "x/b": [FAR] * 40}))[0]
    assert any("more than chance explains" in sentence for sentence in takeaways(far))


def test_all_numbers_of_a_score_are_averaged(tmp_path: Path) -> None:
    scores = {(f"d{place}", 1): Score(value={"f1": 0.5, "caution": place, "clean": float("nan")}) for place in (1, 2)}
    write_log(tmp_path, "x/a", scores, {"d1": {}, "d2": {}}, scorer_name="spotted")
    found = find(read_frames(tmp_path))[0]
    assert found.values.set_index("value")["mean"].to_dict() == {"f1": 0.5, "caution": 1.5}
    assert found.metric == "score"
    assert found.passes.empty


def test_a_score_that_was_not_read_is_named(tmp_path: Path) -> None:
    path = write_log(tmp_path, "x/a", {("i0", 1): gate_record(PASS)}, {"i0": {}})
    log = read_eval_log(str(path))
    assert log.samples
    log.samples[0].scores = {**(log.samples[0].scores or {}), "conjunctive_gate1": gate_record(FAR, grader="j/two")}
    write_eval_log(log, str(path))
    found = find(read_frames(tmp_path))[0]
    assert found.headline.iloc[0]["rate"] == 1.0
    assert any("Not read: conjunctive_gate1" in caution.text for caution in found.cautions)
    again = read_frames(tmp_path, scorer="conjunctive_gate1")
    assert (again.items["passed"].tolist(), again.runs["grader"].tolist()) == ([0.0], ["j/two"])
