"""Comparing two sets of logs."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai.scorer import Score

from kwsuite.analysis import compare, read_frames
from kwsuite.analysis.commands import compare as compare_command
from kwsuite.analysis.comparing import NoMatchError, fails, verdict_of
from kwsuite.analysis.paired import Difference, difference
from tests.analysis.making import gate_record, write_log

PASS = {"m1": "met", "g1": "met"}
FAIL = {"m1": "not_met", "g1": "met"}
OPEN = {"m1": "unscored:refusal", "g1": "met"}


def side(folder: Path, outcomes: str, model: str = "x/m", prefix: str = "i", **metadata: Any) -> Path:
    """A log whose items pass (p), fail (f), are unscored (u) or are not there (-)."""
    records = {"p": PASS, "f": FAIL, "u": OPEN}
    names = {f"{prefix}{place}": records[word] for place, word in enumerate(outcomes) if word != "-"}
    samples = {name: {"input": name, "polarity": metadata.get("polarity", "positive")} for name in names}
    scores = {(name, 1): gate_record(verdicts, **metadata) for name, verdicts in names.items()}
    return write_log(folder, model, scores, samples, task=metadata.get("task", "kwsuite/kwbench"))


def compared(tmp_path: Path, a: str, b: str, **options: Any) -> Any:
    side(tmp_path / "a", a)
    side(tmp_path / "b", b)
    return compare(read_frames(tmp_path / "a"), read_frames(tmp_path / "b"), **options)


def invoke(*arguments: Any) -> Result:
    return CliRunner().invoke(compare_command, [str(argument) for argument in arguments])


def test_sides_are_joined_by_item_and_dropped_ones_are_counted(tmp_path: Path) -> None:
    """C142, C148: a dead grade leaves both sides, and both rates are still shown."""
    (found,) = compared(tmp_path, "ppppff--", "pppfu-pp")
    assert found.difference.n == 4
    assert found.difference.value == -0.25
    assert (found.unscored, found.unmatched) == (1, 3)
    assert (found.a.value, found.a.n) == (pytest.approx(4 / 6), 6)
    assert (found.b.value, found.b.n) == (pytest.approx(5 / 6), 6)


def test_a_loss_is_worse_a_gain_is_better_and_doubt_is_inconclusive(tmp_path: Path) -> None:
    verdicts = [
        compared(tmp_path / str(place), a, b)[0].verdict
        for place, (a, b) in enumerate([("p" * 30, "f" * 30), ("f" * 30, "p" * 30), ("pf" * 15, "fp" * 15)])
    ]
    assert verdicts == ["worse", "better", "inconclusive"]


def test_a_log_compared_with_itself_is_never_worse(tmp_path: Path) -> None:
    (found,) = compared(tmp_path, "pf" * 100, "pf" * 100, margin=0.05)
    assert found.verdict == "equivalent"
    assert found.difference.p == 1.0


def test_an_item_whose_rubric_changed_leaves_both_sides(tmp_path: Path) -> None:
    side(tmp_path / "a", "pp", rubric_hash="one")
    side(tmp_path / "b", "ff", rubric_hash="two")
    (found,) = compare(read_frames(tmp_path / "a"), read_frames(tmp_path / "b"))
    assert (found.changed, found.difference.n) == (2, 0)
    assert math.isnan(found.difference.value)
    assert found.verdict == "inconclusive"


def test_more_false_alarms_are_worse(tmp_path: Path) -> None:
    side(tmp_path / "a", "p" * 20, polarity="neighbour")
    side(tmp_path / "b", "f" * 20, polarity="neighbour")
    (found,) = compare(read_frames(tmp_path / "a"), read_frames(tmp_path / "b"))
    assert (found.metric, found.difference.value, found.verdict) == ("false alarms", 1.0, "worse")
    assert fails([found], "unproven", 0.05) == [found]


def test_neighbours_that_fail_without_an_alarm_are_compared_by_their_pass_rate(tmp_path: Path) -> None:
    names = {f"i{place}": {"input": "x", "polarity": "neighbour"} for place in range(20)}
    for folder, m1 in (("a", "met"), ("b", "not_met")):
        record = gate_record({"m1": m1, "m2": "met"}, polarity="neighbour")
        write_log(tmp_path / folder, "x/m", {(name, 1): record for name in names}, names)
    found = compare(read_frames(tmp_path / "a", details=False), read_frames(tmp_path / "b", details=False))
    told = {own.metric: (own.difference.value, own.verdict) for own in found}
    assert told == {"false alarms": (0.0, "inconclusive"), "neighbour pass rate": (-1.0, "worse")}


def test_candidates_of_one_name_are_compared_where_there_are_several(tmp_path: Path) -> None:
    for number, (folder, name) in enumerate([("a", "m"), ("a", "n"), ("b", "n"), ("b", "k")]):
        write_log(tmp_path / folder, f"x/{name}", {("i1", 1): gate_record(PASS)}, {"i1": {}}, number=number)
    a, b = read_frames(tmp_path / "a"), read_frames(tmp_path / "b")
    assert [(own.first, own.second) for own in compare(a, b)] == [("n", "n")]
    assert [(own.first, own.second) for own in compare(a, b, first="m", second="k")] == [("m", "k")]
    with pytest.raises(NoMatchError, match="A has no candidate 'z', only m, n"):
        compare(a, b, first="z")


def test_one_candidate_a_side_needs_no_equal_names(tmp_path: Path) -> None:
    side(tmp_path / "a", "pp", "x/old")
    side(tmp_path / "b", "pp", "x/new")
    (found,) = compare(read_frames(tmp_path / "a"), read_frames(tmp_path / "b"))
    assert (found.first, found.second) == ("old", "new")


def test_different_tasks_cannot_be_compared(tmp_path: Path) -> None:
    side(tmp_path / "a", "p", task="one")
    side(tmp_path / "b", "p", task="two")
    with pytest.raises(NoMatchError, match="A has one and B has two"):
        compare(read_frames(tmp_path / "a"), read_frames(tmp_path / "b"))


@pytest.mark.parametrize(
    ("low", "high", "p", "margin", "verdict"),
    [
        (-0.3, -0.1, 0.001, 0.0, "worse"),
        (-0.3, -0.1, 0.001, 0.15, "inconclusive"),
        (-0.3, -0.1, 0.06, 0.0, "inconclusive"),
        (0.1, 0.3, 0.001, 0.05, "better"),
        (-0.02, 0.03, 0.8, 0.05, "equivalent"),
        (-0.02, 0.03, 0.8, 0.0, "inconclusive"),
        (math.nan, math.nan, 1.0, 0.5, "inconclusive"),
    ],
)
def test_verdicts_want_the_test_and_the_whole_interval(
    low: float, high: float, p: float, margin: float, verdict: str
) -> None:
    change = Difference((low + high) / 2, low, high, p, 50, 1, 1, "mcnemar", 0.1)
    assert verdict_of(change, p, margin, 0.05) == verdict
    mirrored = Difference(-(low + high) / 2, -high, -low, p, 50, 1, 1, "mcnemar", 0.1)
    assert verdict_of(mirrored, p, margin, 0.05, less_is_better=True) == verdict


@pytest.mark.parametrize(
    ("b", "rule", "code"),
    [
        ("f" * 30, None, 0),
        ("f" * 30, "worse", 1),
        ("f" * 30, "different", 1),
        ("p" * 30, "worse", 0),
        ("p" * 30, "different", 0),
        ("p" * 30, "unproven", 1),
    ],
)
def test_the_exit_code_follows_the_rule(tmp_path: Path, b: str, rule: str | None, code: int) -> None:
    a, b_log = side(tmp_path / "a", "p" * 30), side(tmp_path / "b", b)
    options = ["--fail-if", rule] if rule else []
    result = invoke(a, b_log, *options)
    assert result.exit_code == code, result.output
    assert ("failed: 1 of 1 comparison is" in result.output) is bool(code)


def test_enough_items_prove_that_little_was_lost(tmp_path: Path) -> None:
    a, b = side(tmp_path / "a", "pf" * 60), side(tmp_path / "b", "pf" * 60)
    assert invoke(a, b, "--fail-if", "unproven", "--margin", "0.1").exit_code == 0


def test_an_improvement_is_different_and_not_worse(tmp_path: Path) -> None:
    a, b = side(tmp_path / "a", "f" * 30), side(tmp_path / "b", "p" * 30)
    assert invoke(a, b, "--fail-if", "worse").exit_code == 0
    assert invoke(a, b, "--fail-if", "different").exit_code == 1


def test_the_summary_shows_both_rates_the_interval_and_what_was_left_out(tmp_path: Path) -> None:
    result = invoke(side(tmp_path / "a", "ppppff"), side(tmp_path / "b", "pppfu-"))
    words = " ".join(result.output.split())
    assert "kwsuite/kwbench, pass rate: inconclusive" in words
    assert "66.7% of 6 items" in words
    assert "4 pairs: 0 up, 1 down" in words
    assert "left out: 1 item on one side only, 1 pair without both scores" in words


def test_json_holds_the_same_numbers(tmp_path: Path) -> None:
    result = invoke(side(tmp_path / "a", "pppp"), side(tmp_path / "b", "pppf"), "--json")
    (row,) = json.loads(result.output)
    assert (row["difference_value"], row["difference_n"], row["verdict"]) == (-0.25, 4, "inconclusive")


def measured(folder: Path, grader: str = "x/judge", **arguments: Any) -> Path:
    scores = {(f"i{place}", 1): gate_record(PASS, grader=grader) for place in range(4)}
    return write_log(folder, "x/m", scores, {name: {} for name, _ in scores}, task_args=arguments)


def test_graders_and_arguments_that_differ_between_the_sides_are_told(tmp_path: Path) -> None:
    """Both sides bear one name here, and only this line says that they are not one measurement."""
    a = measured(tmp_path / "a", framing="cold", ids=["i1, i2"])
    b = measured(tmp_path / "b", "y/judge", framing="hinted", ids=["i1, i2"], judge_style="strict")
    words = " ".join(invoke(a, b).output.split())
    assert "! Not measured alike: grader (A: x/judge, B: y/judge); framing (A: cold, B: hinted); " in words
    assert "judge_style (A: default, B: strict). The change may come from that." in words
    (row,) = json.loads(invoke(a, b, "--json").output)
    assert row["unlike"][0] == {"what": "grader", "a": "x/judge", "b": "y/judge"}
    assert [part["what"] for part in row["unlike"]] == ["grader", "framing", "judge_style"]


def test_sides_that_were_measured_alike_have_no_such_line(tmp_path: Path) -> None:
    a, b = measured(tmp_path / "a", framing="cold"), measured(tmp_path / "b", framing="cold")
    assert "Not measured alike" not in invoke(a, b).output
    (row,) = json.loads(invoke(a, b, "--json").output)
    assert row["unlike"] == []


def test_a_run_of_scores_against_itself_promises_no_unlimited_power(tmp_path: Path) -> None:
    scores = {(f"i{place}", 1): Score(value=place / 40) for place in range(30)}
    log = write_log(tmp_path, "x/m", scores, {name: {} for name, _ in scores}, scorer_name="o")
    words = " ".join(invoke(log, log, "--margin", "0.02").output.split())
    assert "mean score: inconclusive" in words
    assert "A m mean 0.362 over 30 items" in words
    assert "all change alike, which leaves open what so many show" in words
    assert "±0 to ±0" not in words


def test_a_place_without_logs_is_an_error_for_people(tmp_path: Path) -> None:
    result = invoke(tmp_path / "nowhere", tmp_path)
    assert result.exit_code == 2
    assert result.output.startswith("Error: ")
    assert "no such file or folder" in result.output


def test_repeats_are_paired_by_item_means() -> None:
    assert difference([1 / 3, 1.0], [2 / 3, 1.0]).value == pytest.approx(1 / 6)


@pytest.mark.parametrize("option", ["--margin", "--pass-at"])
def test_a_mark_that_is_no_number_is_refused(tmp_path: Path, option: str) -> None:
    side(tmp_path / "a", "pf")
    outcome = invoke(tmp_path / "a", tmp_path / "a", option, "nan")
    assert outcome.exit_code == 2
    assert "finite number" in outcome.output
