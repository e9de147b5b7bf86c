"""Refusing arguments that cannot be meant, of a task, a solver or a scorer: Inspect takes any of them."""

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Any


class ArgumentError(Exception):
    """An argument that cannot be meant; the message names it, its value and what it can be.

    Not a ValueError: Inspect takes one, raised while a scorer is made, to mean that there is no such scorer, and the
    message would be lost.
    """


def refuse_unknown(task: Callable[..., Any], unknown: Mapping[str, Any]) -> None:
    """Refuse arguments that `task` does not name: Inspect only warns, and would run the default arm.

    Raises:
        ArgumentError: Names each, with the nearest known argument or all of them.
    """
    if not unknown:
        return
    parameters = inspect.signature(task).parameters.values()
    known = [parameter.name for parameter in parameters if parameter.kind != parameter.VAR_KEYWORD]
    lines = []
    for name in unknown:
        near = get_close_matches(name, known, n=1)
        advice = f"Did you mean {near[0]}?" if near else f"It takes: {', '.join(known)}."
        lines.append(f"{task.__name__} has no argument {name!r}. {advice}")
    raise ArgumentError("\n".join(lines))


def check_flags(**flags: Any) -> None:
    """Refuse a switch that is neither true nor false, for any text would count as true.

    Raises:
        ArgumentError: Names the argument and the value.
    """
    for name, given in flags.items():
        if not isinstance(given, bool):
            raise ArgumentError(f"{name} is {given!r}; it must be true or false.")


def check_choice(name: str, given: Any, choices: tuple[Any, ...]) -> None:
    """Refuse a value that is not among the choices.

    Raises:
        ArgumentError: Names the argument, the value and the choices.
    """
    if given not in choices:
        raise ArgumentError(f"{name} is {given!r}; choose one of {', '.join(str(choice) for choice in choices)}.")


def check_count(name: str, given: Any, *, least: int = 1) -> None:
    """Refuse what is no whole number of at least `least`.

    Raises:
        ArgumentError: Names the argument and the value.
    """
    if not isinstance(given, int) or isinstance(given, bool) or given < least:
        raise ArgumentError(f"{name} is {given!r}; it must be a whole number of at least {least}.")


def check_share(name: str, given: Any) -> None:
    """Refuse what is no number above 0 and at most 1.

    Raises:
        ArgumentError: Names the argument and the value.
    """
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given <= 1:
        raise ArgumentError(f"{name} is {given!r}; it must be a number above 0 and at most 1.")
