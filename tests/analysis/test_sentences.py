"""What a report says in words: nothing that its numbers do not, in grammar that fits them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.scorer import Score
from rich.console import Console

from kwsuite.analysis import find, read_frames
from kwsuite.analysis.story import takeaways
from kwsuite.analysis.terminal import WIDE, summary
from tests.analysis.making import gate_record, write_log

PASS = {"m1": "met", "m2": "met", "g1": "met"}
FAIL = {"m1": "met", "m2": "not_met", "g1": "met"}


def write(folder: Path, passed: Mapping[str, str], **metadata: Any) -> Path:
    """One log a model; its word has `1` for each item passed, `0` failed, `?` unscored, `n` and `N` for neighbours."""
    for number, (model, word) in enumerate(passed.items()):
        samples, scores = {}, {}
        for place, letter in enumerate(word):
            samples[f"i{place:02d}"] = {"polarity": "neighbour" if letter in "nN" else "positive"}
            verdicts = PASS if letter in "1n" else FAIL if letter in "0N" else PASS | {"m1": "unscored:refusal"}
            scores[f"i{place:02d}", 1] = gate_record(verdicts, **metadata)
        write_log(folder, model, scores, samples, number=number)
    return folder


def said(folder: Path, **options: Any) -> str:
    return "\n".join(takeaways(find(read_frames(folder), **options)[0]))


def cautions(folder: Path) -> dict[str, str]:
    return {caution.title: caution.text for caution in find(read_frames(folder))[0].cautions}


def printed(folder: Path, width: int) -> str:
    console = Console(width=width, record=True, file=(folder / "out.txt").open("w", encoding="utf-8"))
    frames = read_frames(folder)
    console.print(summary(find(frames), frames.left_out, width))
    return console.export_text()


def test_equal_candidates_are_level_and_not_behind_by_nothing(tmp_path: Path) -> None:
    text = said(write(tmp_path, {"x/a": "110", "x/b": "101"}))
    assert "b is level with a on the same 3 items (" in text
    assert "behind" not in text
    assert "chance" not in text


def test_a_runner_up_that_is_better_on_common_items_is_ahead_there(tmp_path: Path) -> None:
    text = said(write(tmp_path, {"x/a": "110?", "x/b": "?001"}))
    assert "b is 50.0 points behind on the same 2 items" in text
    other = tmp_path / "other"
    assert "b is 50.0 points ahead on the same 2 items" in said(write(other, {"x/a": "1?11?0", "x/b": "?01??1"}))


def test_nothing_failed_is_said_so(tmp_path: Path) -> None:
    text = said(write(tmp_path, {"x/a": "11", "x/b": "11"}))
    assert "No criterion of any kind fails." in text
    assert "fails most" not in text


def test_kinds_that_fail_alike_have_no_most_and_least(tmp_path: Path) -> None:
    record = gate_record({"m1": "not_met", "m2": "not_met"})
    write_log(tmp_path, "x/a", {("i1", 1): record}, {"i1": {}})
    assert "all fail alike (100.0% on average)" in said(tmp_path)


def test_kinds_are_those_of_the_candidates_set_against_each_other(tmp_path: Path) -> None:
    text = said(write(tmp_path, {"x/a": "11", "reference/surface": "00"}))
    assert "No criterion of any kind fails." in text


def test_a_reference_candidate_does_not_lead_where_a_model_is(tmp_path: Path) -> None:
    assert said(write(tmp_path, {"x/a": "10", "reference/expert": "11"})).startswith("a passes 50.0% of 2 items")


@pytest.mark.parametrize(
    ("passed", "sentence"),
    [
        ({"x/a": "110", "x/b": "110"}, "; 1 item is passed by nobody, the rest by several."),
        ({"x/a": "110", "x/b": "111"}, "; 1 item is passed by exactly one, the rest by several."),
        ({"x/a": "1100", "x/b": "0011"}, "2 more than the best alone; each is passed by exactly one."),
        ({"x/a": "100", "x/b": "110"}, "; 1 item is passed by exactly one, 1 by nobody."),
        ({"x/a": "11", "x/b": "11"}, "no more than the best alone; each is passed by several."),
        ({"x/a": "00", "x/b": "00"}, "; nobody passes any."),
    ],
)
def test_counts_agree_with_their_nouns(tmp_path: Path, passed: dict[str, str], sentence: str) -> None:
    assert sentence in said(write(tmp_path, passed))


def test_others_that_all_cannot_be_told_apart_are_none_that_can(tmp_path: Path) -> None:
    assert "Neither of the two others can be told apart from a." in said(
        write(tmp_path, {"x/a": "110", "x/b": "100", "x/c": "100"})
    )


def test_what_would_show_is_told_of_the_pairs_that_do_not_differ(tmp_path: Path) -> None:
    words = {"x/a": "1" * 30, "x/b": "1" * 29 + "0", "x/c": "0" * 30, "x/d": "0" * 30}
    findings = find(read_frames(write(tmp_path, words)))[0]
    alike = findings.differences.iloc[0]
    assert alike["detectable"] < 0.2
    assert (
        f"1 of 3 others cannot be told apart from a. With this many items a difference shows from about "
        f"{100 * alike['detectable']:.1f} points." in "\n".join(takeaways(findings))
    )


def test_a_difference_whose_interval_excludes_none_is_not_laid_to_chance(tmp_path: Path) -> None:
    text = said(write(tmp_path, {"x/a": "111", "x/b": "000"}))
    assert "b is 100.0 points behind on the same 3 items" in text
    assert "p = 0.25), too few items to say more." in text
    assert "chance" not in text


def test_cautions_about_one_thing_speak_of_one(tmp_path: Path) -> None:
    found = cautions(write(tmp_path, {"reference/expert": "1?"}))
    assert found["Few items"].startswith("The smallest run has 1 scored item. ")
    assert found["1 of 2 samples unscored"].startswith("It has no verdict, ")
    assert found["Reference candidates"].startswith("reference/expert plays answers ")


def test_shipped_labels_are_named_where_they_judged(tmp_path: Path) -> None:
    assert "Shipped labels" in cautions(write(tmp_path, {"reference/expert": "11"}, grader="reference/labels"))


def test_shipped_labels_are_named_with_their_runs_where_others_were_judged_otherwise(tmp_path: Path) -> None:
    for number, (model, grader) in enumerate([("x/a", "x/judge"), ("x/b", "reference/labels")]):
        write_log(tmp_path, model, {("i1", 1): gate_record(PASS, grader=grader)}, {"i1": {}}, number=number)
    assert cautions(tmp_path)["Shipped labels"].endswith("stand in for a grader on 1 of 2 scored samples, of b.")


def test_a_bound_role_that_nothing_asked_is_no_grader(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.model import ModelConfig

    path = write_log(tmp_path, "x/a", {("i1", 1): gate_record(PASS, grader=None)}, {"i1": {}})
    log = read_eval_log(str(path))
    log.eval.model_roles = {"grader": ModelConfig(model="reference/labels")}
    write_eval_log(log, str(path))
    assert not {"Shipped labels", "Uncalibrated grader"} & set(cautions(tmp_path))
    assert read_frames(tmp_path).runs["grader"].tolist() == [""]


def test_a_scorer_that_does_not_name_its_grader_has_the_bound_one(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log, write_eval_log
    from inspect_ai.model import ModelConfig

    path = write_log(tmp_path, "x/a", {("i1", 1): Score(value=1)}, {"i1": {}}, scorer_name="other")
    log = read_eval_log(str(path))
    log.eval.model_roles = {"grader": ModelConfig(model="x/judge")}
    write_eval_log(log, str(path))
    assert read_frames(tmp_path).runs["grader"].tolist() == ["x/judge"]


NAMES = {"x/a-model-with-a-long-name-2026-11": "11nN?", "x/another": "10nn1", "reference/near_miss": "00NN1"}


@pytest.mark.parametrize("width", [60, 80, 100, WIDE, 160])
def test_no_column_of_the_summary_is_cut_at_any_width(tmp_path: Path, width: int) -> None:
    lines = printed(write(tmp_path, NAMES), width).splitlines()
    table = lines[: next(place for place, line in enumerate(lines) if line.startswith(" •"))]
    heads = " ".join(" ".join(table).split())
    assert all(len(line) <= width for line in lines)
    assert "…" not in heads
    assert "33.3%" in heads
    assert ("tokens" in heads) == ("a sample" in heads)
    assert ("over" in heads) == ("all" in heads.split())
    assert "interval" in heads


def test_a_narrow_terminal_loses_tokens_first_and_names_last(tmp_path: Path) -> None:
    write(tmp_path, NAMES)
    assert "a sample" in printed(tmp_path, 100)
    narrow = printed(tmp_path, 60)
    assert "a sample" not in narrow
    assert "interval" in narrow
    assert "another" in narrow
