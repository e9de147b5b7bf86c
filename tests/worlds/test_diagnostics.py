"""Diagnostics from the trajectory."""

from typing import Any

import pytest

from kwsuite.datasets.data_error import DataError
from kwsuite.worlds.diagnostics import diagnose
from kwsuite.worlds.engine import Run, play
from kwsuite.worlds.trajectory import Call

LOOK, TAKE, RING = Call("shelf_count", {}), Call("shelf_move", {"item": "pen", "by": -1}), Call("till_ring", {})


def test_acting_before_looking_names_the_entity(build: Any) -> None:
    world = build().world
    assert diagnose(play(world, [TAKE, LOOK, TAKE])).acted_before_looking == ("shelf",)
    assert diagnose(play(world, [LOOK, TAKE])).acted_before_looking == ()


def test_looking_afterwards_verifies_a_change(build: Any) -> None:
    world = build().world
    assert diagnose(play(world, [LOOK, TAKE])).not_verified == ("shelf",)
    assert diagnose(play(world, [TAKE, LOOK])).not_verified == ()


def test_reads_per_write_is_unknown_without_a_write(build: Any) -> None:
    world = build().world
    assert diagnose(play(world, [LOOK, LOOK, TAKE])).reads_per_write == 2
    assert diagnose(Run.start(world)).reads_per_write is None


def test_a_temporary_change_must_be_put_back(build: Any) -> None:
    world = build({"temporary": ["shelf.stock.pen"]}).world
    assert diagnose(play(world, [TAKE])).not_restored == ("shelf.stock.pen",)
    back = Call("shelf_move", {"item": "pen", "by": 1})
    assert diagnose(play(world, [TAKE, back])).not_restored == ()


def test_a_broad_call_counts_only_where_a_narrow_one_exists(build: Any) -> None:
    broad = {"world/entities/till/actions/0/scope": "broad"}
    assert diagnose(play(build(broad).world, [RING])).too_broad == ()
    narrow = {**broad, "world/entities/shelf/actions/1/scope": "narrow"}
    assert diagnose(play(build(narrow).world, [RING])).too_broad == ("till_ring",)


def test_breadth_can_depend_on_the_arguments(build: Any) -> None:
    world = build({"world/entities/shelf/actions/1/broad_when": "by < -10"}).world
    assert diagnose(play(world, [TAKE])).too_broad == ()
    assert diagnose(play(world, [Call("shelf_move", {"item": "pen", "by": -11})])).too_broad == ("shelf_move",)


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("shelf.stock[item] > 100", "shelf"),
        ("by < 0 && state.till.alarm", "state"),
        ("initial.shelf.open", "initial"),
    ],
)
def test_breadth_that_would_depend_on_the_state_is_refused(build: Any, source: str, named: str) -> None:
    """It is read off a finished run: a state that has moved on would give another breadth, or none."""
    with pytest.raises(DataError, match=f"the arguments alone decide how broad a call is, not {named}"):
        build({"world/entities/shelf/actions/1/broad_when": source})


def test_rejected_calls_are_kept_with_their_reasons(build: Any) -> None:
    found = diagnose(play(build().world, [Call("shelf_move", {"item": "ink", "by": -9}), Call("shelf_move", {})]))
    assert [(r.outcome, r.reason) for r in found.rejected] == [
        ("refused", "Only 3 of ink."),
        ("malformed", "item: is required."),
    ]
