"""Authored folders, published rows, and the message a user sees for each kind of broken file."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from kwsuite.datasets.answers import ANSWERS, read_answer, read_labels
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.item_set import bundled_folder, load_items, read_item
from kwsuite.datasets.kwbench_sample import kwbench_dataset
from tests.scripted import write_item

ROW: dict[str, Any] = {
    "id": "kw_001",
    "task": "Write the memo.",
    "config": {"enable_search": True, "enable_bash": False, "enable_code": False},
    "rubric": {"mandatory": ["A?", "B?", "C?", "D?", "E?", "F?"], "good_to_have": ["G?"], "ideal": []},
    "reference_files": None,
    "ground_truth": "Because.",
    "category": "Strategic Planning",
    "subcategory": "pricing",
    "intent": "to test",
    "metadata": {"key_insight": "k"},
    "output_dir": "out",
    "source": "real",
}


def jsonl(folder: Path, *rows: object) -> Path:
    path = folder / "dataset.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def message_of(folder: Path, dataset: Path | str) -> str:
    with pytest.raises(DataError) as error:
        load_items(str(dataset))
    return str(error.value).replace(str(folder), "")


def test_an_authored_item_becomes_a_sample_with_task_and_material(tmp_path: Path) -> None:
    items = load_items(str(write_item(tmp_path)))
    sample = kwbench_dataset(items)[0]
    assert sample.input[0].text == (  # type: ignore[union-attr]
        "Write the memo on the price.\n\nThe following material is provided.\n\n"
        "===== reference_files/note.md =====\n\nThe price is 40."
    )
    assert sample.target == "The truth is seventeen."


@pytest.mark.parametrize(
    ("framing", "sentence"), [("hinted", "Look at the price."), ("specified", "The price is a lie.")]
)
def test_a_framing_adds_its_sentence_to_the_task(tmp_path: Path, framing: Any, sentence: str) -> None:
    sample = kwbench_dataset(load_items(str(write_item(tmp_path))), framing)[0]
    assert f"on the price.\n\n{sentence}\n\nThe following material" in sample.input[0].text  # type: ignore[union-attr]


def test_a_framing_that_an_item_lacks_is_an_error_that_names_it(tmp_path: Path) -> None:
    items = load_items(str(write_item(tmp_path, framings=None)))
    with pytest.raises(DataError, match="item item-a: has no hinted framing"):
        kwbench_dataset(items, "hinted")


def test_a_published_row_loads_as_published(tmp_path: Path) -> None:
    loaded = load_items(str(jsonl(tmp_path, ROW))).items[0]
    rubric = loaded.item.to_rubric()
    assert [criterion.id for criterion in rubric.criteria] == ["m1", "m2", "m3", "m4", "m5", "m6", "g1"]
    assert rubric.normalise is False
    assert loaded.item.config.enable_search is True
    assert loaded.item.polarity == "positive"


def test_published_reference_files_are_found_in_their_folder(tmp_path: Path) -> None:
    (tmp_path / "reference_files").mkdir()
    (tmp_path / "reference_files" / "a.csv").write_text("name,qty\nA,1\n", encoding="utf-8")
    rows = [{**ROW, "id": "kw_1", "reference_files": ["a.csv"]}]
    rows.append({**ROW, "id": "kw_2", "reference_files": ["reference_files/a.csv"]})
    items = load_items(str(jsonl(tmp_path, *rows)))
    assert [loaded.material[0].name for loaded in items.items] == ["reference_files/a.csv"] * 2


def test_a_field_of_a_published_row_that_we_do_not_know_is_kept_and_said(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="kwsuite")  # an earlier run in this process may have quietened the root
    loaded = load_items(str(jsonl(tmp_path, {**ROW, "difficulty": 3}))).items[0]
    assert loaded.item.metadata == {"key_insight": "k", "unknown_fields": {"difficulty": 3}}
    assert "fields kept as metadata only, for they are not known: difficulty" in caplog.text


def test_a_row_may_hold_unicode_line_separators(tmp_path: Path) -> None:
    row = json.dumps({**ROW, "task": "one\u2028two"}, ensure_ascii=False)
    assert load_items(str(jsonl(tmp_path, row))).items[0].item.task == "one\u2028two"


BROKEN: dict[str, tuple[dict[str, Any], str]] = {
    "misspelt field": (
        {"catgory": "x"},
        "/item-a/task.yaml:21:1: item item-a: catgory: unknown field. Did you mean 'category'?",
    ),
    "no task": ({"task": None}, "/item-a/task.yaml:1:1: item item-a: task: this field is required. Add it."),
    "neighbour of nothing": (
        {"polarity": "neighbour"},
        "/item-a/task.yaml:1:1: item item-a: file: neighbour_of goes with polarity: neighbour, and only with it.",
    ),
    "missing reference file": (
        {"reference_files": ["reference_files/gone.md"]},
        "item item-a",
    ),
    "outside the folder": ({"reference_files": ["../secret.md"]}, "item item-a"),
    "absolute path": ({"reference_files": ["/etc/hostname"]}, "item item-a"),
    "listed twice": (
        {"reference_files": ["reference_files/note.md", "reference_files/note.md"]},
        "item item-a: reference file 'reference_files/note.md': is listed twice. Delete one.",
    ),
    "no mandatory criterion": (
        {"rubric": {"mandatory": [], "ideal": ["I?"]}},
        "item item-a: rubric.mandatory: Tuple should have at least 1 item",
    ),
    "same question twice": (
        {"rubric": {"mandatory": ["A?", "a?"]}},
        "criteria 'm1' and 'm2' ask the same question. Delete one.",
    ),
    "id is not the folder": ({"id": "other"}, "item other: id differs from its folder 'item-a'. Rename one."),
    "number for text": ({"category": 3.5}, "item item-a: category: Input should be a valid string. Quote it: '3.5'."),
}


@pytest.mark.parametrize(("changes", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_item_says_where_and_what_to_do(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    """C37, C76, C78."""
    assert message in message_of(tmp_path, write_item(tmp_path, **changes))


ROWS: dict[str, tuple[list[object], str]] = {
    "no json": (["{not json"], "/dataset.jsonl:1:1: not a JSON row ("),
    "not an object": ([ROW, "[1]"], "/dataset.jsonl:2:1: a row must be a JSON object."),
    "a key twice": (['{"id": "a", "id": "b"}'], "/dataset.jsonl:1:1: not a JSON row (key 'id' stands twice)."),
    "no rubric": (
        [{"id": "kw_9", "task": "t"}],
        "/dataset.jsonl:1:1: item kw_9: rubric: this field is required. Add it.",
    ),
    "one id twice": ([ROW, ROW], "dataset.jsonl: two items have the id 'kw_001'. Rename one."),
    "notes that are no object": (
        [{**ROW, "metadata": "x", "difficulty": 3}],
        "item kw_001: metadata: must be an object. Put it under a key of one.",
    ),
    "outputs under two names": (
        [{**ROW, "outputs": ["a.md"], "artifact_paths": ["b.md"]}],
        "item kw_001: artifact_paths and outputs say the same thing. Delete one.",
    ),
    "nested without end": (["[" * 100_000], "/dataset.jsonl:1:1: not a JSON row ("),
    "no rows": (["", " "], "/dataset.jsonl: holds no rows."),
    "missing file": ([{**ROW, "reference_files": ["gone.md"]}], "item kw_001"),
}


@pytest.mark.parametrize(("rows", "message"), ROWS.values(), ids=ROWS.keys())
def test_a_broken_row_says_where_and_what_to_do(tmp_path: Path, rows: list[object], message: str) -> None:
    assert message in message_of(tmp_path, jsonl(tmp_path, *rows))


def test_a_dataset_that_is_nowhere_names_the_choices(tmp_path: Path) -> None:
    assert message_of(tmp_path, "no-such-thing") == (
        "dataset 'no-such-thing': there is no such file or folder, and it is not a Hub id (owner/name). "
        "Use 'bundled', a path, or a Hub id."
    )


def test_a_folder_without_items_says_what_an_item_is(tmp_path: Path) -> None:
    assert message_of(tmp_path, tmp_path) == ": holds no items. An item is a folder with a task.yaml."


def test_a_file_that_is_no_dataset_says_so(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text("a,b\n", encoding="utf-8")
    assert message_of(tmp_path, path) == (
        "/items.csv: not a dataset. Give a .jsonl file, an item's folder, or a folder of items."
    )


def test_the_digest_of_a_set_changes_with_a_word_of_the_material(tmp_path: Path) -> None:
    item = write_item(tmp_path)
    before = load_items(str(item)).digest()
    (item / "reference_files" / "note.md").write_text("The price is 41.\n", encoding="utf-8")
    assert load_items(str(item)).digest() != before


BUNDLED = sorted(folder.name for folder in bundled_folder().iterdir() if folder.is_dir())


@pytest.mark.parametrize("name", BUNDLED)
def test_every_bundled_item_is_complete(name: str) -> None:
    loaded = read_item(bundled_folder() / name)
    rubric = loaded.item.to_rubric()
    kinds = {criterion.kind for criterion in rubric.tier("mandatory")}
    assert {"extraction", "trap", "action"} <= kinds
    assert 13 <= len(rubric.criteria) <= 17
    assert loaded.folder is not None
    labels = read_labels(loaded.folder)
    for answer in ANSWERS:
        assert read_answer(loaded.folder, answer)
        assert set(labels[answer]) == {criterion.id for criterion in rubric.criteria}


def test_the_bundle_has_four_positives_a_pattern_and_eight_neighbours() -> None:
    items = [loaded.item for loaded in load_items().items]
    positives = [item.category for item in items if item.polarity == "positive"]
    assert {category: positives.count(category) for category in positives} == dict.fromkeys(
        [
            "signalling",
            "principal_agent",
            "mechanism_design",
            "coalitional_dynamics",
            "strategic_interdependence",
            "strategic_omission",
        ],
        4,
    )
    assert sum(item.polarity == "neighbour" for item in items) == 8


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"metadata": nested(400)}, "more than 64 deep"),
        ({"metadata": {"\ud800": 1}}, "half a surrogate pair"),
        ({"task": "a \ud800 b"}, "half a surrogate pair"),
        ({"reference_files": ["a" * 5000 + ".csv"]}, "cannot be read"),
    ],
)
def test_a_row_that_no_log_or_disk_can_hold_is_refused_by_place(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        load_items(str(jsonl(tmp_path, {**ROW, **change})))


def test_a_row_may_nest_its_metadata_as_deep_as_people_do(tmp_path: Path) -> None:
    loaded = load_items(str(jsonl(tmp_path, {**ROW, "metadata": nested(20)}))).items[0]
    assert loaded.item.metadata == nested(20)
