"""Nothing hidden shows before it is looked for, and all of it can be found by looking."""

from collections.abc import Iterator

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.world_actions import tool_name
from kwsuite.datasets.world_format import HiddenPart, Scenario
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.actions import Action
from kwsuite.worlds.engine import play
from kwsuite.worlds.faults import Location, WorldFault
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.mentions import Pattern, mentions, overlap, pattern
from kwsuite.worlds.paths import compile_path
from kwsuite.worlds.state import look_up

SHORTEST_VALUE = 4
"""Texts shorter than this, such as days of the week, say nothing by occurring in a description."""


def hidden_findings(item: WorldItem) -> Iterator[AuditFinding]:
    """Prove that hidden facts are hidden, and can be found."""
    scenario = item.scenario
    if not scenario.hidden:
        yield AuditFinding(
            item.where(), scenario.id, "nothing is declared hidden. Say under hidden what has to be found out."
        )
    for index, part in enumerate(scenario.hidden):
        at: Location = ("hidden", index)
        for message in (*_words(item, part), *_ways(item, part), *_values(item, part, at)):
            yield AuditFinding(item.where(at), scenario.id, message)


def _words(item: WorldItem, part: HiddenPart) -> Iterator[str]:
    scenario = item.scenario
    context = " ".join(f"{key} {value}" for key, value in scenario.world.context.items())
    described = _described(scenario).lower()
    for word in part.words:
        for name, text in (("request", scenario.user_prompt), ("context", context)):
            if word.lower() in text.lower():
                yield f"the {name} gives {word!r} away. Reword it."
        if word.lower() in described and word not in part.named:
            yield f"the tools or what they act on give {word!r} away. Reword it, or list a name under named."
        for tool, reply in _surface_replies(item, part):
            if word.lower() in reply.lower():
                yield f"the reply of {tool} gives {word!r} away before anyone looks. Reword it, or list the tool."
    for word in part.named:
        if word not in part.words or word.lower() not in described:
            yield f"named lists {word!r}, which is not one of words or which nothing says. Unlist it."


def _surface_replies(item: WorldItem, part: HiddenPart) -> Iterator[tuple[str, str]]:
    reference = item.scenario.reference
    try:
        steps = play(item.world, reference.surface if reference else ()).steps
    except WorldFault:  # found by the proof of the surface run
        return
    for step in steps:
        if step.call.tool in part.found_by:
            return
        yield step.call.tool, step.reply


def _ways(item: WorldItem, part: HiddenPart) -> Iterator[str]:
    expert = item.scenario.reference.expert if item.scenario.reference else ()
    for tool in part.found_by:
        if not item.world.actions[tool].read_only:
            yield f"{tool} shows the fact but changes the state. Looking must be free."
        if all(call.tool != tool for call in expert):
            yield f"the expert run does not look with {tool}. Let it look, or unlist the tool."


def _values(item: WorldItem, part: HiddenPart, at: Location) -> Iterator[str]:
    world = item.world
    for source in part.at:
        hidden = compile_path(source, at, world.language, world.initial, world.initial)
        place = pattern(hidden)
        showing = {
            tool for tool, action in world.actions.items() if any(overlap(seen, place) for seen in _seen(item, action))
        }
        if not showing & set(part.found_by):
            yield f"none of {', '.join(part.found_by)} reports {source}."
        for tool in sorted(showing - set(part.found_by)):
            yield f"{tool} reports {source} too. Add it to found_by, or let it report less."
        shown = _shown(item.scenario).lower()
        for text in _texts(look_up(world.initial, hidden.resolve(world.scope(world.initial)))):
            if len(text) >= SHORTEST_VALUE and text.lower() in shown:
                yield f"{text!r}, a value of {source}, stands in what the agent is shown at the start."


def _seen(item: WorldItem, action: Action) -> Iterator[Pattern]:
    """The places that a call can show: what it reads, and what its reply and its refusals mention."""
    yield from map(pattern, action.reads)
    for template in (action.reply, *(requirement.message for requirement in action.requires)):
        for part in template.parts if template else ():
            if not isinstance(part, str):
                yield from mentions(part.source, item.world.initial)


def _shown(scenario: Scenario) -> str:
    """What the agent is told at the start, without names of tools and parameters."""
    context = (str(value) for value in scenario.world.context.values())
    return "\n".join([scenario.user_prompt, *context, *_descriptions(scenario)])


def _described(scenario: Scenario) -> str:
    """What tools and entities are called and how they are described, without the choices of parameters."""
    names = [
        name
        for key, entity in scenario.world.entities.items()
        for action in entity.actions
        for name in (tool_name(key, action.name), *action.parameters)
    ]
    return "\n".join([*names, *_descriptions(scenario)])


def _descriptions(scenario: Scenario) -> Iterator[str]:
    for entity in scenario.world.entities.values():
        yield from (entity.name, entity.description)
        for action in entity.actions:
            yield from (action.description, *(p.description for p in action.parameters.values()))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
