"""Starting a kwbench item of one's own, and checking it from the command line."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval as inspect_eval
from inspect_ai.model import get_model

from kwsuite.cli import main
from kwsuite.datasets.kwbench import Framing
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import score_of


def call(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def written(tmp_path: Path) -> Path:
    done = call("new", "kwbench", "my-item", "--folder", tmp_path / "mine")
    assert done.exit_code == 0, done.output
    return tmp_path / "mine" / "my-item"


def test_a_new_item_passes_the_check_which_says_what_others_must_still_write(written: Path) -> None:
    for path in (written, written.parent):
        done = call("check", path)
        assert (done.exit_code, done.output.count("\n")) == (0, 1), done.output
        assert done.output.startswith("kwbench: 0 findings (")
        assert done.output.endswith(
            " Not proved: no labelled cold answer in 1 of 1 item; no second labelling (labels/blind.yaml) in 1 of 1 "
            "item.\n"
        )


@pytest.mark.parametrize(
    ("name", "gate", "mandatory"), [("expert", 1, 1), ("surface", 0, 0.25), ("null", 0, 0.25), ("near_miss", 0, 0.75)]
)
def test_a_new_item_runs(written: Path, name: str, gate: float, mandatory: float) -> None:
    grader = get_model("reference/labels")
    task = kwbench(dataset=str(written))
    options: Any = {"display": "none", "log_realtime": False, "log_dir": str(written.parent / "logs")}
    log = inspect_eval(task, model=f"reference/{name}", model_roles={"grader": grader}, **options)[0]
    assert log.samples is not None
    found = score_of(log.samples[0], "conjunctive_gate").as_dict()
    assert (found["gate"], found["mandatory"], found["graded"]) == (gate, mandatory, 1.0)


@pytest.mark.parametrize("framing", ["hinted", "specified"])
def test_a_new_item_has_its_framings_and_the_question_for_the_concept(written: Path, framing: Framing) -> None:
    sample = kwbench(dataset=str(written), framing=framing).dataset[0]
    assert sample.metadata is not None
    assert len(sample.metadata["framing_sentence"]) > 10
    assert "concept: " in (written / "task.yaml").read_text(encoding="utf-8")


def test_an_item_is_never_overwritten(written: Path) -> None:
    (written / "task.yaml").write_text("mine", encoding="utf-8")
    done = call("new", "kwbench", "my-item", "--folder", written.parent)
    assert (done.exit_code, (written / "task.yaml").read_text(encoding="utf-8")) == (1, "mine")
    assert "is there already. Choose another name" in done.output


@pytest.mark.parametrize("name", ["My Item", "../x", "", "_x", "a/b"])
def test_a_name_that_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    done = call("new", "kwbench", "--folder", tmp_path, "--", name)
    assert done.exit_code == 1
    assert "is no id: use small letters" in done.output
    assert not list(tmp_path.iterdir())
