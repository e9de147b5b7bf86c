"""JSON values as the engine keeps them: exact kinds, strict equality, nothing that an expression would bend."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias, assert_never

Json: TypeAlias = Any
"""None, bool, int, float, str, list or dict with text keys; see `unfit` for what is refused."""

Kind: TypeAlias = Literal["null", "boolean", "integer", "number", "text", "list", "map"]

INT64 = range(-(2**63), 2**63)
"""The integers that an expression can hold."""

MAX_TEXT = 1_000_000
"""Characters of a text; a rule that doubles one at every turn ends here, and not with the memory."""

MAX_ENTRIES = 100_000
"""Entries of a list or map, for the same reason."""

_PLAIN_KINDS: dict[type, Kind] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "text",
    list: "list",
    dict: "map",
}


def kind_of(value: Json) -> Kind:
    """Name the kind of a JSON value. True is a boolean and 1 an integer; 1.0 is a number.

    Raises:
        TypeError: The value is not JSON.
    """
    if (plain := _PLAIN_KINDS.get(type(value))) is not None:
        return plain
    if isinstance(value, bool):
        return "boolean"
    kinds: tuple[tuple[type | tuple[type, ...], Kind], ...] = (
        (type(None), "null"),
        (int, "integer"),
        (float, "number"),
        (str, "text"),
        ((list, tuple), "list"),
        (Mapping, "map"),
    )
    for python, kind in kinds:
        if isinstance(value, python):
            return kind
    raise TypeError(f"{type(value).__name__} is not JSON")


def same(one: Json, other: Json) -> bool:
    """Compare two JSON values strictly: true is not 1, and 1 is not 1.0."""
    if one is other:
        return True
    kind = kind_of(one)
    if kind != kind_of(other):
        return False
    match kind:
        case "map":
            return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
        case "list":
            return len(one) == len(other) and all(same(a, b) for a, b in zip(one, other, strict=True))
        case "null" | "boolean" | "integer" | "number" | "text":
            return bool(one == other)
        case _:
            assert_never(kind)


def unfit(value: Json) -> str | None:
    """Say why a value cannot live in a world, or None if it can.

    Refused are what JSON does not have (dates, bytes, NaN) and what the expression library bends silently: integers
    beyond 64 bits, text with a NUL (it is cut there) and text with half a surrogate pair (it stops the library); and
    what has grown beyond `MAX_TEXT` or `MAX_ENTRIES`.
    """
    try:
        kind = kind_of(value)
    except TypeError as error:
        return str(error)
    fault: str | None = None
    match kind:
        case "integer" if value not in INT64:
            fault = f"{value} does not fit 64 bits; write an identifier as text"
        case "number" if not math.isfinite(value):
            fault = f"{value} is not a finite number"
        case "text":
            fault = _unfit_text(value)
        case "list" | "map" if len(value) > MAX_ENTRIES:
            fault = f"{len(value):,} entries are more than the {MAX_ENTRIES:,} that a {kind} may have"
        case "list":
            fault = _first_fault(value)
        case "map":
            odd = [key for key in value if not isinstance(key, str)]
            fault = f"the keys of a map are text, not {odd[0]!r}" if odd else _first_fault([*value, *value.values()])
        case "null" | "boolean" | "integer" | "number":
            pass
        case _:
            assert_never(kind)
    return fault


def _first_fault(values: Sequence[Json]) -> str | None:
    return next((fault for value in values if (fault := unfit(value))), None)


def _unfit_text(text: str) -> str | None:
    if len(text) > MAX_TEXT:
        return f"{len(text):,} characters are more than the {MAX_TEXT:,} that a text may have"
    if "\x00" in text:
        return "text must not hold a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "text must not hold half a surrogate pair"
    return None
