"""A world that a model plays, held to what the scenario declares."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

from inspect_ai.model import Model, ResponseSchema
from inspect_ai.util import JSONSchema, suspend_token_limit, suspend_turn_limit

from kwsuite.asking import Answer, NoAnswer, Question, ask
from kwsuite.datasets.worlds import WorldItem
from kwsuite.solvers.world_prompt import PROMPT_VERSION, world_messages
from kwsuite.solvers.world_reply import WorldCheck, WorldReply, read_world_reply
from kwsuite.solvers.world_session import Played, WorldModelError
from kwsuite.worlds.engine import Run
from kwsuite.worlds.parameters import Malformed, accept_arguments
from kwsuite.worlds.trajectory import Call


@dataclass(frozen=True)
class ModelPlayer:
    """Plays a world by asking a model what comes of each call."""

    model: Model
    item: WorldItem
    check: WorldCheck
    epoch: str | None
    """Keeps the cached replies of epochs apart; None switches the cache off."""

    async def __call__(self, run: Run, call: Call) -> Played:
        """Ask what comes of a call.

        The scenario's code keeps what it can decide: the tool's existence, the argument schema, and all that `check`
        says. The model's calls count against no limit of the agent's on tokens or turns.

        Raises:
            WorldModelError: No reply could be used, after two re-asks.
        """
        action = run.world.actions.get(call.tool)
        if action is None:
            return Played(run.act(call), attempts=1)
        try:
            accepted = Call(call.tool, accept_arguments(action.parameters, call.arguments))
        except Malformed:
            return Played(run.act(call), attempts=1)
        scopes = None if self.epoch is None else {"world": self.item.scenario.id, "epoch": self.epoch}
        with suspend_token_limit(), suspend_turn_limit():
            answer = await ask_world(self.model, self.item, run, accepted, check=self.check, scopes=scopes)
        if isinstance(answer, NoAnswer):
            raise WorldModelError(
                f"item {self.item.scenario.id}: the world model {self.model} gave no usable reply to {call.tool} in "
                f"{answer.attempts} attempts. The last fault: {answer.fault.message} Its reply: {answer.reply}"
            )
        reply = answer.value
        step = reply.step(accepted, run.state)
        return Played(replace(run, state=reply.state, steps=(*run.steps, step)), answer.attempts)


async def ask_world(
    model: Model, item: WorldItem, run: Run, call: Call, *, check: WorldCheck, scopes: Mapping[str, str] | None
) -> Answer[WorldReply] | NoAnswer:
    """Ask a model what comes of one call, whose arguments are accepted.

    Args:
        model: The world model.
        item: The scenario.
        run: The run before the call.
        call: The call.
        check: What the reply must fit.
        scopes: What a cached reply depends on beside the prompt; None switches the cache off.
    """
    question = Question(
        messages=world_messages(item, run.state, call),
        read=lambda text: read_world_reply(text, run, call, check),
        schema=_reply_schema(),
        cache_scopes=None if scopes is None else {**scopes, "prompt": PROMPT_VERSION},
    )
    return await ask(model, question)


@cache
def _reply_schema() -> ResponseSchema:
    # Not strict: providers that hold replies to a strict schema refuse objects whose keys are not known beforehand.
    text, flag = JSONSchema(type="string"), JSONSchema(type="boolean")
    properties = JSONSchema(type="object", additionalProperties=True)
    return ResponseSchema(
        name="outcome",
        json_schema=JSONSchema(
            type="object",
            properties={
                "thought_process": text,
                "success": flag,
                "message": text,
                "state_changes": JSONSchema(type="object", additionalProperties=properties),
            },
            required=["thought_process", "success", "message", "state_changes"],
            additionalProperties=False,
        ),
        strict=False,
    )
