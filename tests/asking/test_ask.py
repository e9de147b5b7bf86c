import pytest
from inspect_ai.model import ChatMessageUser, ResponseSchema
from inspect_ai.util import json_schema
from pydantic import BaseModel

from kwsuite.asking import Answer, Decision, NoAnswer, Question, ask, read_verdict
from tests.scripted import Call, Reply, Scripted, output, says

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Shape(BaseModel):
    verdict: str


def question(**changes: object) -> Question[Decision]:
    defaults = {"messages": (ChatMessageUser(content="Is it?"),), "read": read_verdict, "cache_scopes": None}
    return Question(**{**defaults, **changes})  # type: ignore[arg-type]


def in_turn(*replies: Reply) -> Scripted:
    left = list(replies)
    return Scripted(lambda call: left.pop(0))


async def test_a_readable_reply_takes_one_call() -> None:
    reply = await ask(says("VERDICT: MET").model, question())
    assert reply == Answer(Decision("met", "VERDICT: MET"), 1)


async def test_an_unreadable_reply_is_shown_to_the_model_with_its_fault() -> None:
    scripted = in_turn("Looks fine.", "VERDICT: NOT_MET")
    reply = await ask(scripted.model, question())
    assert isinstance(reply, Answer)
    assert (reply.value.state, reply.attempts) == ("not_met", 2)
    second = scripted.calls[1].messages
    assert second[-2].text == "Looks fine."
    assert "no verdict was found" in second[-1].text


async def test_a_silent_model_is_asked_three_times_and_its_last_reply_kept() -> None:
    """C1."""
    scripted = says("Overall this looks fine to me.")
    reply = await ask(scripted.model, question())
    assert isinstance(reply, NoAnswer)
    assert (reply.fault.reason, reply.attempts, len(scripted.calls)) == ("parse_failure", 3, 3)
    assert reply.reply == "Overall this looks fine to me."


@pytest.mark.parametrize(
    ("stop_reason", "reason"),
    [("max_tokens", "truncated"), ("model_length", "truncated"), ("content_filter", "refusal")],
)
async def test_a_reply_that_the_provider_ended_is_no_verdict(stop_reason: str, reason: str) -> None:
    """C15, C17: not even when a verdict can be read in it."""
    scripted = Scripted(lambda call: output('{"verdict":"MET"}', stop_reason))  # type: ignore[arg-type]
    reply = await ask(scripted.model, question())
    assert isinstance(reply, NoAnswer)
    assert reply.fault.reason == reason
    assert stop_reason in reply.fault.message


async def test_an_outage_is_a_grader_error_that_names_itself() -> None:
    reply = await ask(says(RuntimeError("503 overloaded")).model, question())
    assert isinstance(reply, NoAnswer)
    assert (reply.fault.reason, reply.fault.message) == ("grader_error", "RuntimeError: 503 overloaded")


async def test_a_long_error_is_cut_with_a_mark() -> None:
    reply = await ask(says(RuntimeError("x" * 5_000)).model, question())
    assert isinstance(reply, NoAnswer)
    assert reply.fault.message.endswith(" more characters]")
    assert len(reply.fault.message) < 2_100


async def test_a_provider_that_refuses_the_schema_is_asked_without_and_then_without_temperature() -> None:
    def picky(call: Call) -> Reply:
        if call.config.response_schema is not None:
            return ValueError("response_format is not supported")
        return ValueError("temperature is not supported") if call.config.temperature is not None else "VERDICT: MET"

    scripted = Scripted(picky)
    schema = ResponseSchema(name="v", json_schema=json_schema(Shape))
    reply = await ask(scripted.model, question(schema=schema))
    assert isinstance(reply, Answer)
    assert [(call.config.response_schema is None, call.config.temperature) for call in scripted.calls] == [
        (False, 0.0),
        (True, 0.0),
        (True, None),
    ]


async def test_what_a_model_refused_once_is_not_tried_again() -> None:
    def picky(call: Call) -> Reply:
        if call.config.response_schema is not None:
            return ValueError("response_format is not supported")
        return ValueError("temperature is not supported") if call.config.temperature is not None else "VERDICT: MET"

    scripted = Scripted(picky)
    model, asked = scripted.model, question(schema=ResponseSchema(name="v", json_schema=json_schema(Shape)))
    attempts = [reply.attempts for reply in (await ask(model, asked), await ask(model, asked))]
    assert attempts == [3, 1]


async def test_a_setting_that_an_outage_seems_to_name_is_tried_again() -> None:
    outage = RuntimeError("503 upstream sent no json")
    scripted = in_turn(outage, "VERDICT: MET", outage, "VERDICT: MET")
    model, asked = scripted.model, question(schema=ResponseSchema(name="v", json_schema=json_schema(Shape)))
    for _ in range(2):
        await ask(model, asked)
    assert [call.config.response_schema is None for call in scripted.calls] == [False, True] * 2


async def test_a_refused_temperature_leaves_the_schema_though_the_error_came_as_json() -> None:
    def picky(call: Call) -> Reply:
        refused = ValueError("temperature does not support 0 (application/json)")
        return refused if call.config.temperature is not None else "VERDICT: MET"

    scripted = Scripted(picky)
    reply = await ask(scripted.model, question(schema=ResponseSchema(name="v", json_schema=json_schema(Shape))))
    assert reply.attempts == 2
    assert scripted.calls[-1].config.response_schema is not None


async def test_an_outage_changes_nothing_of_the_question_that_is_asked_again() -> None:
    scripted = in_turn(TimeoutError("timed out"), RuntimeError("503"), "VERDICT: MET")
    schema = ResponseSchema(name="v", json_schema=json_schema(Shape))
    await ask(scripted.model, question(schema=schema))
    assert [(call.config.response_schema is None, call.config.temperature) for call in scripted.calls] == [
        (False, 0.0)
    ] * 3


async def test_a_cached_bad_reply_is_not_read_again_when_asking_anew() -> None:
    """A re-ask bypasses the cache: otherwise it would re-read the same bad reply."""
    scripted = in_turn("Looks fine.", "VERDICT: MET", "VERDICT: NOT_MET")
    scopes = {"rubric": "r"}
    first = await ask(scripted.model, question(cache_scopes=scopes))
    assert isinstance(first, Answer)
    assert first.value.state == "met"
    second = await ask(scripted.model, question(cache_scopes=scopes))
    assert isinstance(second, Answer)
    assert second.value.state == "not_met"
    assert len(scripted.calls) == 3


@pytest.mark.parametrize("setting", ["temperature", "schema"])
async def test_the_reply_of_a_model_that_refuses_a_setting_is_cached(setting: str) -> None:
    def picky(call: Call) -> Reply:
        given = call.config.temperature if setting == "temperature" else call.config.response_schema
        return "VERDICT: MET" if given is None else ValueError(f"{setting} is not supported")

    scripted = Scripted(picky)
    asked = question(cache_scopes={"rubric": "r"}, schema=ResponseSchema(name="v", json_schema=json_schema(Shape)))
    for _ in range(2):
        reply = await ask(scripted.model, asked)
        assert isinstance(reply, Answer)
    answered = [call for call in scripted.calls if not isinstance(picky(call), Exception)]
    assert (len(scripted.calls), len(answered)) == (3, 1)


async def test_a_call_that_fails_after_an_unreadable_reply_brings_the_cached_one_not_back() -> None:
    scopes = {"rubric": "r"}
    scripted = in_turn("Looks fine.", RuntimeError("503"), "VERDICT: NOT_MET")
    reply = await ask(scripted.model, question(cache_scopes=scopes))
    assert isinstance(reply, Answer)
    assert reply.value.state == "not_met"


async def test_the_cache_serves_the_same_question_and_misses_on_another_scope() -> None:
    """C60."""
    scripted = says("VERDICT: MET")
    for scopes in ({"rubric": "r", "epoch": "1"}, {"rubric": "r", "epoch": "1"}, {"rubric": "r", "epoch": "2"}):
        await ask(scripted.model, question(cache_scopes=scopes))
    assert len(scripted.calls) == 2


async def test_the_default_temperature_is_zero_and_the_users_own_wins() -> None:
    """C30."""
    from inspect_ai.model import GenerateConfig, get_model

    seen: list[float | None] = []

    def record(messages: object, tools: object, choice: object, config: GenerateConfig) -> object:
        seen.append(config.temperature)
        return output("VERDICT: MET")

    for config in (GenerateConfig(), GenerateConfig(temperature=0.7)):
        await ask(get_model("mockllm/x", memoize=False, config=config, custom_outputs=record), question())
    assert seen == [0.0, 0.7]
