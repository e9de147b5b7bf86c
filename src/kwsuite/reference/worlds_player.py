"""Playing simulated worlds: the scripted calls of a scenario, and the engine in the part of the world model."""

import json
from typing import Literal, get_args

from inspect_ai.model import ChatMessageAssistant, ModelOutput

from kwsuite.asking.fence import unwrap
from kwsuite.datasets.worlds import WorldItem
from kwsuite.reference.loaded_worlds import find_world
from kwsuite.reference.names import ENGINE
from kwsuite.reference.prompt import ReferencePrompt
from kwsuite.worlds.engine import Run
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.state import differences
from kwsuite.worlds.trajectory import Call

ScriptName = Literal["expert", "surface", "null"]

CLOSING = "That is done."
NULL_CLOSING = "I have left everything as it is."


def play_world(prompt: ReferencePrompt) -> ModelOutput:
    """Make the next call of a scripted run through the tools that are offered, or answer for the world model.

    Raises:
        ValueError: The scenario has no such run, a tool of it is not offered, or the one who is asked does not play
            this part.
    """
    name = f"reference/{prompt.name}"
    wanted = {"world": ENGINE}.get(prompt.ids.get("role", ""), "a candidate")
    if "criterion" in prompt.ids:
        raise ValueError(f"{name} cannot grade worlds: scenarios ship no labels. Bind a grading model.")
    if (prompt.name == ENGINE) != (wanted == ENGINE):
        raise ValueError(f"{name} was asked to play {'the world' if wanted == ENGINE else wanted}, which it is not.")
    item = find_world(prompt.item)
    if wanted == ENGINE:
        return ModelOutput.from_content(name, _outcome(item, prompt.text))
    calls = _script(item, prompt.name)
    made = sum(bool(m.tool_calls) for m in prompt.messages if isinstance(m, ChatMessageAssistant))
    if made >= len(calls):
        return ModelOutput.from_content(name, CLOSING if calls else NULL_CLOSING)
    call = calls[made]
    if call.tool not in prompt.tools:
        raise ValueError(f"item {prompt.item!r}: {name} wants to call {call.tool}, and the agent does not offer it.")
    return ModelOutput.for_tool_call(name, call.tool, dict(call.arguments))


def _script(item: WorldItem, name: str) -> tuple[Call, ...]:
    if name not in get_args(ScriptName):
        raise ValueError(
            f"simulated worlds have no reference/{name}; choose one of "
            f"{', '.join(f'reference/{script}' for script in get_args(ScriptName))}."
        )
    reference = item.scenario.reference
    if name == "null":
        return ()
    if reference is None:
        raise ValueError(f"{item.where()}: item {item.scenario.id}: has no reference runs. Add reference: to it.")
    return reference.expert if name == "expert" else reference.surface


def _outcome(item: WorldItem, prompt: str) -> str:
    """Say what the engine makes of the state and the action in a world model's prompt, as that model would."""
    state, action = (json.loads(str(unwrap(label, prompt))) for label in ("state", "action"))
    run = Run(item.world, state).act(Call(action["action"], action["arguments"]))
    step = run.steps[-1]
    changed: dict[str, dict[str, Json]] = {}
    for change in differences(state, run.state):
        entity, name = str(change.place[0]), str(change.place[1])
        changed.setdefault(entity, {})[name] = run.state[entity][name]
    reply = {
        "thought_process": "By the executable contract.",
        "success": step.outcome == "done",
        "message": step.reply,
        "state_changes": changed,
    }
    return json.dumps(reply, ensure_ascii=False)
