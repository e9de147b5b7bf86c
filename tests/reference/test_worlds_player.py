"""The reference candidates of simulated worlds, and the engine in the part of the world model."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessageUser, GenerateConfig, get_model

from kwsuite.datasets.world_sample import STEPS_KEY
from kwsuite.datasets.world_set import load_world_set
from kwsuite.reference.prompt import read_prompt
from kwsuite.reference.worlds_player import play_world
from kwsuite.solvers.world_prompt import world_messages
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.worlds.trajectory import Call
from tests.world_shop import write_world

SCRIPTS = {
    "reference": {
        "expert": ["shelf_count", {"shelf_move": {"item": "pen", "by": -2}}],
        "surface": [{"shelf_move": {"item": "ink", "by": -2}}],
    }
}


def play(name: str, folder: Path, changes: Any = None) -> EvalLog:
    task = implicit_worlds(dataset=str(write_world(folder, changes)))
    return inspect_eval(task, model=f"reference/{name}", display="none", log_realtime=False)[0]


def test_a_reference_candidate_makes_its_calls_one_by_one_through_the_tools(tmp_path: Path) -> None:
    log = play("expert", tmp_path, SCRIPTS)
    assert log.samples is not None
    sample = log.samples[0]
    assert [step["tool"] for step in sample.store[STEPS_KEY]] == ["shelf_count", "shelf_move"]
    assert [message.role for message in sample.messages] == [
        *("system", "user", "assistant", "tool", "assistant", "tool", "assistant")
    ]


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("near_miss", SCRIPTS, "simulated worlds have no reference/near_miss; choose one of reference/expert"),
        ("expert", None, "shop: has no reference runs. Add reference: to it."),
        ("labels", SCRIPTS, "reference/labels"),
        ("engine", SCRIPTS, "reference/engine was asked to play a candidate, which it is not."),
    ],
)
def test_a_part_that_cannot_be_played_says_why(tmp_path: Path, name: str, changes: Any, message: str) -> None:
    log = play(name, tmp_path, changes)
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert message in log.samples[0].error.message


def test_a_null_candidate_needs_no_reference_runs(tmp_path: Path) -> None:
    assert play("null", tmp_path).status == "success"


def test_worlds_are_not_graded_with_labels(tmp_path: Path) -> None:
    prose = {"evaluation_rubric": [{"criterion": "Sold.", "pass_condition": "Sold."}]}
    task = implicit_worlds(dataset=str(write_world(tmp_path, SCRIPTS | prose)))
    log = inspect_eval(
        task,
        model="reference/expert",
        model_roles={"grader": get_model("reference/labels")},
        display="none",
        log_realtime=False,
    )[0]
    assert log.samples is not None
    metadata = (log.samples[0].scores or {})["all_pass"].metadata
    assert metadata is not None
    assert metadata["verdicts"] == {"c1": "unscored:grader_error"}
    assert "scenarios ship no labels" in metadata["criteria"][0]["rationale"]


@pytest.mark.parametrize(
    ("call", "success", "changes"),
    [
        (Call("shelf_count", {}), True, {}),
        (Call("shelf_move", {"item": "cup", "by": 1}), False, {}),
        (Call("till_ring", {"tier": None}), True, {"till": {"alarm": True}}),
    ],
)
def test_the_engine_answers_as_a_world_model_would(tmp_path: Path, call: Call, success: bool, changes: Any) -> None:
    from kwsuite.reference.loaded_worlds import remember_worlds

    worlds = load_world_set(str(write_world(tmp_path)))
    remember_worlds(worlds)
    messages = list(world_messages(worlds.items[0], worlds.items[0].world.initial, call))
    reply = json.loads(play_world(read_prompt("engine", messages, ())).completion)
    assert (reply["success"], reply["state_changes"]) == (success, changes)


def test_a_benchmark_without_a_player_is_refused() -> None:
    from kwsuite.reference.provider import ReferenceAPI

    api = ReferenceAPI("expert")
    asked = ChatMessageUser(content="Hi.", metadata={"kwsuite": {"benchmark": "chess", "item": "x"}})
    with pytest.raises(ValueError, match="does not play 'chess'"):
        asyncio.run(api.generate([asked], [], "auto", GenerateConfig()))
