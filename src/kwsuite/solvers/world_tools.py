"""The tools of a world: one for each action, made for the sample that is running."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParam, ToolParams, ToolSource

from kwsuite.solvers.ask_user import ask_user_tool
from kwsuite.solvers.world_session import StepLimitError, current_session
from kwsuite.worlds.actions import Action
from kwsuite.worlds.parameters import Parameter
from kwsuite.worlds.trajectory import Call


class WorldTools(ToolSource):
    """Finds the tools of whichever sample is running, so that one agent can serve a whole dataset."""

    async def tools(self) -> list[Tool]:
        """Make the tools of the sample's world, in the order of its file.

        Raises:
            RuntimeError: The sample has no world.
        """
        session = current_session()
        definitions = [_tool(action) for action in session.item.world.actions.values()]
        if session.facts is not None:
            definitions.append(ask_user_tool(session.facts))
        return [definition.as_tool() for definition in definitions]


def world_tools() -> WorldTools:
    """Give the tools of the world for any Inspect agent: `react(tools=[world_tools()])`."""
    return WorldTools()


def parameters_schema(parameters: Sequence[Parameter]) -> ToolParams:
    """Give the JSON Schema of an action's parameters, as a provider takes it."""
    return ToolParams(
        properties={parameter.name: _schema(parameter) for parameter in parameters},
        required=[parameter.name for parameter in parameters if parameter.required],
    )


def _schema(parameter: Parameter) -> ToolParam:
    schema = {"description": parameter.name.replace("_", " ").capitalize(), **parameter.schema()}
    if not parameter.required:
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
    if parameter.type == "array":
        schema["items"] = {}
    if parameter.type == "object":
        schema["additionalProperties"] = True
    return ToolParam.model_validate(schema)


def _tool(action: Action) -> ToolDef:
    async def execute(**kwargs: Any) -> str:
        try:
            step = await current_session().act(Call(action.tool, kwargs))
        except StepLimitError as error:
            raise ToolError(str(error)) from error
        if step.outcome != "done":
            raise ToolError(step.reply)
        return step.reply

    return ToolDef(
        execute, name=action.tool, description=action.description, parameters=parameters_schema(action.parameters)
    )
