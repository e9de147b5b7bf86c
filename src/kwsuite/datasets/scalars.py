"""What a plain (unquoted) YAML scalar means."""

import math
import re

Scalar = str | int | float | bool | None

MAX_INTEGER_DIGITS = 40
"""Longest integer read as a number; a longer one is almost surely an identifier that wants quotes."""

_INTEGER = re.compile(r"-?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"-?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CODE = re.compile(r"(?P<sign>[-+]?)0+(?=[0-9])(?P<rest>[0-9.eE+-]+)|\+(?P<positive>[0-9.][0-9.eE+-]*)")
_NON_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def plain_scalar(text: str) -> Scalar:
    """Read a plain scalar by the YAML 1.2 core schema, refusing what would change value unseen.

    `no`, `on`, dates and `09:30` stay text; `1e-3` and `0x1F` are numbers; the empty text is None. A leading zero or
    plus sign is refused, because the text may be a code (`012`, `+44`) that a number would not give back.

    Raises:
        ValueError: Says what is wrong with the text and how to write it.
    """
    match text:
        case "" | "~" | "null" | "Null" | "NULL":
            return None
        case "true" | "True" | "TRUE":
            return True
        case "false" | "False" | "FALSE":
            return False
    if _NON_FINITE.fullmatch(text):
        raise ValueError(f"{text} is not a finite number. Quote it if text is meant: '{text}'.")
    code = _CODE.fullmatch(text)
    if code and _FLOAT.fullmatch(text.removeprefix("+")):
        number = code["positive"] or (code["sign"] or "").removeprefix("+") + code["rest"]
        what = "plus sign" if text.startswith("+") else "zero"
        raise ValueError(f"{text} has a leading {what}. Quote it: '{text}', or write the number {number}.")
    return _number(text)


def _number(text: str) -> str | int | float:
    for pattern, base in ((_INTEGER, 10), (_OCTAL, 8), (_HEXADECIMAL, 16)):
        if pattern.fullmatch(text):
            if len(text) > MAX_INTEGER_DIGITS:
                raise ValueError(f"an integer of {len(text)} digits. Quote it if it is an identifier.")
            return int(text, base)
    if not _FLOAT.fullmatch(text):
        return text
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text} is not a finite number. Quote it if text is meant: '{text}'.")
    return number
