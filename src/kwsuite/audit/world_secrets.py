"""Nothing hidden shows before it is looked for, and all of it can be found by looking."""

from collections.abc import Iterator

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.world_format import HiddenPart, Scenario
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.engine import play
from kwsuite.worlds.faults import Location, WorldFault
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.paths import Path, compile_path
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
    for word in part.words:
        for name, text in (("request", scenario.user_prompt), ("context", context)):
            if word.lower() in text.lower():
                yield f"the {name} gives {word!r} away. Reword it."
        for tool, reply in _surface_replies(item, part):
            if word.lower() in reply.lower():
                yield f"the reply of {tool} gives {word!r} away before anyone looks. Reword it, or list the tool."


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
        showing = {tool for tool, a in world.actions.items() if any(_overlap(path, hidden) for path in a.reads)}
        if not showing & set(part.found_by):
            yield f"none of {', '.join(part.found_by)} reports {source}."
        for tool in sorted(showing - set(part.found_by)):
            yield f"{tool} reports {source} too. Add it to found_by, or let it report less."
        shown = _shown(item.scenario).lower()
        for text in _texts(look_up(world.initial, hidden.resolve(world.scope(world.initial)))):
            if len(text) >= SHORTEST_VALUE and text.lower() in shown:
                yield f"{text!r}, a value of {source}, stands in what the agent is shown at the start."


def _overlap(one: Path, other: Path) -> bool:
    return all(a == b for a, b in zip(_fixed(one), _fixed(other), strict=False))


def _fixed(path: Path) -> list[str]:
    """The part of a path before the first computed key."""
    fixed: list[str] = []
    for segment in path.segments:
        if not isinstance(segment, str):
            break
        fixed.append(segment)
    return fixed


def _shown(scenario: Scenario) -> str:
    """What the agent is told at the start, without the choices of parameters."""
    texts = [scenario.user_prompt, *(str(value) for value in scenario.world.context.values())]
    for entity in scenario.world.entities.values():
        texts += [entity.name, entity.description]
        for action in entity.actions:
            texts += [action.description, *(p.description for p in action.parameters.values())]
    return "\n".join(texts)


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
