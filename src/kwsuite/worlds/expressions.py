"""Expressions in CEL. This is the only module that knows the library under them, and everything odd about it.

Seen in cel-expr-python 0.1.3, each with a test: errors are returned as values; some are raised as bare RuntimeError;
`int + double` is an error; `||`, `&&`, `all` and `exists` absorb errors; a map is walked in an order that changes
between processes; an exception inside a custom function arrives only as a message; loops stop at a budget of 10,000
rounds and expressions at a depth of about thirty; a result that is an optional cannot be turned into a Python value;
text is cut at a NUL; a faulty declaration shows only at the first compilation; an activation reads its data late and
once, so it must never be given data that changes.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps

from cel_expr_python import cel
from cel_expr_python.ext import ext_bindings, ext_math, ext_optional, ext_strings

from kwsuite.worlds import functions
from kwsuite.worlds.faults import AuthoringError, Location, WorldFault
from kwsuite.worlds.functions import EVALUATION, Evaluation
from kwsuite.worlds.json_values import Json, unfit
from kwsuite.worlds.rewriting import FunctionCall, Reading, read_expression
from kwsuite.worlds.tokens import Unreadable, tokens
from kwsuite.worlds.trajectory import Trajectory

_WORDS_OF_CEL = (
    "as break cel const continue else false for function if import in let loop math namespace null optional package "
    "return true var void while bool bytes double duration dyn int list map null_type string timestamp type uint"
)
RESERVED = frozenset(_WORDS_OF_CEL.split()) | {"initial", "state"}
"""Names that CEL or the engine needs; no entity or parameter can have one."""

_KINDS = {"any": cel.Type.DYN, "list": cel.Type.LIST, "map": cel.Type.MAP, "text": cel.Type.STRING}
_ABSENT_KEY = re.compile(r'Key not found in map : "(.*)"')
_NO_OVERLOAD = re.compile(r"No matching overloads found : (\S+?)(?:\((.*)\))?$")
_MEANINGS = {
    "<jump_condition>": "true or false is due before ?, && and ||.",
    "!_": "true or false is due after !.",
    "budget": "it walks over too much: loops inside one another stop after 10,000 rounds.",
    "Unable to convert function return value": "it ends in an optional. Give a default: .orValue(...).",
}
_PLACE = re.compile(r"ERROR: <input>:(-?\d+):(-?\d+): ([^\n]*)")


@dataclass(frozen=True)
class Scope:
    """The values that an expression sees."""

    values: Mapping[str, Json]
    activation: cel.Activation
    trajectory: Trajectory


class Expression:
    """A compiled expression."""

    def __init__(self, source: str, reading: Reading, compiled: cel.Expression, at: Location) -> None:
        self.source = source
        self.reading = reading
        self.at = at
        self._compiled = compiled

    def evaluate(self, scope: Scope) -> Json:
        """Give the value, as JSON; the keys of maps that the expression made stand in alphabetical order.

        Raises:
            WorldFault: The expression ends in an error, or in something that is not JSON.
        """
        evaluation = Evaluation(scope.trajectory)
        token = EVALUATION.set(evaluation)
        try:
            outcome = self._compiled.eval(scope.activation)
            value = outcome.plain_value()
        except (RuntimeError, TypeError) as error:
            raise self._fault(_meaning(str(error))) from error
        finally:
            EVALUATION.reset(token)
        if evaluation.errors:
            raise self._fault(str(evaluation.errors[0])) from evaluation.errors[0]
        if outcome.type() == cel.Type.ERROR:
            raise self._fault(_meaning(str(value)))
        if outcome.type() == cel.Type.TYPE or (fault := unfit(value)):
            raise self._fault("the result is a type" if outcome.type() == cel.Type.TYPE else str(fault))
        return _ordered(value)

    def decide(self, scope: Scope) -> bool:
        """Give the value where true or false is due.

        Raises:
            WorldFault: The expression ends in an error, or in anything but true or false.
        """
        value = self.evaluate(scope)
        if not isinstance(value, bool):
            raise self._fault(f"true or false is due here, not {value!r}. Compare with == or !=.")
        return value

    def _fault(self, message: str) -> WorldFault:
        return WorldFault(self.at, f"{message.rstrip('.')}. In: {self.source}")


class Language:
    """The expressions of one world: one environment for all, in which every entity and parameter has its name."""

    def __init__(self, names: Iterable[str], tools: Iterable[str]) -> None:
        self._names = {*names, "state", "initial"}
        self._tools = frozenset(tools)
        self._environment = cel.NewEnv(
            variables=dict.fromkeys(sorted(self._names), cel.Type.DYN),
            extensions=[
                ext_strings.ExtStrings(),
                ext_bindings.ExtBindings(),
                ext_math.ExtMath(),
                ext_optional.ExtOptional(),
                cel.CelExtension("kwsuite", _declarations()),
            ],
        )

    def scope(self, variables: Mapping[str, Json], trajectory: Trajectory | None = None) -> Scope:
        """Bind values to names. They must never change afterwards: the library reads them late, and once."""
        return Scope(variables, self._environment.Activation(dict(variables)), trajectory or Trajectory())

    def compile(self, source: str, at: Location, names: Iterable[str], *, trajectory: bool = False) -> Expression:
        """Compile an expression that may mention `names`.

        Args:
            source: CEL.
            at: Where it stands in the scenario's file.
            names: What is in scope here: entities, and parameters inside an action.
            trajectory: Whether it may ask about the trajectory (checks may).

        Raises:
            AuthoringError: It is not CEL, mentions an unknown name or tool, or asks about the trajectory too early.
        """
        try:
            reading = read_expression(source)
        except Unreadable as error:
            raise AuthoringError(at, f"{self._complaint(source) or error} In: {source}") from error
        known = {*names, "state", "initial"}
        for name, offset in reading.names.items():
            if name not in known and name not in RESERVED:
                raise AuthoringError(at, f"column {offset + 1}: {_unknown(name, source, known)} In: {source}")
        for call in reading.calls:
            self._check_call(call, at, trajectory)
        try:
            compiled = self._environment.compile(reading.text)
        except RuntimeError as error:
            complaint = self._complaint(source) or _first_line(str(error))
            raise AuthoringError(at, f"{complaint} In: {source}") from error
        return Expression(source, reading, compiled, at)

    def _complaint(self, source: str) -> str | None:
        try:
            self._environment.compile(source)
        except RuntimeError as error:
            return _first_line(str(error))
        return None

    def _check_call(self, call: FunctionCall, at: Location, trajectory: bool) -> None:
        if call.name not in functions.TRAJECTORY:
            return
        if not trajectory:
            raise AuthoringError(
                at, f"{call.name}(...) is for checks. Keep what happened in a property of the state instead."
            )
        for tool in call.texts[: 2 if call.name == "called_before" else 1]:
            if tool is not None and tool not in self._tools:
                near = get_close_matches(tool, self._tools, n=1)
                advice = f"Did you mean {near[0]!r}?" if near else f"Tools: {', '.join(sorted(self._tools))}."
                raise AuthoringError(at, f"{call.name}({tool!r}): there is no such tool. {advice}")


def _declarations() -> list[cel.FunctionDecl]:
    forms = {name: (form,) for name, form in functions.PLAIN.items()} | functions.TRAJECTORY
    return [
        cel.FunctionDecl(
            name,
            [
                cel.Overload(
                    f"{name}_{'_'.join(kinds)}",
                    return_type=cel.Type.DYN,
                    parameters=[_KINDS[kind] for kind in kinds],
                    impl=_remembering(implementation),
                )
                for kinds, implementation in overloads
            ],
        )
        for name, overloads in forms.items()
    ]


def _remembering(implementation: Callable[..., Json]) -> Callable[..., Json]:
    @wraps(implementation)
    def call(*arguments: Json) -> Json:
        try:
            return implementation(*arguments)
        except Exception as error:  # whatever it is, the library would pass on only its message
            EVALUATION.get().errors.append(error)
            raise

    return call


def _unknown(name: str, source: str, known: set[str]) -> str:
    if source.strip() == name or len(tokens(source)) == 2:
        quoted = f"Text wants quotes of its own: \"'{name}'\"."
    else:
        quoted = f"Names here: {', '.join(sorted(known))}."
    near = get_close_matches(name, known, n=1)
    return f"unknown name {name!r}. " + (f"Did you mean {near[0]!r}? " if near else "") + quoted


def _first_line(message: str) -> str:
    match = _PLACE.search(message)
    if match is None:
        return _meaning(message)
    line, column, complaint = match.groups()
    place = f"line {line}, column {column}" if int(line) > 1 else f"column {column}"
    complaint = complaint.partition(" (in container")[0].partition(" expecting {")[0]
    return f"{place}: {complaint}." if int(column) > 0 else f"{complaint}."


def _meaning(message: str) -> str:
    """Say what a message of the library means to the author."""
    if absent := _ABSENT_KEY.search(message):
        key = absent.group(1)
        return f"there is no key {key!r}. Ask first whether there is, or give a default: [?{key!r}].orValue(...)."
    if overload := _NO_OVERLOAD.search(message):
        operator, kinds = overload.groups()
        if kinds in ("int64, double", "double, int64"):
            return f"{operator.strip('_@')} cannot join an integer and a number: write double(...) around the integer."
        if operator not in ("<jump_condition>", "!_"):
            return f"{operator.strip('_@')} does not work on {kinds or 'these kinds'}."
    known = next((meaning for sign, meaning in _MEANINGS.items() if sign in message), None)
    return known or message.split(": ", maxsplit=1)[-1].partition(" [")[0].rstrip(".") + "."


def _ordered(value: Json) -> Json:
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list) else value
