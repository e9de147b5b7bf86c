"""The format of entities and their actions; `world_format` has the rest of a scenario."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeAlias, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    StrictBool,
    StringConstraints,
    model_validator,
)

from kwsuite.worlds.parameters import ParameterType
from kwsuite.worlds.trajectory import Call

T = TypeVar("T")
Text: TypeAlias = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Code: TypeAlias = Annotated[str, StringConstraints(min_length=1)]
"""An expression in CEL."""


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


def _call(value: Any) -> Any:
    if isinstance(value, str):
        return Call(value, {})
    if isinstance(value, Mapping) and len(value) == 1:
        ((tool, arguments),) = value.items()
        if isinstance(arguments, Mapping):
            return Call(str(tool), dict(arguments))
    raise ValueError("a call is written as tool: {argument: value}, or as the tool's name alone")


def _typed(value: Any) -> Any:
    return {"type": value} if isinstance(value, str) else value


def _some(value: tuple[T, ...]) -> tuple[T, ...]:
    if not value:
        raise ValueError("at least one entry is due. Add it.")
    return value


OneOrMore: TypeAlias = Annotated[tuple[T, ...], BeforeValidator(_listed, json_schema_input_type=T | tuple[T, ...])]
Some: TypeAlias = Annotated[tuple[T, ...], AfterValidator(_some)]
ScriptedCall: TypeAlias = Annotated[
    Call, BeforeValidator(_call, json_schema_input_type=str | dict[str, dict[str, JsonValue]])
]


class Model(BaseModel):
    """What every part of the format shares."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ParameterPart(Model):
    """A parameter of an action; `name: type` is short for `name: {type: type}`."""

    type: ParameterType = "string"
    """`date`, `time` and `datetime` are text: YYYY-MM-DD, HH:MM in 24 hours, and both with a T between."""
    description: str = ""
    """Shown to the agent."""
    required: StrictBool = True
    """An optional parameter that is left out holds its default."""
    default: JsonValue = None
    """For an optional parameter; null unless given."""
    enum: tuple[JsonValue, ...] = ()
    """The accepted values, shown to the agent."""
    among: Code | None = None
    """A map or list in the state that must hold the value, else the call is refused; not shown to the agent."""

    @model_validator(mode="after")
    def _default_is_optional(self) -> "ParameterPart":
        if self.required and "default" in self.model_fields_set:
            raise ValueError("a required parameter has no default. Add required: false, or remove the default.")
        return self


class EffectPart(Model):
    """What changes. All of an action's effects see the state before it; keys are paths, text in values is CEL."""

    when: Code | None = None
    """A condition; without it the effect always takes place."""
    set: dict[str, JsonValue] = Field(default_factory=dict)
    """Path -> new value."""
    merge: dict[str, JsonValue] = Field(default_factory=dict)
    """Path of a map -> entries to add or replace."""
    append: dict[str, JsonValue] = Field(default_factory=dict)
    """Path of a list -> item to add at its end."""
    remove: OneOrMore[str] = ()
    """Paths of entries to take out of their map or list."""

    @model_validator(mode="after")
    def _does_something(self) -> "EffectPart":
        if not (self.set or self.merge or self.append or self.remove):
            raise ValueError("an effect needs set, merge, append or remove. Add one.")
        return self


class RequirementPart(Model):
    """What must hold for an action to take place."""

    check: Code
    """True where the action may take place."""
    message: Text
    """What the agent is told otherwise, without a hint at what to do; a template like `reply`."""


class ActionPart(Model):
    """An action of an entity: its contract in prose, and its executable form."""

    name: Text
    """With the entity's key it makes the tool's name, `<entity>_<action>`."""
    description: Text
    """Shown to the agent."""
    parameters: dict[str, Annotated[ParameterPart, BeforeValidator(_typed)]] = Field(default_factory=dict)
    """By name."""
    returns: Text | None = None
    """The contract in prose, for a model that plays the world; a read-only action may leave it to `reads`."""
    requires: OneOrMore[RequirementPart] = ()
    """Checked in order, before any effect."""
    effects: OneOrMore[EffectPart] = ()
    """Without effects the action is read-only."""
    reads: OneOrMore[str] = ()
    """The state paths that it reports."""
    reply: Text | None = None
    """What the agent is told, with {expressions} on the state after; by default what it reads as JSON, else "Done."."""
    scope: Literal["narrow", "broad"] | None = None
    """Where it matters: whether a call touches only what was asked for, or more."""
    broad_when: Code | None = None
    """Where that depends on the arguments: true for a broad call; every other is narrow. It may not ask the state."""

    @property
    def executable(self) -> bool:
        """Whether the engine can play it; prose only needs a world model."""
        return bool(self.effects or self.reads or self.reply)

    @property
    def read_only(self) -> bool:
        """Whether it can change nothing; a contract in prose says so by opening with "No state changes"."""
        return not self.effects if self.executable else self.contract.casefold().startswith("no state change")

    @property
    def contract(self) -> str:
        """What it does, in prose."""
        if self.returns is not None:
            return self.returns
        known = [f" Fails if {name} is not in {p.among}." for name, p in self.parameters.items() if p.among]
        return f"No state changes. Reports {', '.join(self.reads)} as JSON.{''.join(known)}"

    @model_validator(mode="after")
    def _has_contract(self) -> "ActionPart":
        if self.returns is None and (self.effects or not self.reads):
            raise ValueError("returns, the contract in prose, is required. Only an action that just reads can omit it.")
        return self


class EntityPart(Model):
    """An entity of the world."""

    id: str | None = None
    """If given, the entity's key again."""
    type: Text
    """A word such as app, system or setting."""
    name: Text
    """Shown to the agent, like the type and the description."""
    description: str = ""
    """What it is, without its state."""
    state: dict[str, JsonValue]
    """Property -> value. The initial values declare the kinds."""
    actions: Some[ActionPart]
    """What can be done with it."""


def tool_name(entity: str, action: str) -> str:
    """Name the tool of an action.

    Raises:
        ValueError: The name would not fit what model providers accept, `[a-zA-Z0-9_-]{1,64}`.
    """
    name = f"{entity}_{action}"
    if re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) is None:
        raise ValueError(f"the tool name {name!r} must match [a-zA-Z0-9_-]{{1,64}}. Rename the action or the entity.")
    return name
