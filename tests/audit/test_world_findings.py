"""Proofs: green on what ships, and each of them can fail."""

from pathlib import Path

import pytest

from kwsuite.audit.worlds import world_findings
from kwsuite.datasets.world_set import load_world_set
from kwsuite.datasets.worlds import WorldItem, load_scenario

ITEMS = {item.scenario.id: item for item in load_world_set().items}


@pytest.mark.parametrize("name", sorted(ITEMS))
def test_a_bundled_scenario_is_proved(name: str) -> None:
    """C92, C120."""
    assert world_findings(ITEMS[name], walk_steps=1000) == []


def altered(tmp_path: Path, name: str, old: str, new: str) -> WorldItem:
    text = ITEMS[name].document.path.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / f"{name}.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return load_scenario(path)


MOVED = "check: calendar.events.dr11.day == 'Wed' && calendar.events.dr11.time == '10:00'"
CATERING = "check: has(catering.orders.c3) && catering.orders.c3.day == 'Wed'"


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("ir_move_review", MOVED, "check: calendar.events.dr11.day == 'Tue'", "the expert run does not meet 'moved'"),
        ("ir_move_review", "{drop: catering_amend}", "{drop: rooms_rebook}", "fails room_follows, not it alone"),
        (
            "ir_move_review",
            "{drop: catering_amend}",
            "{drop: [catering_amend, rooms_rebook]}",
            "fails catering_follows, room_follows, not it alone",
        ),
        ("ir_move_review", "    alone: {drop: rooms_rebook}\n", "", "'room_follows' has no alone edit"),
        ("ir_move_review", CATERING, "check: catering.orders.c3.day == 'Wed'", "there is no key 'c3'"),
        ("ir_move_review", CATERING, "check: 1 == 1 || catering.x == 1", "fails nothing, not it alone"),
        ("ir_move_review", "review to", "room to", "the request gives 'room' away"),
        ("ir_move_review", "is now on {day}", "is now on {day}; its room is not", "the reply of calendar_move gives"),
        (
            "ir_move_review",
            "is now on {day}",
            "is now on {day}, {rooms.holds}",
            "calendar_move reports rooms.holds too",
        ),
        (
            "ir_move_review",
            "{room} is not free on",
            "{catering.orders.c3.room} is, {room} is not on",
            "rooms_rebook reports catering.orders too",
        ),
        ("ir_move_review", "    named: [room, hold]\n", "", "the tools or what they act on give 'hold' away"),
        ("ir_move_review", "named: [room, hold]", "named: [room, hold, attic]", "named lists 'attic'"),
        ("ir_move_review", "    at: rooms.holds", "    at: rooms.free", "none of rooms_list_holds reports rooms.free"),
        (
            "ir_move_review",
            "description: Lists the open orders.",
            "description: Orders for Alder.",
            "'Alder', a value of",
        ),
        ("ir_move_review", "    - catering_list_orders\n", "", "does not look with catering_list_orders"),
        (
            "ir_move_review",
            "reads: rooms.free",
            "reads: [rooms.free, rooms.holds]",
            "rooms_list_free reports rooms.holds too",
        ),
        (
            "ir_move_review",
            "    - calendar_move: {id: dr11",
            "    - calendar_move: {id: dr12",
            "calendar_move is refused",
        ),
        (
            "ps_cast_screen",
            "temporary: calls.forward",
            "temporary: notices.preview",
            "does not restore notices.preview",
        ),
        ("ps_cast_screen", "cast.what == 'whole screen' &&", "cast.what == 'nothing' &&", "rule 1 never fires"),
        ("ps_cast_screen", 'among: "[slides.file]"', 'among: "[]"', "never takes effect"),
        ("cr_old_volume", "{among: disks.volumes, description: The volume's id}", "string", "breaks the world"),
        (
            "cr_old_volume",
            "  - A new snapshot of these volumes stores 311 GB, all blocks read.\n",
            "",
            "fewer than 3 rules",
        ),
    ],
)
def test_a_flaw_is_found(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    """C92: a scenario that proves nothing is reported, whatever it is that it does not prove."""
    findings = world_findings(altered(tmp_path, name, old, new), walk_steps=1000)
    assert any(message in finding.message for finding in findings), findings
    assert all(str(finding).startswith(f"{tmp_path}/{name}.yaml:") for finding in findings)


def test_a_scenario_that_an_idle_agent_passes_is_found(tmp_path: Path) -> None:
    """C92."""
    item = altered(tmp_path, "ir_move_review", MOVED, "check: 1 == 1")
    rubric = [part.model_copy(update={"check": "true"}) for part in item.scenario.evaluation_rubric]
    checks = dict.fromkeys(item.world.checks, item.world.checks["moved"])
    always = WorldItem(
        item.scenario.model_copy(update={"evaluation_rubric": tuple(rubric)}),
        item.document,
        type(item.world)(**{**vars(item.world), "checks": checks}),
    )
    messages = [finding.message for finding in world_findings(always, walk_steps=0)]
    assert any("doing nothing meets every criterion" in message for message in messages)
    assert any("the surface run meets every criterion" in message for message in messages)


def test_a_scenario_in_prose_cannot_be_proved_and_says_what_it_needs(tmp_path: Path) -> None:
    item = altered(tmp_path, "ir_move_review", f"    {CATERING}\n", "")
    assert "it runs with --model-role grader" in world_findings(item)[0].message


def test_the_same_seed_proves_the_same(tmp_path: Path) -> None:
    item = altered(tmp_path, "cr_old_volume", "{among: disks.volumes, description: The volume's id}", "string")
    assert world_findings(item, seed=3, walk_steps=200) == world_findings(item, seed=3, walk_steps=200)
