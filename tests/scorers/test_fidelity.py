"""The fidelity of world models: pure rates, and real runs."""

import json
import math
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from kwsuite.arguments import ArgumentError
from kwsuite.asking.fence import unwrap
from kwsuite.datasets.data_error import DataError
from kwsuite.scorers.fidelity_rates import fidelity_rates, mistakes
from kwsuite.tasks.world_fidelity import world_fidelity
from tests.scripted import Call, Reply, Scripted, run, says
from tests.world_shop import write_world


def step(outcome: str = "done", reply: str = "ok", faults: Any = (), **touched: Any) -> dict[str, Any]:
    changes = [{"at": ["till", name], "is": value} for name, value in touched.items()]
    return {"outcome": outcome, "reply": reply, "changes": changes, "faults": list(faults)}


def asked(tool: str, due: dict[str, Any], *replies: dict[str, Any]) -> dict[str, Any]:
    return {"tool": tool, "arguments": {}, **due, "replies": list(replies)}


SILENT = {"faults": ["it holds no JSON object"], "attempts": 3}


def test_replies_like_the_engines_and_like_one_another_are_faithful_throughout() -> None:
    due = step(alarm=True)
    rates = fidelity_rates([asked("ring", due, due, due, due)])
    assert (rates.exact_repeats, rates.type_repeats, rates.exact_engine, rates.type_engine) == (1.0, 1.0, 1.0, 1.0)


def test_other_words_break_exactness_over_repeats_and_nothing_else() -> None:
    due = step(alarm=True)
    rates = fidelity_rates([asked("ring", due, due, due, step(reply="Ringing.", alarm=True))])
    assert rates.exact_repeats == pytest.approx(1 / 3)
    assert (rates.type_repeats, rates.exact_engine, rates.type_engine) == (1.0, 1.0, 1.0)


def test_another_value_of_the_same_property_is_a_fault_of_value_not_of_type() -> None:
    wrong = step(alarm=False, faults=["till.alarm is now true."])
    rates = fidelity_rates([asked("ring", step(alarm=True), step(alarm=True), wrong)])
    assert (rates.exact_engine, rates.type_engine, rates.type_repeats) == (0.5, 1.0, 1.0)


def test_a_property_too_many_is_a_fault_of_type() -> None:
    wrong = step(alarm=True, moves=1, faults=["till.moves is now 0."])
    rates = fidelity_rates([asked("ring", step(alarm=True), step(alarm=True), wrong)])
    assert (rates.type_repeats, rates.type_engine) == (0.0, 0.5)


def test_the_calls_of_one_action_are_taken_together_for_the_type_rate() -> None:
    refused, took = step("refused"), step(alarm=True)
    rates = fidelity_rates([asked("ring", refused, refused, took), asked("ring", took, took, refused)])
    assert (rates.type_repeats, rates.type_engine, rates.exact_repeats) == (1.0, 1.0, 0.0)


def test_silence_agrees_with_nothing_not_even_with_silence() -> None:
    rates = fidelity_rates([asked("ring", step(alarm=True), SILENT, SILENT)])
    assert (rates.exact_repeats, rates.type_repeats, rates.exact_engine, rates.type_engine) == (0.0, 0.0, 0.0, 0.0)
    assert rates.answered == 0.0


def test_a_single_repeat_says_nothing_of_repeats() -> None:
    rates = fidelity_rates([asked("ring", step(alarm=True), step(alarm=True))])
    assert math.isnan(rates.exact_repeats)
    assert math.isnan(rates.type_repeats)
    assert rates.exact_engine == 1.0


def test_an_empty_script_gives_no_numbers() -> None:
    rates = fidelity_rates([])
    assert all(math.isnan(value) for value in vars(rates).values())


@given(st.permutations([step(alarm=True), step(alarm=False), step(reply="x", alarm=True), SILENT]))
def test_the_order_of_repeats_does_not_matter(replies: list[dict[str, Any]]) -> None:
    rates = fidelity_rates([asked("ring", step(alarm=True), *replies)])
    assert rates == fidelity_rates([asked("ring", step(alarm=True), *sorted(replies, key=str))])


def test_mistakes_are_counted_by_action_and_fault() -> None:
    wrong = step(alarm=False, faults=["till.alarm is now true."])
    found = mistakes([asked("look", step(), SILENT), asked("ring", step(alarm=True), wrong, wrong)])
    assert [(entry["tool"], entry["times"]) for entry in found] == [("ring", 2), ("look", 1)]


def numbers(log: EvalLog) -> dict[str, float]:
    assert log.status == "success", log.error
    assert log.results is not None
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


RATES = ("exact_repeats", "type_repeats", "exact_engine", "type_engine", "answered", "meets_paper_bar")


def test_the_engine_played_through_the_same_protocol_is_faithful_throughout() -> None:
    log = inspect_eval(world_fidelity(repeats=2), model="reference/engine", display="none", log_realtime=False)[0]
    found = numbers(log)
    assert [found[rate] for rate in (*RATES, "meets_engine_bar")] == [1.0] * 7
    assert not [name for name in found if name.startswith("wrong:")]


def fidelity_of(tmp_path: Path, world: Scripted, **options: Any) -> EvalLog:
    scripts = {
        "reference": {
            "expert": ["shelf_count", {"shelf_move": {"item": "pen", "by": -2}}, "till_ring"],
            "surface": ["till_ring"],
        }
    }
    task = world_fidelity(dataset=str(write_world(tmp_path, scripts)), walks=0, **options)
    return run(task, world)


def careless(call: Call) -> str:
    """Rings and counts right, and never writes down a sale."""
    state, action = (json.loads(str(unwrap(label, call.prompt))) for label in ("state", "action"))
    changes = {"till": {"alarm": True}} if action["action"] == "till_ring" else {}
    message = json.dumps(state["shelf"]["stock"])
    return json.dumps({"thought_process": "", "success": True, "message": message, "state_changes": changes})


def test_what_a_world_model_gets_wrong_is_told_by_action(tmp_path: Path) -> None:
    log = fidelity_of(tmp_path, Scripted(careless, "world"), repeats=3)
    found = numbers(log)
    assert (found["exact_repeats"], found["meets_paper_bar"]) == (1.0, 1.0)
    assert found["exact_engine"] == pytest.approx((2 / 3 + 1) / 2)
    assert (found["meets_engine_bar"], found["wrong:shop.shelf_move"]) == (0.0, 9)
    assert log.samples is not None
    score = (log.samples[0].scores or {})["fidelity"]
    assert "| 3 | shelf\\_move |" in (score.explanation or "")
    assert "by the contracts and rules till.moves is now 1." in (score.explanation or "").replace("\\", "")


def test_every_call_is_asked_about_in_the_engines_state_and_from_no_cache(tmp_path: Path) -> None:
    world = Scripted(careless, "world")
    for _ in range(2):
        fidelity_of(tmp_path, world, repeats=3)
    assert len(world.calls) == 2 * 3 * 4
    rings = [call.prompt for call in world.calls if '"action": "till_ring"' in call.prompt]
    assert any('"pen": 98' in prompt for prompt in rings)


def test_a_world_model_that_never_answers_is_wrong_not_broken(tmp_path: Path) -> None:
    found = numbers(fidelity_of(tmp_path, says("Sure!", "world"), repeats=2))
    assert [found[rate] for rate in RATES] == [0.0] * 6


def test_an_outage_of_the_world_model_is_an_error_and_no_score_however_few_calls_it_takes(tmp_path: Path) -> None:
    turns = count()

    def failing(call: Call) -> Reply:
        return careless(call) if next(turns) < 3 else RuntimeError("401 invalid api key")

    log = fidelity_of(tmp_path, Scripted(failing, "world"), repeats=2)
    assert log.status == "error"
    assert log.samples is not None
    for sample in log.samples:
        assert sample.error is not None
        assert "world model mockllm/world failed, each in 3 attempts" in sample.error.message
        assert "401 invalid api key" in sample.error.message
        assert not sample.scores


def test_a_call_that_fails_once_and_is_answered_when_asked_again_is_measured(tmp_path: Path) -> None:
    failures = iter([RuntimeError("503 overloaded")])
    flaky = Scripted(lambda call: next(failures, None) or careless(call), "world")
    assert numbers(fidelity_of(tmp_path, flaky, repeats=2))["answered"] == 1.0


def test_the_world_role_is_the_one_under_test_where_it_is_bound(tmp_path: Path) -> None:
    task = world_fidelity(dataset=str(write_world(tmp_path)), walks=1, walk_steps=3, repeats=1)
    log = run(task, says("Sure!"), world=get_model("reference/engine"))
    assert numbers(log)["exact_engine"] == 1.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeats": 0}, "repeats is 0; it must be a whole number of at least 1."),
        ({"walks": -1}, "walks is -1; it must be a whole number of at least 0."),
        ({"walk_steps": "x"}, "walk_steps is 'x'"),
        ({"repeat": 3}, "world_fidelity has no argument 'repeat'. Did you mean repeats?"),
    ],
)
def test_an_argument_that_does_not_fit_is_refused(options: Any, message: str) -> None:
    with pytest.raises(ArgumentError, match=message.replace("?", r"\?").replace(".", r"\.")):
        world_fidelity(**options)


def test_a_scenario_in_prose_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    prose = {"world/entities/till/actions/0": {"name": "ring", "description": "Rings.", "returns": "Sets the alarm."}}
    with pytest.raises(DataError, match="no engine can be compared"):
        world_fidelity(dataset=str(write_world(tmp_path, prose)))


def test_scenarios_that_leave_no_call_to_ask_about_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="Set walks and walk_steps to 1 or more"):
        world_fidelity(dataset=str(write_world(tmp_path)), walks=0)
