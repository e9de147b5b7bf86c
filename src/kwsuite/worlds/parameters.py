"""Parameters of actions: what the caller is told about them, and what is accepted."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from kwsuite.worlds.expressions import Expression
from kwsuite.worlds.json_values import Json, kind_of, same, unfit

ParameterType: TypeAlias = Literal[
    "string", "integer", "number", "boolean", "date", "time", "datetime", "array", "object"
]

_DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
_TIME = r"([01]\d|2[0-3]):[0-5]\d"
_FORMATS = {
    "date": (_DATE, "YYYY-MM-DD"),
    "time": (_TIME, "HH:MM, 24 h"),
    "datetime": (f"{_DATE}T{_TIME}", "YYYY-MM-DDTHH:MM"),
}
_SCHEMA_TYPES = {"date": "string", "time": "string", "datetime": "string"}


class Malformed(ValueError):
    """Arguments that do not fit the schema; the message tells the caller what is due."""


@dataclass(frozen=True)
class Parameter:
    """One parameter of an action."""

    name: str
    type: ParameterType
    """`date`, `time` and `datetime` are text of a fixed form, so that they compare in order of time."""
    description: str
    required: bool
    default: Json
    """What an optional parameter holds when it is left out or null."""
    enum: tuple[Json, ...]
    """The accepted values, shown to the caller; empty for no restriction."""
    among: Expression | None
    """A map or list in the state that must hold the value when the action is called; not shown to the caller."""

    def schema(self) -> dict[str, Json]:
        """Give the JSON Schema that callers see."""
        form = f"({_FORMATS[self.type][1]})" if self.type in _FORMATS else ""
        description = " ".join(part for part in (self.description, form) if part)
        schema: dict[str, Json] = {"type": _SCHEMA_TYPES.get(self.type, self.type)}
        if description:
            schema["description"] = description
        if self.enum:
            schema["enum"] = list(self.enum)
        if self.type in _FORMATS:
            schema["pattern"] = f"^{_FORMATS[self.type][0]}$"
        return schema

    def fits(self, value: Json) -> bool:
        """Say whether the value is of the parameter's type."""
        return _misfit(self.type, value) is None and unfit(value) is None

    def accept(self, value: Json) -> Json:
        """Give the value as the engine keeps it: a whole number given for `number` becomes a decimal one.

        Raises:
            Malformed: The value does not fit. Nothing is converted from text.
        """
        if reason := _misfit(self.type, value) or unfit(value):
            raise Malformed(f"{self.name}: {reason}.")
        if self.enum and not any(same(value, choice) for choice in self.enum):
            raise Malformed(f"{self.name}: must be one of {', '.join(repr(c) for c in self.enum)}, not {value!r}.")
        match self.type:
            case "number":
                return float(value)
            case "integer":
                return int(value)
            case "string" | "boolean" | "date" | "time" | "datetime" | "array" | "object":
                return value
            case _:
                assert_never(self.type)


def accept_arguments(parameters: Sequence[Parameter], arguments: Mapping[str, Json]) -> dict[str, Json]:
    """Check arguments against the parameters and fill in defaults.

    Raises:
        Malformed: One is missing, unknown, or does not fit.
    """
    known = {parameter.name for parameter in parameters}
    if unknown := [name for name in arguments if name not in known]:
        raise Malformed(f"{unknown[0]}: no such parameter (parameters: {', '.join(sorted(known)) or 'none'}).")
    accepted: dict[str, Json] = {}
    for parameter in parameters:
        value = arguments.get(parameter.name)
        if value is None and not parameter.required:
            accepted[parameter.name] = parameter.default
        elif parameter.name not in arguments:
            raise Malformed(f"{parameter.name}: is required.")
        else:
            accepted[parameter.name] = parameter.accept(value)
    return accepted


def _misfit(wanted: ParameterType, value: Json) -> str | None:
    kind = kind_of(value)
    due = f"a {wanted}"
    match wanted:
        case "integer":
            fits, due = kind == "integer" or (isinstance(value, float) and value.is_integer()), "an integer"
        case "number":
            fits = kind == "integer" or (isinstance(value, float) and math.isfinite(value))
        case "boolean":
            fits, due = kind == "boolean", "true or false"
        case "array" | "object":
            fits, due = kind == ("list" if wanted == "array" else "map"), f"an {wanted}"
        case "string":
            fits = kind == "text"
        case "date" | "time" | "datetime":
            pattern, form = _FORMATS[wanted]
            fits, due = kind == "text" and re.fullmatch(pattern, value) is not None, f"a {wanted} ({form})"
        case _:
            assert_never(wanted)
    return None if fits else f"must be {due}, not {value!r}"
