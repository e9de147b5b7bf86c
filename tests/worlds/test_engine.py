"""The engine: actions, rules and the record of a run."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_set import load_world_set
from kwsuite.worlds.engine import Run, play
from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.json_values import same
from kwsuite.worlds.state import apply_changes
from kwsuite.worlds.trajectory import Call, Step
from kwsuite.worlds.walks import random_walk

WORLDS = {item.scenario.id: item for item in load_world_set().items}
MOVE = "world/entities/shelf/actions/1"


def last(run: Run) -> Step:
    return run.steps[-1]


def test_sums_are_done_by_the_engine(build: Any) -> None:
    """C85."""
    run = play(build().world, [Call("shelf_move", {"item": "pen", "by": by}) for by in (-30, 5)])
    assert last(run.act(Call("shelf_count", {}))).reply == '{"stock": {"pen": 75, "ink": 3}}'


def test_effects_reach_other_entities_and_are_recorded_as_differences(build: Any) -> None:
    step = last(play(build().world, [Call("shelf_move", {"item": "pen", "by": -2})]))
    assert {change.place: change.value for change in step.changes} == {
        ("shelf", "stock", "pen"): 98,
        ("shelf", "log"): [{"item": "pen", "by": -2}],
        ("till", "moves"): 1,
    }


@pytest.mark.parametrize(
    ("call", "outcome", "reply"),
    [
        (Call("shelf_move", {"item": "ink", "by": -4}), "refused", "Only 3 of ink."),
        (Call("shelf_move", {"item": "cat", "by": 1}), "refused", "Unknown item: cat."),
        (Call("shelf_move", {"item": "ink", "by": "3"}), "malformed", "by: must be an integer, not '3'."),
        (Call("till_ring", {"tier": "bronze"}), "malformed", "tier: must be one of 'gold', 'silver', not 'bronze'."),
        (Call("till_burn", {}), "malformed", "There is no tool till_burn."),
    ],
)
def test_a_refused_or_malformed_call_changes_nothing(build: Any, call: Call, outcome: str, reply: str) -> None:
    """C81, C82."""
    before = Run.start(build().world)
    after = before.act(call)
    assert (last(after).outcome, last(after).reply, after.state) == (outcome, reply, before.state)
    assert last(after).changes == ()


def test_an_action_whose_second_effect_fails_leaves_the_state_as_it_was(build: Any) -> None:
    """C84."""
    world = build(
        {f"{MOVE}/effects/set": {"shelf.stock[item]": "shelf.stock[item] + by", "till.moves": "1 / by"}}
    ).world
    run = play(world, [Call("shelf_move", {"item": "pen", "by": 1})])
    before = (run.state, run.steps)
    with pytest.raises(WorldFault, match="divide by zero") as caught:
        run.act(Call("shelf_move", {"item": "pen", "by": 0}))
    assert (run.state, run.steps) == before
    assert caught.value.at[-1] == "till.moves"


def test_every_effect_of_an_action_sees_the_state_before_it(build: Any) -> None:
    effects = {"set": {"shelf.stock.pen": "shelf.stock.ink", "shelf.stock.ink": "shelf.stock.pen"}}
    run = play(build({f"{MOVE}/effects": effects}).world, [Call("shelf_move", {"item": "pen", "by": 0})])
    assert run.state["shelf"]["stock"] == {"pen": 3, "ink": 100}


def test_an_effect_with_a_condition_happens_only_where_it_holds(build: Any) -> None:
    effects = [{"when": "by > 0", "set": {"till.lamp": "'on'"}}, {"set": {"till.moves": 1}}]
    world = build({f"{MOVE}/effects": effects}).world
    assert play(world, [Call("shelf_move", {"item": "pen", "by": 0})]).state["till"]["lamp"] == "off"
    assert play(world, [Call("shelf_move", {"item": "pen", "by": 1})]).state["till"]["lamp"] == "on"


def test_entries_can_be_removed_and_merged(build: Any) -> None:
    effects = {"remove": "shelf.stock[item]", "merge": {"till": {"moves": "by"}}}
    with pytest.raises(DataError, match="a path goes to a property"):
        build({f"{MOVE}/effects": effects})
    effects = {"remove": "shelf.stock.ink", "merge": {"shelf.stock": {"pen": "by", "cap": 1}}}
    run = play(
        build({f"{MOVE}/effects": effects, f"{MOVE}/reply": "ok"}).world, [Call("shelf_move", {"item": "ink", "by": 4})]
    )
    assert run.state["shelf"]["stock"] == {"pen": 4, "cap": 1}


RULES = [
    "Nothing is told.",
    {"rule": "Low stock lights the lamp.", "when": "shelf.stock.pen < 50", "effects": {"set": {"till.lamp": "'on'"}}},
    {"rule": "The lamp sets the alarm.", "when": "till.lamp == 'on'", "effects": {"set": {"till.alarm": True}}},
]


@pytest.mark.parametrize("rules", [RULES, [RULES[0], RULES[2], RULES[1]]])
def test_rules_fire_until_they_come_to_rest(build: Any, rules: list[Any]) -> None:
    run = play(build({"execution_rules": rules}).world, [Call("shelf_move", {"item": "pen", "by": -60})])
    assert run.state["till"] == {"moves": 1, "alarm": True, "lamp": "on"}
    assert set(last(run).fired) == {2, 3}


def test_a_rule_that_changes_nothing_does_not_fire_again(build: Any) -> None:
    run = play(build({"execution_rules": RULES}).world, [Call("shelf_move", {"item": "pen", "by": -60})] * 1)
    assert last(run.act(Call("shelf_move", {"item": "pen", "by": -1}))).fired == ()


def test_rules_that_never_come_to_rest_are_a_fault(build: Any) -> None:
    rule = {"rule": "x", "when": "till.moves > 0", "effects": {"set": {"till.moves": "till.moves + 1"}}}
    world = build({"execution_rules": [rule]}).world
    with pytest.raises(WorldFault, match="do not come to rest"):
        play(world, [Call("shelf_move", {"item": "pen", "by": 1})])


def test_checks_see_the_start_beside_the_state(build: Any) -> None:
    criterion = {"criterion": "x", "pass_condition": "x", "check": "shelf.stock == initial.shelf.stock"}
    world = build({"evaluation_rubric": [criterion]}).world
    away = play(world, [Call("shelf_move", {"item": "pen", "by": 1})])
    assert (away.met("c1"), away.act(Call("shelf_move", {"item": "pen", "by": -1})).met("c1")) == (False, True)


def test_end_states_are_judged_whatever_was_read_and_in_whatever_order(build: Any) -> None:
    """C93."""
    world = build().world
    one, two = (Call("shelf_move", {"item": "pen", "by": by}) for by in (-3, 1))
    look = Call("shelf_count", {})
    assert play(world, [one, two]).met("c1")
    assert play(world, [look, two, look, one, look]).met("c1")


def test_refused_calls_do_not_count_as_called(build: Any) -> None:
    criterion = {"criterion": "x", "pass_condition": "x", "check": "called('shelf_move')"}
    world = build({"evaluation_rubric": [criterion]}).world
    assert not play(world, [Call("shelf_move", {"item": "ink", "by": -9})]).met("c1")


WALKS = st.tuples(st.sampled_from(sorted(WORLDS)), st.integers(0, 10**6), st.integers(1, 40))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WALKS)
def test_a_state_equals_the_replay_of_its_own_trajectory(walk: tuple[str, int, int]) -> None:
    name, seed, length = walk
    world = WORLDS[name].world
    *_, run = random_walk(world, seed, length)
    assert same(play(world, [step.call for step in run.steps]).state, run.state)
    replayed = world.initial
    for step in run.steps:
        replayed = apply_changes(replayed, step.changes)
    assert same(replayed, run.state)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(WALKS)
def test_only_accepted_actions_with_effects_change_the_state(walk: tuple[str, int, int]) -> None:
    name, seed, length = walk
    world = WORLDS[name].world
    before = world.initial
    for run in random_walk(world, seed, length):
        if last(run).outcome != "done" or world.actions[last(run).call.tool].read_only:
            assert run.state is before
        before = run.state
