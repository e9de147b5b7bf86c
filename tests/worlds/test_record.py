"""A run can be rebuilt from what a log keeps of it, and what it keeps is small."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.worlds.conftest import Build

from kwsuite.datasets.world_set import load_world_set
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.engine import Run, play
from kwsuite.worlds.record import rebuilt_run, step_record
from kwsuite.worlds.state import Change, State
from kwsuite.worlds.trajectory import Call, Step
from kwsuite.worlds.walks import random_walk

ITEMS = {item.scenario.id: item for item in load_world_set().items}


def recorded(runs: list[Run]) -> Any:
    """The records of a run, given as the runs after each step, through JSON and back."""
    records = [step_record(after.steps[-1], before.state) for before, after in pairwise(runs)]
    return json.loads(json.dumps(records))


@pytest.mark.parametrize("name", sorted(ITEMS))
@pytest.mark.parametrize("seed", range(3))
def test_a_run_is_rebuilt_from_its_records(name: str, seed: int) -> None:
    world = ITEMS[name].world
    runs = [Run.start(world), *random_walk(world, seed, 60)]
    rebuilt = rebuilt_run(world, recorded(runs))
    assert rebuilt.state == runs[-1].state
    assert rebuilt.steps == runs[-1].steps
    assert [rebuilt.met(criterion) for criterion in world.checks] == [runs[-1].met(c) for c in world.checks]


def test_no_records_are_a_run_that_has_not_begun(build: Build) -> None:
    world = build().world
    assert rebuilt_run(world, []) == Run.start(world)


_items = st.lists(st.one_of(st.integers(0, 3), st.booleans(), st.just({"a": 1})), max_size=6)


@given(old=_items, new=_items)
@settings(max_examples=300)
def test_any_change_of_a_list_is_kept_exactly(old: list[Any], new: list[Any]) -> None:
    item = ITEMS["ir_move_review"]
    before: State = {**item.world.initial, "x": {"list": old}}
    step = Step(Call("t", {}), "done", "ok", (Change(("x", "list"), new),))
    record = json.loads(json.dumps(step_record(step, before)))
    world = type(item.world)(**{**vars(item.world), "initial": before})
    assert rebuilt_run(world, [record]).state["x"]["list"] == new


def test_an_item_appended_to_a_long_list_costs_only_itself(build: Build) -> None:
    """C67."""
    item: WorldItem = build({"world/entities/shelf/state/log": [{"item": "pen", "by": n} for n in range(5000)]})
    runs = [Run.start(item.world), play(item.world, [Call("shelf_move", {"item": "pen", "by": -2})])]
    assert len(json.dumps(recorded(runs))) < 500
