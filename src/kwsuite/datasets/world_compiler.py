"""From a scenario to the world that the engine plays."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from pydantic import JsonValue

from kwsuite.datasets.world_actions import ActionPart, EffectPart, ParameterPart, tool_name
from kwsuite.datasets.world_format import RulePart, Scenario
from kwsuite.datasets.world_scripts import check_scripts
from kwsuite.worlds.actions import Action, Requirement
from kwsuite.worlds.effects import Effect, Operation, Recipe, Verb
from kwsuite.worlds.engine import World
from kwsuite.worlds.expressions import RESERVED, Expression, Language
from kwsuite.worlds.faults import AuthoringError, Location, WorldFault
from kwsuite.worlds.json_values import unfit
from kwsuite.worlds.parameters import Malformed, Parameter
from kwsuite.worlds.paths import Path, compile_path
from kwsuite.worlds.rules import Rule, settle
from kwsuite.worlds.state import State
from kwsuite.worlds.templates import compile_template


def compile_world(scenario: Scenario) -> World:
    """Compile everything executable in a scenario.

    Raises:
        AuthoringError: The first part that cannot be compiled.
    """
    _check_names(scenario)
    initial: State = {key: entity.state for key, entity in scenario.world.entities.items()}
    tools = _tools(scenario)
    names = {name for tool in tools.values() for name in tool.part.parameters}
    compiler = _Compiler(Language({*initial, *names}, tools), initial)
    world = World(
        language=compiler.language,
        initial=initial,
        actions={name: compiler.action(name, tool) for name, tool in tools.items()},
        rules=tuple(compiler.rules(scenario.execution_rules)),
        checks=dict(compiler.checks(scenario)),
        temporary=tuple(compiler.paths(scenario.temporary, ("temporary",))),
    )
    list(compiler.paths((path for part in scenario.hidden for path in part.at), ("hidden",)))
    _check_rest(world)
    check_scripts(scenario, world)
    return world


class _Tool(NamedTuple):
    entity: str
    part: ActionPart
    at: Location


def _tools(scenario: Scenario) -> dict[str, _Tool]:
    tools: dict[str, _Tool] = {}
    for key, entity in scenario.world.entities.items():
        for index, part in enumerate(entity.actions):
            at = ("world", "entities", key, "actions", index)
            try:
                name = tool_name(key, part.name)
            except ValueError as error:
                raise AuthoringError((*at, "name"), str(error)) from error
            if name == "ask_user":
                raise AuthoringError((*at, "name"), f"{name!r} is the tool to ask the user. Rename the action.")
            if name in tools:
                raise AuthoringError((*at, "name"), f"two actions make the tool {name!r}. Rename one of them.")
            tools[name] = _Tool(key, part, at)
    return tools


def _check_names(scenario: Scenario) -> None:
    for key, entity in scenario.world.entities.items():
        at: Location = ("world", "entities", key)
        _check_name(key, at, "an entity")
        if entity.id not in (None, key):
            raise AuthoringError((*at, "id"), f"the id repeats the key: {key!r}, not {entity.id!r}.")
        if fault := unfit(entity.state):
            raise AuthoringError((*at, "state"), f"{fault}.")
        for index, action in enumerate(entity.actions):
            for name in action.parameters:
                place = (*at, "actions", index, "parameters", name)
                _check_name(name, place, "a parameter")
                if name in scenario.world.entities:
                    raise AuthoringError(place, f"{name!r} is an entity, so expressions could mean either. Rename it.")
    seen: dict[str, int] = {}
    for index, criterion in enumerate(scenario.evaluation_rubric):
        identifier = criterion.id or f"c{index + 1}"
        if identifier in seen:
            raise AuthoringError(
                ("evaluation_rubric", index),
                f"the id {identifier!r} is also that of criterion {seen[identifier] + 1}. Rename one of them.",
            )
        seen[identifier] = index


def _check_name(name: str, at: Location, what: str) -> None:
    if name in RESERVED:
        raise AuthoringError(at, f"{what} cannot be called {name!r}: expressions use the word. Rename it.")
    if not (name.isascii() and name.isidentifier()):
        suggestion = "".join(c if c.isascii() and c.isalnum() else "_" for c in name).strip("_")
        advice = f" Try {suggestion!r}." if suggestion.isidentifier() else ""
        raise AuthoringError(at, f"{what} is called by letters, digits and underscores, not {name!r}.{advice}")


class _Compiler:
    """Compiles the parts of one scenario."""

    def __init__(self, language: Language, initial: State) -> None:
        self.language = language
        self.initial = initial

    def action(self, name: str, tool: _Tool) -> Action:
        part, at = tool.part, tool.at
        names = (*self.initial, *part.parameters)
        return Action(
            tool=name,
            entity=tool.entity,
            name=part.name,
            description=part.description,
            parameters=tuple(
                self.parameter(key, parameter, (*at, "parameters", key)) for key, parameter in part.parameters.items()
            ),
            requires=tuple(
                Requirement(
                    self.language.compile(requirement.check, (*at, "requires", index, "check"), names),
                    compile_template(requirement.message, (*at, "requires", index, "message"), self.language, names),
                )
                for index, requirement in enumerate(part.requires)
            ),
            effects=tuple(self.effects(part.effects, (*at, "effects"), names)),
            reads=tuple(self.paths(part.reads, (*at, "reads"), names)),
            reply=None if part.reply is None else compile_template(part.reply, (*at, "reply"), self.language, names),
            scope=part.scope,
            broad_when=self.broad_when(part.broad_when, (*at, "broad_when"), names),
            read_only=part.read_only,
            executable=part.executable,
            at=at,
        )

    def parameter(self, name: str, part: ParameterPart, at: Location) -> Parameter:
        parameter = Parameter(
            name=name,
            type=part.type,
            description=part.description,
            required=part.required,
            default=part.default,
            enum=part.enum,
            among=self.optional(part.among, (*at, "among"), self.initial),
        )
        for key, value in (("default", part.default), *(("enum", choice) for choice in part.enum)):
            try:
                if value is not None:
                    parameter.accept(value)
            except Malformed as error:
                raise AuthoringError((*at, key), str(error)) from error
        return parameter

    def optional(self, source: str | None, at: Location, names: Iterable[str]) -> Expression | None:
        return None if source is None else self.language.compile(source, at, names)

    def broad_when(self, source: str | None, at: Location, names: Iterable[str]) -> Expression | None:
        expression = self.optional(source, at, names)
        around = {*self.initial, "state", "initial"}
        if expression is not None and (seen := [name for name in expression.reading.names if name in around]):
            # Breadth is read off a finished run, whose state is no longer that of the call.
            raise AuthoringError(
                at, f"the arguments alone decide how broad a call is, not {', '.join(seen)}. In: {expression.source}"
            )
        return expression

    def effects(self, parts: Iterable[EffectPart], at: Location, names: Iterable[str]) -> Iterator[Effect]:
        known = tuple(names)
        for index, part in enumerate(parts):
            place = (*at, index)
            yield Effect(self.optional(part.when, (*place, "when"), known), tuple(self.operations(part, place, known)))

    def operations(self, part: EffectPart, at: Location, names: tuple[str, ...]) -> Iterator[Operation]:
        tables: dict[Verb, Mapping[str, JsonValue]] = {"set": part.set, "merge": part.merge, "append": part.append}
        for verb, table in tables.items():
            for source, value in table.items():
                place = (*at, verb, source)
                path = compile_path(source, place, self.language, names, self.initial)
                yield Operation(verb, path, self.recipe(value, place, names))
        for path in self.paths(part.remove, (*at, "remove"), names):
            yield Operation("remove", path, None)

    def recipe(self, value: JsonValue, at: Location, names: tuple[str, ...]) -> Recipe:
        if isinstance(value, str):
            return self.language.compile(value, at, names)
        if isinstance(value, dict):
            return {key: self.recipe(part, (*at, key), names) for key, part in value.items()}
        if isinstance(value, list):
            return [self.recipe(part, (*at, index), names) for index, part in enumerate(value)]
        return value

    def paths(self, sources: Iterable[str], at: Location, names: Iterable[str] | None = None) -> Iterator[Path]:
        known = tuple(self.initial if names is None else names)
        for index, source in enumerate(sources):
            yield compile_path(source, (*at, index), self.language, known, self.initial)

    def rules(self, parts: Iterable[RulePart]) -> Iterator[Rule]:
        for index, part in enumerate(parts):
            at = ("execution_rules", index)
            if part.when is not None:
                when = self.language.compile(part.when, (*at, "when"), self.initial)
                yield Rule(index + 1, when, tuple(self.effects(part.effects, (*at, "effects"), self.initial)), at)

    def checks(self, scenario: Scenario) -> Iterator[tuple[str, Expression]]:
        for index, (identifier, criterion) in enumerate(scenario.criteria.items()):
            if criterion.check is not None:
                at = ("evaluation_rubric", index, "check")
                yield identifier, self.language.compile(criterion.check, at, self.initial, trajectory=True)


def _check_rest(world: World) -> None:
    try:
        settled = settle(world.initial, world.initial, world.rules, world.scope)
    except WorldFault as error:
        raise AuthoringError(error.at, error.message) from error
    if settled.fired:
        rule = next(rule for rule in world.rules if rule.number == settled.fired[0])
        raise AuthoringError(
            rule.at, "this rule changes the initial state. Write the state as it is once it has fired."
        )
