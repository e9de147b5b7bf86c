"""Starting a scenario of one's own, and checking it from the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval as inspect_eval

from kwsuite.cli import main
from kwsuite.datasets.world_format import Scenario
from kwsuite.tasks.implicit_worlds import implicit_worlds
from tests.world_shop import write_world


def call(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def written(tmp_path: Path) -> Path:
    assert call("new", "world", "my_world", "--folder", tmp_path / "mine").exit_code == 0
    return tmp_path / "mine" / "my_world.yaml"


def test_a_new_world_passes_the_check(written: Path) -> None:
    for path in (written, written.parent):
        done = call("check", path)
        assert (done.exit_code, done.output.splitlines()[0][:27]) == (0, "implicit_worlds: 0 findings"), done.output


@pytest.mark.parametrize(("name", "passed"), [("expert", 1.0), ("surface", 0.0), ("null", 0.0)])
def test_a_new_world_runs(written: Path, name: str, passed: float) -> None:
    task = implicit_worlds(dataset=str(written))
    log = inspect_eval(task, model=f"reference/{name}", display="none", log_realtime=False)[0]
    assert log.samples is not None
    assert (log.samples[0].scores or {})["all_pass"].as_dict()["all_pass"] == passed


def test_a_world_is_never_overwritten(written: Path) -> None:
    before = written.read_text(encoding="utf-8")
    done = call("new", "world", "my_world", "--folder", written.parent)
    assert (done.exit_code, written.read_text(encoding="utf-8")) == (1, before)
    assert "is there already. Choose another name" in done.output


@pytest.mark.parametrize("name", ["My World", "../x", "", "_x"])
def test_a_name_that_is_no_id_is_refused(tmp_path: Path, name: str) -> None:
    done = call("new", "world", "--folder", tmp_path, "--", name)
    assert done.exit_code == 1
    assert "is no id: use small letters" in done.output
    assert not list(tmp_path.iterdir())


def test_a_fault_is_told_with_its_line(written: Path) -> None:
    text = written.read_text(encoding="utf-8").replace("check: oven.heat == 180", "check: oven.heet == 180")
    written.write_text(text, encoding="utf-8")
    done = call("check", written)
    line = text.splitlines().index("    check: oven.heet == 180") + 1
    assert done.exit_code == 1
    assert f"{written}:{line}:5: item my_world: [proof]" in done.output


def test_every_fault_of_the_format_is_told(tmp_path: Path) -> None:
    """C71, C78."""
    file = write_world(tmp_path)
    file.write_text(file.read_text(encoding="utf-8") + "user_promt: x\nmandatroy: true\n", encoding="utf-8")
    done = call("check", file, "--json")
    found = json.loads(done.output)
    assert done.exit_code == 1
    assert [entry["check"] for entry in found] == ["schema", "schema"]
    assert "Did you mean 'user_prompt'?" in found[0]["message"]


def test_the_json_schema_of_a_scenario_is_printed() -> None:
    assert json.loads(call("schema", "worlds").output) == Scenario.model_json_schema()
