"""Whether JSON has the keys and kinds that were asked for."""

from collections.abc import Mapping
from typing import Any, Literal, assert_never

from kwsuite.checking.numbers import is_finite

JsonKey = Literal["text", "number", "whole", "flag", "list", "object"]
"""What a key must hold; `number` takes whole ones too, and a flag is never a number."""


def json_faults(value: Any, keys: Mapping[str, JsonKey], place: str, *, closed: bool = False) -> list[str]:
    """List what is wrong with an object.

    Args:
        value: What JSON gave.
        keys: Every key it must have, and what each must hold; their order never matters.
        place: How to call the object in a fault.
        closed: Whether other keys are a fault.
    """
    if not isinstance(value, dict):
        return [f"{place} is no object"]
    faults = [f"{place} lacks {key!r}" for key in keys if key not in value]
    faults += [
        f"{place}: {key} is {value[key]!r}, which is no {kind}"
        for key, kind in keys.items()
        if key in value and not _is(value[key], kind)
    ]
    if closed:
        faults += [f"{place} has {key!r}, which was not asked for" for key in value if key not in keys]
    return faults


def _is(value: Any, kind: JsonKey) -> bool:
    match kind:
        case "text":
            return isinstance(value, str)
        case "number":
            return not isinstance(value, bool) and isinstance(value, int | float) and is_finite(value)
        case "whole":
            is_float = isinstance(value, float) and value.is_integer()
            return is_float or (isinstance(value, int) and not isinstance(value, bool))
        case "flag":
            return isinstance(value, bool)
        case "list":
            return isinstance(value, list)
        case "object":
            return isinstance(value, dict)
        case _ as never:
            assert_never(never)
