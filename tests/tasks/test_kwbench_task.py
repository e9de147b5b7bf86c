"""The task's arguments, version and viewer."""

import subprocess
import sys
from pathlib import Path

import pytest

from kwsuite.arguments import ArgumentError
from kwsuite.datasets.data_error import DataError
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import run, run_one, says, verdicts, write_item


def test_an_unknown_argument_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ArgumentError, match=r"kwbench has no argument 'framming'\. Did you mean framing\?"):
        kwbench(framming="cold")


def test_an_unknown_argument_without_a_near_name_lists_them_all() -> None:
    with pytest.raises(ArgumentError, match=r"kwbench has no argument 'zzz'\. It takes: dataset, framing, polarity, "):
        kwbench(zzz=1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("framing", "framing is 'x'; choose one of cold, hinted, specified."),
        ("polarity", "polarity is 'x'; choose one of all, positive, neighbour."),
        ("tools", "tools is 'x'; choose one of item, none."),
        ("judge_style", "judge_style is 'x'; choose one of substance, strict."),
        ("judge_sees", "judge_sees is 'x'; choose one of task, ground_truth."),
        ("judge_form", "judge_form is 'x'; choose one of auto, text."),
        ("message_limit", "message_limit is 'x'; it must be a whole number of at least 1."),
        ("votes", "votes is 'x'; it must be a whole number from 1 to 99."),
    ],
)
def test_a_value_that_is_no_choice_names_the_choices(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises((ValueError, ArgumentError), match=message):
        kwbench(dataset=str(write_item(tmp_path)), **{name: "x"})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["allow_unsafe", "judge_all", "judge_cache", "warm", "require_grader"])
def test_a_switch_that_is_neither_true_nor_false_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ArgumentError, match=f"{name} is 'maybe'; it must be true or false"):
        kwbench(dataset=str(write_item(tmp_path)), **{name: "maybe"})  # type: ignore[arg-type]


def test_an_empty_dataset_is_refused_and_not_the_folder_one_stands_in() -> None:
    with pytest.raises(DataError, match="dataset is ''"):
        kwbench(dataset="")


def test_an_unknown_argument_fails_the_command_line_run(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "inspect_ai", "eval", "kwsuite/kwbench", "--model", "reference/expert"]
    done = subprocess.run(
        [*command, "-T", "framming=cold", "--display", "plain"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert "Did you mean framing?" in done.stdout + done.stderr


def test_the_version_changes_with_the_material_and_with_nothing_else(tmp_path: Path) -> None:
    item = write_item(tmp_path)
    before = kwbench(dataset=str(item)).version
    assert kwbench(dataset=str(item), framing="hinted").version == before
    (item / "reference_files" / "note.md").write_text("The price is 41.\n", encoding="utf-8")
    after = kwbench(dataset=str(item)).version
    assert after != before
    assert str(after).startswith("1-A.")


def test_the_judge_sees_the_cold_task_under_every_framing(tmp_path: Path) -> None:
    item = write_item(tmp_path)
    candidate, grader = says("memo"), verdicts({})
    run_one(kwbench(dataset=str(item), framing="specified"), candidate, grader)
    assert "The price is a lie." in candidate.calls[0].prompt
    assert all("The price is a lie." not in call.prompt for call in grader.calls)


def test_the_version_changes_with_the_line_that_the_candidate_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = write_item(tmp_path)
    before = kwbench(dataset=str(item)).version
    monkeypatch.setattr("kwsuite.tasks.kwbench.SYSTEM_LINE", "Be brief.")
    assert kwbench(dataset=str(item)).version != before


def test_the_judge_sees_no_framing_that_ends_in_a_newline(tmp_path: Path) -> None:
    framings = {"hinted": "Look at the price.\n", "specified": "The price is a lie.\n"}
    item = write_item(tmp_path, reference_files=[], framings=framings)
    grader = verdicts({})
    run_one(kwbench(dataset=str(item), framing="specified"), says("memo"), grader)
    assert all("The price is a lie." not in call.prompt for call in grader.calls)


def test_the_log_shows_gate_and_score_as_columns(tmp_path: Path) -> None:
    log = run(kwbench(dataset=str(write_item(tmp_path))), says("memo"), verdicts({}))
    view = log.eval.viewer
    assert view is not None
    samples = view.task_samples_view
    assert samples is not None
    assert not isinstance(samples, list)
    ids = [column.id for column in samples.columns or []]
    assert "score__conjunctive_gate__gate" in ids
    assert "score__conjunctive_gate__score" in ids


def test_a_set_without_the_polarity_asked_for_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"holds no neighbour items\. Use polarity=all\."):
        kwbench(dataset=str(write_item(tmp_path)), polarity="neighbour")
