"""Agents acting in worlds: the tools, what ends a run, and agents of other makes."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.agent import react
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessageTool
from inspect_ai.solver import generate

from kwsuite.datasets.world_format import UserFactPart
from kwsuite.datasets.world_sample import QUESTIONS_KEY, STEPS_KEY
from kwsuite.solvers.ask_user import MAX_QUESTIONS, users_answer
from kwsuite.solvers.world_agent import world_agent
from kwsuite.solvers.world_tools import world_tools
from kwsuite.tasks.implicit_worlds import implicit_worlds
from tests.scripted import Scripted, acts, output, run, run_one, score_of
from tests.world_shop import write_world

TAKE = ("shelf_move", {"item": "pen", "by": -1})
LOOK: tuple[str, dict[str, Any]] = ("shelf_count", {})


def sample_of(tmp_path: Path, agent: Scripted, changes: dict[str, Any] | None = None, **options: Any) -> EvalSample:
    task_options = {key: options.pop(key) for key in ("max_steps", "clarify") if key in options}
    return run_one(implicit_worlds(dataset=str(write_world(tmp_path, changes)), **task_options), agent, **options)


def told(sample: EvalSample) -> list[str]:
    messages = [message for message in sample.messages if isinstance(message, ChatMessageTool)]
    return [message.error.message if message.error else message.text for message in messages]


def meta(sample: EvalSample) -> dict[str, Any]:
    metadata = score_of(sample, "all_pass").metadata
    assert metadata is not None
    return metadata


def test_calls_made_together_are_carried_out_in_their_order(tmp_path: Path) -> None:
    agent = acts([("shelf_move", {"item": "pen", "by": -30}), ("shelf_move", {"item": "pen", "by": 5}), LOOK])
    assert told(sample_of(tmp_path, agent)) == ["pen: 70", "pen: 75", '{"stock": {"pen": 75, "ink": 3}}']


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (("till_ring", {"tier": "bronze"}), "'bronze' is not one of ['gold', 'silver', None]"),
        (("shelf_move", {"item": "pen", "by": "3"}), "'3' is not of type 'integer'"),
        (("shelf_move", {"item": "pen", "by": "3.5"}), "'3.5' is not of type 'integer'"),
        (("shelf_move", {"item": 7, "by": 1}), "7 is not of type 'string'"),
        (("shelf_move", {"item": "pen"}), "'by' is a required property"),
        (("shelf_move", {"item": "pen", "by": None}), "None is not of type 'integer'"),
        (("shelf_move", {"item": "pen", "by": 1, "to": "x"}), "'to' was unexpected"),
        (("shelf_move", {"item": "pen", "by": 2.5}), "2.5 is not of type 'integer'"),
        (("robot_go", {}), "Tool robot_go not found"),
    ],
)
def test_a_call_that_does_not_fit_is_told_what_is_due_and_counts_as_malformed(
    tmp_path: Path, call: Any, reason: str
) -> None:
    """C81, C82."""
    sample = sample_of(tmp_path, acts(call))
    assert reason in told(sample)[0]
    assert sample.store[STEPS_KEY] == []
    assert [entry["tool"] for entry in meta(sample)["diagnostics"]["malformed"]] == [call[0]]
    assert meta(sample)["changed"] == {}


@pytest.mark.parametrize("arguments", [{}, {"tier": None}, {"tier": "gold"}])
def test_an_optional_argument_may_be_left_out_or_null(tmp_path: Path, arguments: dict[str, Any]) -> None:
    """C81."""
    sample = sample_of(tmp_path, acts(("till_ring", arguments)))
    assert meta(sample)["changed"] == {"till.alarm": "true"}


def test_text_that_looks_like_a_number_stays_text(tmp_path: Path) -> None:
    """C82."""
    changes = {"world/entities/shelf/state/stock": {"007": 1, "pen": 1}}
    sample = sample_of(tmp_path, acts(("shelf_move", {"item": "007", "by": 1})), changes)
    assert sample.store[STEPS_KEY][0]["arguments"] == {"item": "007", "by": 1}


def test_a_refused_call_is_an_error_for_the_agent_and_changes_nothing(tmp_path: Path) -> None:
    sample = sample_of(tmp_path, acts(("shelf_move", {"item": "ink", "by": -9})))
    assert told(sample) == ["Only 3 of ink."]
    assert (sample.store[STEPS_KEY][0]["outcome"], meta(sample)["changed"]) == ("refused", {})


def test_a_world_that_breaks_half_way_changes_nothing_and_the_step_is_logged_as_an_error(tmp_path: Path) -> None:
    """C84."""
    effects = {"set": {"shelf.stock[item]": "shelf.stock[item] + by", "till.lamp": "shelf.stock.gone"}}
    file = write_world(tmp_path, {"world/entities/shelf/actions/1/effects": effects})
    log = run(implicit_worlds(dataset=str(file)), acts(LOOK, TAKE))
    assert log.samples is not None
    sample = log.samples[0]
    assert sample.error is not None
    assert "there is no key 'gone'" in sample.error.message
    assert f"{file}:" in sample.error.message
    assert sample.scores == {} or sample.scores is None
    steps = sample.store[STEPS_KEY]
    assert [step["outcome"] for step in steps] == ["done", "error"]
    assert all("changes" not in step for step in steps)


def test_an_agent_that_closes_after_acting_has_submitted(tmp_path: Path) -> None:
    """C95."""
    assert meta(sample_of(tmp_path, acts(TAKE)))["stop"] == "submitted"


def test_an_agent_that_never_acts_is_told_apart(tmp_path: Path) -> None:
    """C95."""
    assert meta(sample_of(tmp_path, acts("Shall I?")))["stop"] == "no_action"


def test_an_agent_may_close_after_its_last_step(tmp_path: Path) -> None:
    """C95."""
    sample = sample_of(tmp_path, acts(TAKE, TAKE), max_steps=2)
    assert (meta(sample)["stop"], meta(sample)["steps"]) == ("submitted", 2)


def test_an_agent_that_wants_more_steps_is_stopped_and_graded_on_the_state_it_reached(tmp_path: Path) -> None:
    """C95."""
    agent = acts(TAKE, TAKE, TAKE, TAKE)
    sample = sample_of(tmp_path, agent, max_steps=2)
    assert (meta(sample)["stop"], meta(sample)["stop_detail"]) == ("limit", "max_steps")
    assert (meta(sample)["steps"], meta(sample)["verdicts"], len(agent.calls)) == (2, {"c1": "met"}, 3)


def test_calls_that_never_fit_end_at_the_same_limit(tmp_path: Path) -> None:
    agent = acts(*[("shelf_move", {})] * 20)
    sample = sample_of(tmp_path, agent, max_steps=3)
    assert (meta(sample)["stop_detail"], len(agent.calls)) == ("max_steps", 4)


def test_a_message_limit_in_mid_action_is_a_limit_and_the_state_is_graded(tmp_path: Path) -> None:
    """C95."""
    sample = sample_of(tmp_path, acts(TAKE, TAKE, TAKE), message_limit=6)
    assert sample.limit is not None
    assert (meta(sample)["stop"], meta(sample)["stop_detail"]) == ("limit", "message")
    assert meta(sample)["verdicts"] == {"c1": "met"}


def test_a_refused_candidate_is_graded_as_it_stands(tmp_path: Path) -> None:
    sample = sample_of(tmp_path, acts(output("No.", "content_filter")))
    assert (meta(sample)["stop_detail"], meta(sample)["verdicts"]) == ("content_filter", {"c1": "not_met"})


REACT = {"submit tool": react(prompt=None, tools=[world_tools()]), "plain": react(tools=[world_tools()], submit=False)}


@pytest.mark.parametrize("name", [*REACT, "generate"])
def test_other_agents_act_in_the_same_world(tmp_path: Path, name: str) -> None:
    agent = acts(TAKE, TAKE, ("submit", {"answer": "Sold."}) if name == "submit tool" else "Sold.")
    solver = generate(tool_calls="loop") if name == "generate" else REACT[name]
    task = implicit_worlds(dataset=str(write_world(tmp_path)))
    sample = run_one(task, agent, solver=solver)
    assert (meta(sample)["stop"], meta(sample)["verdicts"], meta(sample)["steps"]) == ("submitted", {"c1": "met"}, 2)


def test_other_agents_are_held_to_the_same_steps(tmp_path: Path) -> None:
    agent = acts(TAKE, TAKE, TAKE, "Sold.")
    task = implicit_worlds(dataset=str(write_world(tmp_path)), max_steps=2)
    sample = run_one(task, agent, solver=react(tools=[world_tools()], submit=False))
    assert told(sample)[-1] == "The limit of 2 steps is reached. Nothing more can be done."
    assert (meta(sample)["stop"], meta(sample)["steps"]) == ("limit", 2)


def test_tools_without_a_world_say_what_is_missing() -> None:
    task = Task(dataset=[Sample(id="s", input="Hi.")], solver=world_agent())
    log = inspect_eval(task, model=acts("Done.").model, display="none", log_realtime=False)[0]
    assert log.error is not None
    assert "This sample has no world." in log.error.message


FACTS = [{"about": ["when", "day"], "answer": "On Monday."}, {"about": ["price"], "answer": "Any. ###STOP###"}]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Which days suit?", "On Monday."),
        ("When, and at what PRICE?", "On Monday.\nAny. ###STOP###"),
        ("Whence the holiday?", "On Monday."),
        ("What is to be enterpriced today?", None),
        ("Shall I?", None),
    ],
)
def test_the_user_knows_what_the_facts_are_about(question: str, answer: str | None) -> None:
    assert users_answer([UserFactPart.model_validate(fact) for fact in FACTS], question) == answer


@pytest.mark.parametrize(
    ("word", "question", "known"),
    [
        ("预算", "请问您的预算是多少？", True),
        ("预算", "请问您的期限？", False),
        ("XL", "请问XL码可以吗？", True),
        ("XL", "请问AXL码可以吗？", False),
        ("おくりさき", "それのおくりさきは？", True),
        ("#12", "Is it ticket #12?", True),
        ("été", "En été ?", True),
        ("été", "À quelle société ?", False),
    ],
)
def test_a_word_is_found_at_its_beginning_and_in_chinese_anywhere(word: str, question: str, known: bool) -> None:
    fact = UserFactPart.model_validate({"about": [word], "answer": "Yes."})
    assert (users_answer([fact], question) == "Yes.") is known


def test_the_user_answers_and_the_agent_has_its_turn_whatever_the_answer_says(tmp_path: Path) -> None:
    """C88."""
    agent = acts(("ask_user", {"question": "What price?"}), ("ask_user", {"question": "Shall I?"}), TAKE, TAKE)
    sample = sample_of(tmp_path, agent, {"user_facts": FACTS}, clarify=True)
    assert told(sample)[:2] == ["Any. ###STOP###", "I don't know."]
    assert (meta(sample)["verdicts"], meta(sample)["stop"]) == ({"c1": "met"}, "submitted")
    assert (meta(sample)["questions"], meta(sample)["questions_answered"], meta(sample)["steps"]) == (2, 1, 2)
    assert [question["known"] for question in sample.store[QUESTIONS_KEY]] == [True, False]


ASK = ("ask_user", {"question": "What price?"})


def test_questions_use_up_no_steps(tmp_path: Path) -> None:
    sample = sample_of(tmp_path, acts(ASK, ASK, ASK, TAKE, TAKE), {"user_facts": FACTS}, clarify=True, max_steps=2)
    assert (meta(sample)["stop"], meta(sample)["steps"], meta(sample)["questions"]) == ("submitted", 2, 3)
    assert meta(sample)["verdicts"] == {"c1": "met"}


def test_questions_have_a_limit_of_their_own_after_which_the_agent_may_still_act(tmp_path: Path) -> None:
    agent = acts(*[ASK] * (MAX_QUESTIONS + 1), TAKE, TAKE)
    sample = sample_of(tmp_path, agent, {"user_facts": FACTS}, clarify=True, max_steps=3)
    assert told(sample)[MAX_QUESTIONS] == f"The user answers no more than {MAX_QUESTIONS} questions."
    assert (meta(sample)["stop"], meta(sample)["steps"]) == ("submitted", 2)
    assert meta(sample)["questions"] == MAX_QUESTIONS


def test_an_agent_that_only_asks_is_stopped(tmp_path: Path) -> None:
    agent = acts(*[ASK] * (MAX_QUESTIONS + 10))
    sample = sample_of(tmp_path, agent, {"user_facts": FACTS}, clarify=True, max_steps=2)
    assert (meta(sample)["stop_detail"], len(agent.calls)) == ("max_steps", MAX_QUESTIONS + 3)


def test_calls_to_ask_a_user_who_is_not_there_count_as_steps(tmp_path: Path) -> None:
    agent = acts(*[ASK] * 20)
    sample = sample_of(tmp_path, agent, max_steps=2)
    assert (meta(sample)["stop_detail"], len(agent.calls)) == ("max_steps", 3)


def test_the_user_cannot_be_asked_unless_the_arm_is_chosen(tmp_path: Path) -> None:
    agent = acts("Done.")
    sample_of(tmp_path, agent, {"user_facts": FACTS})
    assert all(tool.name != "ask_user" for tool in agent.calls[0].tools)
