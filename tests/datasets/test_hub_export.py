"""Items written for the Hub, and read back by the two who run them."""

import json
from pathlib import Path
from typing import Any

import huggingface_hub
import pytest
from inspect_ai import eval as inspect_eval

# Only the loader itself can say that Inspect accepts our eval.yaml, and it has no public name.
from inspect_ai._eval.task import hf
from inspect_ai.dataset import MemoryDataset

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.hub_export import export_hub
from kwsuite.datasets.item_set import load_items
from tests.scripted import says, write_item


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    write_item(tmp_path / "items", "item-a")
    write_item(tmp_path / "items", "item-b", polarity="neighbour", neighbour_of="item-a")
    export_hub(tmp_path / "hub", str(tmp_path / "items"))
    return tmp_path / "hub"


def test_what_is_written_loads_as_the_same_items(tmp_path: Path, exported: Path) -> None:
    before, after = load_items(str(tmp_path / "items")), load_items(str(exported))
    for one, two in zip(before.items, after.items, strict=True):
        assert two.item.to_rubric() == one.item.to_rubric()
        assert (two.item.id, two.item.task, two.item.polarity) == (one.item.id, one.item.task, one.item.polarity)
        assert [part.text.strip() for part in two.material] == [part.text.strip() for part in one.material]


def test_inspect_alone_runs_it_from_its_eval_yaml(exported: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def rows(path: str, split: str, name: str, sample_fields: Any, **_: Any) -> MemoryDataset:
        assert (split, name) == ("test", "default")
        lines = (exported / "inspect" / "test.jsonl").read_text(encoding="utf-8").splitlines()
        return MemoryDataset([sample_fields(json.loads(line)) for line in lines])

    def download(filename: str, **_: Any) -> str:
        return str(exported / filename)

    monkeypatch.setattr(huggingface_hub, "hf_hub_download", download)
    monkeypatch.setattr(hf, "hf_dataset", rows)
    (task,) = hf.task_create_from_hf("hf/owner/name")
    log = inspect_eval(
        task,
        model=says("A memo.").model,
        model_roles={"grader": says("1 is met.\n2 is not.\nGRADE: I").model},
        display="none",
    )[0]
    assert log.status == "success"
    assert log.samples
    assert [(sample.scores or {})["model_graded_qa"].value for sample in log.samples] == ["I"]


def test_the_mean_that_inspect_makes_alone_mixes_no_neighbours_in(exported: Path) -> None:
    lines = (exported / "inspect" / "test.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ["item-a"]
    assert "on the items with a problem to see (1)." in " ".join((exported / "README.md").read_text("utf-8").split())


def test_a_set_of_neighbours_alone_is_not_exported(tmp_path: Path) -> None:
    write_item(tmp_path / "items", "item-b", polarity="neighbour", neighbour_of="item-a")
    with pytest.raises(DataError, match="holds no positive items"):
        export_hub(tmp_path / "hub", str(tmp_path / "items"))
    assert not (tmp_path / "hub").exists()


def test_answers_and_labels_stay_behind(exported: Path) -> None:
    top = {path.name for path in exported.iterdir()}
    assert top <= {"README.md", "eval.yaml", "dataset.jsonl", "inspect", "reference_files"}


def test_a_folder_that_holds_something_is_left_alone(exported: Path) -> None:
    with pytest.raises(DataError, match="holds files already"):
        export_hub(exported)
