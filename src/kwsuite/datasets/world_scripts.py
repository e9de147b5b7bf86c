"""The calls that a scenario writes down, checked against its world."""

from difflib import get_close_matches

from kwsuite.datasets.world_format import Scenario
from kwsuite.worlds.edits import edited
from kwsuite.worlds.engine import World
from kwsuite.worlds.faults import AuthoringError, Location
from kwsuite.worlds.parameters import Malformed, accept_arguments
from kwsuite.worlds.trajectory import Call


def check_scripts(scenario: Scenario, world: World) -> None:
    """Check every call that a scenario writes down: of reference runs, of single criteria, of hidden facts.

    Raises:
        AuthoringError: The first call to a tool that there is not, with arguments that it does not take, or an edit
            that does not fit the expert run.
    """
    for index, hidden in enumerate(scenario.hidden):
        for tool in hidden.found_by:
            _check_tool(tool, world, ("hidden", index, "found_by"))
    if scenario.reference is None:
        return
    for script in ("expert", "surface"):
        for index, call in enumerate(getattr(scenario.reference, script)):
            _check_call(call, world, ("reference", script, index))
    for index, criterion in enumerate(scenario.evaluation_rubric):
        if criterion.alone is None:
            continue
        at = ("evaluation_rubric", index, "alone")
        for position, call in enumerate(criterion.alone.calls):
            _check_call(call, world, (*at, "with", position))
        try:
            edited(scenario.reference.expert, criterion.alone.edit())
        except ValueError as error:
            raise AuthoringError(at, str(error)) from error


def _check_call(call: Call, world: World, at: Location) -> None:
    _check_tool(call.tool, world, at)
    try:
        accept_arguments(world.actions[call.tool].parameters, call.arguments)
    except Malformed as error:
        raise AuthoringError(at, f"{call.tool}: {error}") from error


def _check_tool(tool: str, world: World, at: Location) -> None:
    if tool not in world.actions:
        near = get_close_matches(tool, world.actions, n=1)
        advice = f"Did you mean {near[0]!r}?" if near else f"Tools: {', '.join(sorted(world.actions))}."
        raise AuthoringError(at, f"there is no tool {tool!r}. {advice}")
