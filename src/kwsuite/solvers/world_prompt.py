"""What a world model is shown: the whole world, and neither the request nor the rubric."""

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, ContentText

from kwsuite.asking import Fence
from kwsuite.datasets.message_ids import MESSAGE_KEY
from kwsuite.datasets.world_actions import EntityPart, tool_name
from kwsuite.datasets.world_format import Scenario
from kwsuite.datasets.world_sample import BENCHMARK
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.state import State
from kwsuite.worlds.trajectory import Call

PROMPT_VERSION = "1"
"""Raised with every change of the prompt texts; part of the cache key."""

PROMPTS = ("world", "world_form")
"""The prompt texts of the world model."""


def world_messages(item: WorldItem, state: State, call: Call) -> tuple[ChatMessage, ...]:
    """Write the prompt for one call: the rules of simulating, the world, then the state and the action as data."""
    scenario = item.scenario
    now, action = _json(state), _json({"action": call.tool, "arguments": dict(call.arguments)})
    fence = Fence.around(now, action)
    asked = "\n\n".join([fence.wrap("state", now), fence.wrap("action", action), prompt_text("world_form")])
    return (
        ChatMessageSystem(content=prompt_text("world")),
        ChatMessageUser(
            content=[
                ContentText(text=world_text(item), cache_breakpoint=True),
                ContentText(text=asked),
            ],
            metadata={MESSAGE_KEY: {"benchmark": BENCHMARK, "item": scenario.id, "role": "world"}},
        ),
    )


def world_text(item: WorldItem) -> str:
    """Write out the world as its author did: entities, actions with their contracts, and rules, in prose."""
    return "\n\n".join([*_context(item.scenario), *_entities(item), *_rules(item.scenario)]) + "\n\n"


@cache
def prompt_text(name: str) -> str:
    """Read a prompt text that ships beside this module."""
    return (files("kwsuite.solvers") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def _context(scenario: Scenario) -> Iterator[str]:
    if scenario.world.context:
        yield "\n".join(["# Facts", "", *(f"- {key}: {value}" for key, value in scenario.world.context.items())])


def _entities(item: WorldItem) -> Iterator[str]:
    yield "# Entities"
    for key, entity in item.scenario.world.entities.items():
        yield f"## {key}: {entity.name} ({entity.type})"
        if entity.description:
            yield entity.description
        yield "\n\n".join(_actions(item, key, entity))


def _actions(item: WorldItem, key: str, entity: EntityPart) -> Iterator[str]:
    for part in entity.actions:
        tool = tool_name(key, part.name)
        lines = [f"### {tool}", "", part.description]
        parameters = {parameter.name: parameter.schema() for parameter in item.world.actions[tool].parameters}
        if parameters:
            lines.append(f"Parameters: {_json(parameters)}")
        yield "\n".join([*lines, f"Contract: {part.contract}"])


def _rules(scenario: Scenario) -> Iterator[str]:
    if scenario.execution_rules:
        yield "\n".join(["# Rules", "", *(f"- {part.rule}" for part in scenario.execution_rules)])


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
