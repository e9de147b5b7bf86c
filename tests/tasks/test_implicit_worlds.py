"""The task: what the agent is shown, the arguments, and the reference candidates over all that ships."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog

from kwsuite.arguments import ArgumentError
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_set import bundled_world_folder, load_world_set
from kwsuite.tasks.implicit_worlds import implicit_worlds
from tests.scripted import acts, run, run_one, score_of
from tests.world_shop import write_world

COUNT = len(list(bundled_world_folder().glob("*.yaml")))


def play(name: str, **options: Any) -> EvalLog:
    return inspect_eval(implicit_worlds(**options), model=f"reference/{name}", display="none", log_realtime=False)[0]


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.status == "success", log.error
    assert log.results is not None
    return {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}


@pytest.mark.parametrize(("name", "rate", "ended"), [("expert", 1.0, "submitted"), ("surface", 0.0, "submitted")])
def test_every_bundled_scenario_separates_the_reference_candidates(name: str, rate: float, ended: str) -> None:
    found = metrics(play(name))
    assert (found["spr"], found["scenarios"], found["coverage"], found[f"ended_{ended}"]) == (rate, COUNT, 1.0, 1.0)
    assert found["calls_refused"] == found["calls_malformed"] == 0


def test_an_agent_that_does_nothing_passes_no_scenario_and_gets_the_idle_score() -> None:
    """C92."""
    found = metrics(play("null"))
    assert (found["spr"], found["ended_no_action"]) == (0.0, 1.0)
    assert found["nss"] == found["nss_idle"]
    assert 0.3 < found["nss_idle"] < 0.7


def test_the_agent_is_shown_request_context_and_entities_and_no_state_rule_or_rubric(tmp_path: Path) -> None:
    changes = {
        "world/context": {"local_time": "09:30"},
        "world/entities/shelf/description": "Where pens are.",
        "world/entities/shelf/state/note": "seventeen",
        "summary": "The summary.",
        "hidden": [{"fact": "The fact.", "words": ["ink"], "found_by": "shelf_count"}],
    }
    agent = acts(("shelf_count", {}))
    run_one(implicit_worlds(dataset=str(write_world(tmp_path, changes))), agent)
    call = agent.calls[0]
    shown = call.prompt + json.dumps([tool.model_dump(mode="json") for tool in call.tools])
    for text in ("Sell two.", "local time: 09:30", "Shelf (system; tools shelf_*): Where pens are.", "Counts."):
        assert text in shown
    for text in ("seventeen", "Nothing is told.", "Sold.", "stock", "moves", "The summary.", "The fact.", "Only {"):
        assert text not in shown


def test_every_tool_carries_types_choices_and_what_is_required(tmp_path: Path) -> None:
    """C79, C81."""
    agent = acts("Done.")
    run_one(implicit_worlds(dataset=str(write_world(tmp_path))), agent)
    tools = {tool.name: tool for tool in agent.calls[0].tools}
    assert list(tools) == ["shelf_count", "shelf_move", "till_ring"]
    assert tools["shelf_move"].parameters.required == ["item", "by"]
    assert tools["shelf_move"].parameters.properties["by"].type == "integer"
    tier = tools["till_ring"].parameters.properties["tier"]
    assert (tier.enum, tools["till_ring"].parameters.required) == (["gold", "silver", None], [])
    assert tier.description == "Tier"


def test_no_agent_is_shown_a_criterion_or_hidden_word_of_a_bundled_scenario() -> None:
    agent = acts("Done.")
    run(implicit_worlds(), agent)
    shown = {(call.messages[1].metadata or {})["kwsuite"]["item"]: call.prompt for call in agent.calls}
    assert len(shown) == COUNT
    for item in load_world_set().items:
        scenario = item.scenario
        assert all(part.criterion not in shown[scenario.id] for part in scenario.evaluation_rubric)
        told = f"{scenario.user_prompt} {json.dumps(scenario.world.context)}".lower()
        assert all(word.lower() not in told for part in scenario.hidden for word in part.words)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("category", "category is 'x'; choose one of all, implicit_reasoning, catastrophic_risk"),
        ("world", "world is 'x'; choose one of engine, model."),
        ("world_check", "world_check is 'x'; choose one of effects, types."),
        ("max_steps", "max_steps is 'x'; it must be a whole number of at least 1."),
        ("judge_form", "judge_form is 'x'; choose one of auto, text."),
        ("votes", "votes is 'x'; it must be a whole number from 1 to 99."),
        ("dataset", "dataset 'x': there is no such file or folder"),
        ("clarifi", "implicit_worlds has no argument 'clarifi'. Did you mean clarify?"),
    ],
)
def test_an_argument_that_is_none_of_the_choices_names_them(name: str, message: str) -> None:
    with pytest.raises((ArgumentError, DataError), match=message.replace("?", r"\?").replace(".", r"\.")):
        implicit_worlds(**{name: "x"})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["clarify", "world_cache", "judge_cache", "warm", "require_grader"])
def test_a_switch_that_is_neither_true_nor_false_is_refused(name: str) -> None:
    """A misspelt `false` is a text, which would count as true and turn the arm on."""
    with pytest.raises(ArgumentError, match=f"{name} is 'flase'; it must be true or false"):
        implicit_worlds(**{name: "flase"})  # type: ignore[arg-type]


def test_a_category_without_scenarios_says_so(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no scenarios of category accessibility"):
        implicit_worlds(dataset=str(write_world(tmp_path)), category="accessibility")


def test_a_category_keeps_its_scenarios_only() -> None:
    log = play("null", category="accessibility")
    assert log.samples
    assert {sample.metadata["category"] for sample in log.samples} == {"accessibility"}


def test_an_empty_folder_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no scenarios"):
        implicit_worlds(dataset=str(tmp_path))


def test_the_version_changes_with_the_scenario_and_not_with_the_arm(tmp_path: Path) -> None:
    file = write_world(tmp_path)
    before = implicit_worlds(dataset=str(file)).version
    assert implicit_worlds(dataset=str(file), clarify=True, world="model").version == before
    write_world(tmp_path, {"world/entities/shelf/state/price": 2.5})
    assert implicit_worlds(dataset=str(file)).version != before


def test_the_log_shows_the_rates_as_columns_and_spr_as_the_headline(tmp_path: Path) -> None:
    log = run(implicit_worlds(dataset=str(write_world(tmp_path))), acts("Done."))
    view = log.eval.viewer
    assert view is not None
    assert view.task_samples_view is not None
    assert not isinstance(view.task_samples_view, list)
    ids = [column.id for column in view.task_samples_view.columns or []]
    assert {"score__all_pass__all_pass", "score__all_pass__fraction"} <= set(ids)
    assert log.results is not None
    assert log.results.headline is not None
    assert (log.results.headline.scorer, log.results.headline.metric) == ("all_pass", "spr")


def test_a_scenario_in_prose_needs_a_world_model_and_the_sample_says_so(tmp_path: Path) -> None:
    prose = {"world/entities/till/actions/0": {"name": "ring", "description": "Rings.", "returns": "Sets the alarm."}}
    log = run(implicit_worlds(dataset=str(write_world(tmp_path, prose))), acts("Done."))
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "the engine cannot play it. Add -T world=model" in log.samples[0].error.message


def test_the_score_says_what_changed_and_how_the_agent_went_about_it(tmp_path: Path) -> None:
    agent = acts(("shelf_move", {"item": "pen", "by": -2}), ("shelf_move", {"item": "ink", "by": -9}))
    sample = run_one(implicit_worlds(dataset=str(write_world(tmp_path))), agent)
    metadata = score_of(sample, "all_pass").metadata
    assert metadata is not None
    assert metadata["changed"] == {
        "shelf.stock.pen": "98",
        "shelf.log": '[{"item": "pen", "by": -2}]',
        "till.moves": "1",
    }
    found = metadata["diagnostics"]
    assert found["refused"] == [{"tool": "shelf_move", "reason": "Only 3 of ink."}]
    assert (found["acted_before_looking"], found["not_verified"]) == (["shelf"], ["shelf"])
    assert (metadata["steps"], metadata["world"], metadata["grader"]) == (2, "engine", None)
    assert metadata["verdicts"] == {"c1": "met"}
