"""`kwsuite check` of several places, of folders that mix benchmarks, and of items that nothing proves."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from kwsuite.audit.sorting import sort_items
from kwsuite.cli import main
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import run, says, verdicts, write_item
from tests.spotting_memo import write_memo


def call(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def lines(done: Result) -> list[str]:
    return [line.partition(" (")[0] for line in done.output.splitlines()]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """An item of each benchmark in one folder, with notes and a hidden folder beside them."""
    folder = tmp_path / "mixed"
    for kind, name in (("kwbench", "my-item"), ("world", "my-world"), ("spotting", "my-memo"), ("gated", "my-fees")):
        assert call("new", kind, name, "--folder", folder).exit_code == 0
    (folder / "notes.md").write_text("Notes.\n", encoding="utf-8")
    (folder / ".git").mkdir()
    return folder


def test_a_folder_that_mixes_benchmarks_is_checked_for_all_of_them(mixed: Path) -> None:
    done = call("check", mixed)
    assert lines(done) == [
        "kwbench: 0 findings", "implicit_worlds: 0 findings", "problem_spotting: 0 findings",
        "knowledge_gated: 0 findings",
    ]  # fmt: skip
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("my-item/task.yaml", "[schema]"),
        ("my-world.yaml", "my-world.yaml:"),
        ("my-memo.yaml", "my-memo.yaml:"),
        ("my-fees/task.yaml", "my-fees"),
    ],
)
def test_a_fault_in_a_mixed_folder_is_found_whichever_benchmark_it_is_of(mixed: Path, file: str, told: str) -> None:
    with (mixed / file).open("a", encoding="utf-8") as text:
        text.write("mandatroy: true\n")
    done = call("check", mixed)
    assert done.exit_code == 1
    assert "mandatroy" in done.output.splitlines()[-1]
    assert told in done.output.splitlines()[-1]


def test_a_file_of_no_benchmark_in_a_mixed_folder_is_told_as_a_broken_document(mixed: Path) -> None:
    (mixed / "other.yaml").write_text("titel: x\n", encoding="utf-8")
    done = call("check", mixed)
    assert done.exit_code == 1
    assert "other.yaml:1:1:" in done.output


def test_logs_beside_items_hide_nothing(tmp_path: Path) -> None:
    item = write_item(tmp_path, catgory="x")
    log = run(
        kwbench(dataset=str(write_item(tmp_path / "sound"))), says("memo"), verdicts({}), log_dir=str(tmp_path / "logs")
    )
    Path(log.location).rename(item.parent / Path(log.location).name)
    (tmp_path / "logs").rmdir()
    assert lines(call("check", tmp_path))[:2] == ["kwbench: 1 finding", "logs: 0 findings"]


def test_a_pipe_named_like_a_log_is_not_waited_for(tmp_path: Path) -> None:
    write_item(tmp_path)
    os.mkfifo(tmp_path / "x.eval")
    assert lines(call("check", tmp_path)) == ["kwbench: 0 findings"]


def test_several_paths_are_checked_and_counted_together(tmp_path: Path, mixed: Path) -> None:
    broken = write_item(tmp_path, task="Write the memo, but be careful.")
    done = call("check", mixed / "my-item", broken, mixed / "my-world.yaml", broken)
    assert lines(done)[:2] == ["kwbench: 1 finding", "implicit_worlds: 0 findings"]
    assert done.exit_code == 1
    found = json.loads(call("check", mixed / "my-item", broken, "--json").output)
    assert [one["item"] for one in found] == ["item-a"]


def test_a_neighbour_finds_its_sibling_among_the_paths(tmp_path: Path) -> None:
    sibling = write_item(tmp_path / "one")
    neighbour = write_item(tmp_path / "two", "item-b", polarity="neighbour", neighbour_of="item-a")
    assert call("check", neighbour).exit_code == 1
    assert call("check", neighbour, sibling).exit_code == 0


def test_a_benchmark_that_is_named_takes_the_folder_as_its_task_would(mixed: Path) -> None:
    done = call("check", mixed, "--benchmark", "problem_spotting")
    assert lines(done)[0].startswith("problem_spotting: ")
    assert "my-world.yaml:" in done.output


def test_a_folder_of_one_benchmark_stays_whole(tmp_path: Path) -> None:
    write_memo(tmp_path)
    assert sort_items(tmp_path) == {"problem_spotting": [tmp_path]}


def test_items_without_answers_pass_and_are_counted_as_not_proved(tmp_path: Path) -> None:
    for name in ("item-a", "item-b", "item-c"):
        write_item(tmp_path, name)
    done = call("check", tmp_path)
    assert done.exit_code == 0
    assert "Not proved: 3 of 3 items without labelled answers: pass and fail were not tried." in done.output


def test_answers_without_labels_are_not_proved_either(tmp_path: Path) -> None:
    item = write_item(tmp_path)
    (item / "answers").mkdir(exist_ok=True)
    (item / "answers" / "expert.md").write_text("The memo.\n", encoding="utf-8")
    assert "1 of 1 item without labelled answers" in call("check", item).output


def test_published_rows_are_told_as_not_proved(tmp_path: Path) -> None:
    row = {"id": "kw_1", "task": "Write.", "rubric": {"mandatory": ["Is it written?"]}}
    (tmp_path / "dataset.jsonl").write_text(json.dumps(row), encoding="utf-8")
    done = call("check", tmp_path)
    assert (done.exit_code, "published rows have no answers" in done.output) == (0, True), done.output


def test_documents_without_reference_answers_are_told_as_not_proved(tmp_path: Path) -> None:
    done = call("check", write_memo(tmp_path))
    assert done.exit_code == 0
    assert "Not proved: 1 of 1 document without reference answers" in done.output


def test_a_scenario_without_reference_runs_is_a_finding(mixed: Path) -> None:
    file = mixed / "my-world.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text[: text.index("\nreference:")] + "\n", encoding="utf-8")
    done = call("check", file)
    assert done.exit_code == 1
    assert "cannot be proved by the engine: it has no reference runs" in done.output


def test_what_ships_is_proved_whole() -> None:
    done = call("check", "--benchmark", "kwbench")
    assert (done.exit_code, "Not proved" in done.output) == (0, False)
