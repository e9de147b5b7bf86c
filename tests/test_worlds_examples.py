"""The worked examples of the docs: agents of other makes, run for real."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from inspect_ai.agent import as_solver

from kwsuite.tasks.implicit_worlds import implicit_worlds
from tests.scripted import acts, run_one, score_of
from tests.world_shop import write_world

ROOT = Path(__file__).parents[1]
TAKE: dict[str, Any] = {"item": "pen", "by": -1}


@pytest.fixture
def examples() -> ModuleType:
    spec = importlib.util.spec_from_file_location("worlds_agents", ROOT / "docs" / "examples" / "worlds_agents.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def meta(sample: Any) -> dict[str, Any]:
    metadata = score_of(sample, "all_pass").metadata
    assert metadata is not None
    return metadata


def test_the_planner_of_the_docs_acts_in_the_world(tmp_path: Path, examples: ModuleType) -> None:
    agent = acts(("shelf_move", TAKE), ("shelf_move", TAKE), "Sold.")
    sample = run_one(implicit_worlds(dataset=str(write_world(tmp_path))), agent, solver=as_solver(examples.planner()))
    assert (meta(sample)["verdicts"], meta(sample)["stop"]) == ({"c1": "met"}, "submitted")


def test_the_command_line_agent_of_the_docs_reaches_the_world_from_a_sandbox(
    tmp_path: Path, examples: ModuleType
) -> None:
    pytest.importorskip("openai", reason="Inspect's bridge needs its types")
    program = tmp_path / "my-agent"
    fixture = ROOT / "tests" / "fixtures" / "command_line_agent.py"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} {fixture} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    agent = acts(("mcp__world__shelf_move", TAKE), ("mcp__world__shelf_move", TAKE), "Sold.")
    task = implicit_worlds(dataset=str(write_world(tmp_path)))
    solver = as_solver(examples.command_line_agent(command=str(program)))
    sample = run_one(task, agent, solver=solver, sandbox="local")
    assert (meta(sample)["verdicts"], meta(sample)["steps"], meta(sample)["stop"]) == ({"c1": "met"}, 2, "submitted")
