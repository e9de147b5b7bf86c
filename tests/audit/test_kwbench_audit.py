"""`kwsuite check` for kwbench items: each fault is found and points at its place."""

import json
import os
import shutil
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from kwsuite.audit.kwbench import kwbench_findings
from kwsuite.cli import main
from kwsuite.datasets.item_set import bundled_folder
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import run, says, verdicts, write_item


def messages(folder: Path, **options: bool) -> list[str]:
    return [str(finding).replace(f"{folder}/", "") for finding in kwbench_findings(folder, **options)]


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """One bundled positive, copied so that it can be broken."""
    name = next(path.name for path in sorted(bundled_folder().iterdir()) if path.is_dir())
    shutil.copytree(bundled_folder() / name, tmp_path / name)
    return tmp_path / name


def relabel(item: Path, answer: str, criterion: str, state: str) -> None:
    path = item / "labels" / "final.yaml"
    labels = yaml.safe_load(path.read_text(encoding="utf-8"))
    labels[answer][criterion]["state"] = state
    path.write_text(yaml.safe_dump(labels, allow_unicode=True), encoding="utf-8")


def test_everything_that_ships_is_clean() -> None:
    assert kwbench_findings(bundled_folder(), complete=True) == []


def test_an_expert_that_misses_a_mandatory_criterion_is_found(shipped: Path) -> None:
    relabel(shipped, "expert", "m1", "not_met")
    assert messages(shipped.parent) == [
        f"{shipped.name}/labels/final.yaml: item {shipped.name}: [proof] declared: the expert answer passes the gate, "
        "but its labels miss m1."
    ]


def test_a_surface_answer_that_passes_is_found(shipped: Path) -> None:
    for criterion in ("m1", "m2", "m3", "m4", "m5"):
        relabel(shipped, "surface", criterion, "met")
    assert (
        "declared: the surface answer fails the gate, but its labels miss no mandatory criterion."
        in messages(shipped)[0]
    )


def test_a_near_miss_that_misses_more_is_found(shipped: Path) -> None:
    for criterion in ("m1", "m2"):
        relabel(shipped, "near_miss", criterion, "not_met")
    assert "declared: the near_miss answer fails exactly one mandatory criterion, but" in messages(shipped)[0]


def test_a_missing_label_is_found(shipped: Path) -> None:
    path = shipped / "labels" / "final.yaml"
    labels = yaml.safe_load(path.read_text(encoding="utf-8"))
    del labels["cold"]["g2"]
    path.write_text(yaml.safe_dump(labels, allow_unicode=True), encoding="utf-8")
    assert "[labels] cold: no label for g2. Add one each." in messages(shipped)[0]


def test_a_label_for_no_criterion_is_found(shipped: Path) -> None:
    path = shipped / "labels" / "final.yaml"
    labels = yaml.safe_load(path.read_text(encoding="utf-8"))
    labels["cold"]["g9"] = {"state": "met", "why": "x"}
    path.write_text(yaml.safe_dump(labels, allow_unicode=True), encoding="utf-8")
    assert "[labels] cold: no such criterion: g9." in messages(shipped)[0]


def test_a_label_in_another_word_is_refused_with_its_line(shipped: Path) -> None:
    relabel(shipped, "cold", "m1", "mostly")
    assert "final.yaml:" in messages(shipped)[0]
    assert "Input should be 'met' or 'not_met'" in messages(shipped)[0]


def test_a_missing_answer_is_found_in_what_ships(shipped: Path) -> None:
    (shipped / "answers" / "cold.md").unlink()
    assert any("the cold answer is missing. Write it." in message for message in messages(shipped, complete=True))


def test_a_users_item_without_answers_is_clean(tmp_path: Path) -> None:
    assert messages(write_item(tmp_path)) == []


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("This is a red flag.", "red flag"),
        ("Their incentives differ.", "incentive"),
        ("A STRATEGIC matter.", "strategic"),
        ("He was misled.", "mislead"),
        ("The winner's curse.", "winner's curse"),
        ("A mechanism design question.", "mechanism design"),
        ("The interdependence of the two.", "strategic interdependence"),
    ],
)
def test_a_hint_in_the_material_is_found_at_its_line(tmp_path: Path, text: str, word: str) -> None:
    item = write_item(tmp_path)
    (item / "reference_files" / "note.md").write_text(f"one\ntwo\n{text}\n", encoding="utf-8")
    found = messages(item)
    assert len(found) == 1
    assert found[0].startswith("reference_files/note.md:3: item item-a: [purity] ")
    assert f"({word}) stands in the material" in found[0]


def test_a_hint_in_the_task_or_a_file_name_is_found(tmp_path: Path) -> None:
    item = write_item(tmp_path, task="Write the memo and beware of the price.")
    assert "(beware) stands in the task" in messages(item)[0]
    named = write_item(tmp_path, "item-b", reference_files=["reference_files/hidden-costs.md"])
    (named / "reference_files" / "hidden-costs.md").write_text("Plain.\n", encoding="utf-8")
    assert "(hidden) stands in a file name" in messages(named)[0]


def test_an_items_own_hidden_word_in_its_task_is_found(tmp_path: Path) -> None:
    assert "against the item's own hidden_words" in messages(write_item(tmp_path, hidden_words=["price"]))[0]


def test_words_that_only_contain_a_hint_are_clean(tmp_path: Path) -> None:
    item = write_item(tmp_path)
    (item / "reference_files" / "note.md").write_text("Signalman, motivation, mantrap, gamekeeper.\n", encoding="utf-8")
    assert messages(item) == []


def test_a_neighbour_whose_sibling_is_not_there_is_found(tmp_path: Path) -> None:
    item = write_item(tmp_path, polarity="neighbour", neighbour_of="gone")
    assert "neighbour_of names 'gone', which is no positive item here." in messages(item)[0]


def test_the_command_prints_findings_and_fails(tmp_path: Path) -> None:
    item = write_item(tmp_path, task="Write the memo, but be careful.")
    done = CliRunner().invoke(main, ["check", str(item)])
    assert done.exit_code == 1
    assert done.output.startswith("kwbench: 1 finding (")
    assert "(careful) stands in the task" in done.output


def test_the_command_prints_json_for_machines(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["check", str(write_item(tmp_path, catgory="x")), "--json"])
    assert done.exit_code == 1
    assert json.loads(done.output)[0]["check"] == "schema"


def test_the_command_is_silent_but_for_a_count_on_clean_data(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["check", str(write_item(tmp_path))])
    assert (done.exit_code, done.output.count("\n")) == (0, 1)


def test_the_command_checks_logs_and_finds_nothing_in_a_sound_one(tmp_path: Path) -> None:
    log = run(kwbench(dataset=str(write_item(tmp_path))), says("memo"), verdicts({}), log_dir=str(tmp_path / "logs"))
    assert log.status == "success"
    done = CliRunner().invoke(main, ["check", str(tmp_path / "logs")])
    assert (done.exit_code, done.output[:17]) == (0, "logs: 0 findings ")


def test_published_rows_are_checked_where_they_stand(tmp_path: Path) -> None:
    rows = tmp_path / "dataset.jsonl"
    rows.write_text('{"id": "kw_1", "task": "Write."}\n', encoding="utf-8")
    assert [place.split(" ")[0] for place in messages(tmp_path)] == ["dataset.jsonl:1:1:"]
    assert kwbench_findings(rows) == kwbench_findings(tmp_path)


def test_a_file_that_is_no_dataset_is_a_finding_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("hi", encoding="utf-8")
    done = CliRunner().invoke(main, ["check", str(tmp_path / "a.txt")])
    assert (done.exit_code, done.exception.__class__) == (1, SystemExit)
    assert "not a dataset. Give a .jsonl file" in done.output


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.yaml")
    alone = CliRunner().invoke(main, ["check", str(tmp_path / "x.yaml")])
    assert "is a device, pipe or socket" in alone.output
    inside = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert "holds no items" in inside.output


def test_a_missing_reference_file_is_placed_in_the_file_that_names_it_once(shipped: Path) -> None:
    gone = next((shipped / "reference_files").iterdir())
    gone.unlink()
    (found,) = messages(shipped.parent)
    place = f"{shipped.name}/task.yaml: item {shipped.name}: [schema] reference file"
    assert found.startswith(f"{place} 'reference_files/{gone.name}': not found")
