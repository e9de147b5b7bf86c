"""Seeded random agents: calls that mostly fit the world, and now and then do not."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import assert_never

from kwsuite.worlds.engine import Run, World
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.parameters import Parameter
from kwsuite.worlds.trajectory import Call

ODD_SHARE = 0.1
"""The share of arguments drawn to be wrong: unknown, of another type, or left out."""

_ODD: tuple[Json, ...] = ("no such thing", "", "0", -1, 10**6, 2.5, True, None, [], {})
_NUMBERS = (0, 1, 2, 5, 10, 60)
_TIMES = {
    "date": ("2026-01-31", "2026-06-15", "2026-12-01"),
    "time": ("00:00", "07:30", "12:00", "23:59"),
    "datetime": ("2026-01-31T00:00", "2026-06-15T12:30", "2026-12-01T23:59"),
}


def random_walk(world: World, seed: int, steps: int) -> Iterator[Run]:
    """Walk at random from the start, giving the run after each step. The same seed walks the same way.

    Raises:
        WorldFault: The world breaks.
    """
    random = Random(seed)
    words = sorted(set(_words(world.initial)))
    run = Run.start(world)
    for _ in range(steps):
        run = run.act(random_call(run, random, words))
        yield run


def random_call(run: Run, random: Random, words: list[str]) -> Call:
    """Draw one call: any tool, and for each parameter a value that the schema and the state suggest.

    Args:
        run: The run so far; `among` is looked up in its state.
        random: The source of chance.
        words: Text to draw from where nothing better is known; must not be empty.
    """
    action = run.world.actions[random.choice(sorted(run.world.actions))]
    arguments: dict[str, Json] = {}
    for parameter in action.parameters:
        value = _value(parameter, run, random, words)
        if random.random() < ODD_SHARE:
            value = random.choice(_ODD)
        if value is not None or parameter.required:
            arguments[parameter.name] = value
    return Call(action.tool, arguments)


def _value(parameter: Parameter, run: Run, random: Random, words: list[str]) -> Json:
    if not parameter.required and random.random() < 1 / 2:
        return None
    known: Json = parameter.enum
    if parameter.among is not None:
        known = parameter.among.evaluate(run.world.scope(run.state))
    if known:
        return random.choice(sorted(known) if isinstance(known, dict) else known)
    return random.choice(_suggestions(parameter, words))


def _suggestions(parameter: Parameter, words: list[str]) -> Sequence[Json]:
    match parameter.type:
        case "integer" | "number":
            return _NUMBERS
        case "boolean":
            return (True, False)
        case "date" | "time" | "datetime":
            return (*_TIMES[parameter.type], *(word for word in words if parameter.fits(word)))
        case "array":
            return [words]
        case "object":
            return [{}]
        case "string":
            return words
        case _:
            assert_never(parameter.type)


def _words(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield key
            yield from _words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)
