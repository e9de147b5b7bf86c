"""Numbers in outputs: reading them strictly and comparing them within a stated tolerance."""

import math
import re
from dataclasses import dataclass
from typing import Literal

Form = Literal["plain", "percent", "currency"]

_PLAIN = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[ ,\u00a0\u202f]\d{3})+(?:\.\d+)?", re.ASCII)
_CURRENCY = re.compile(r"^(?:[$€£]|EUR|USD|GBP|SEK)\s?|\s?(?:[$€£]|EUR|USD|GBP|SEK)$")


@dataclass(frozen=True)
class Tolerance:
    """How far two numbers may lie apart: `absolute + relative * |expected|`.

    Raises:
        ValueError: A part is not a finite number of at least 0.
    """

    absolute: float = 1e-4
    """In the unit of the value."""
    relative: float = 0.0
    """Share of the expected value; alone it never lets a nonzero number pass for an expected 0."""

    def __post_init__(self) -> None:
        for name in ("absolute", "relative"):
            part = getattr(self, name)
            if isinstance(part, bool) or not isinstance(part, int | float) or not math.isfinite(part) or part < 0:
                raise ValueError(f"{name} tolerance is {part!r}; it must be a finite number of at least 0")


EXACT = Tolerance(0.0)
"""No difference at all."""


def is_finite(number: float) -> bool:
    """Tell whether a number can be compared: no NaN, no infinity, no whole number beyond what a float holds."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False


def close(got: float, expected: float, tolerance: Tolerance) -> bool:
    """Tell whether two numbers agree; what is not finite agrees with nothing, 0.0 and -0.0 with each other."""
    if not (is_finite(got) and is_finite(expected)):
        return False
    # A hair above the tolerance, so that a value printed at the very edge is not lost to binary fractions.
    return abs(got - expected) <= (tolerance.absolute + tolerance.relative * abs(expected)) * (1 + 1e-9) + 1e-15


def same_number(got: object, expected: float, tolerance: Tolerance, *, whole: bool = False) -> bool:
    """Compare a JSON value with an expected number: no bool, no text.

    Args:
        got: The value as JSON gave it.
        expected: What it should be.
        tolerance: Ignored for whole numbers.
        whole: The key counts things: 20 and 20.0 agree with 20, and 21 does not whatever the tolerance.
    """
    if isinstance(got, bool) or not isinstance(got, int | float):
        return False
    return got == expected if whole else close(got, expected, tolerance)


def read_number(text: str, form: Form = "plain") -> float | None:
    """Read a number from a cell or field that must hold nothing else.

    Args:
        text: The cell; spaces around it do not matter.
        form: `plain` takes `-12.5` and `1e3`; `percent` also `12.5%`, which is 0.125; `currency` also a currency sign
            and groups of thousands, as in `$1,250.00` and `1 250`.

    Returns:
        The number, or None for anything else: text, NaN, infinities, an empty cell.
    """
    cell = text.strip()
    scale = 1.0
    if form == "percent" and cell.endswith("%"):
        cell, scale = cell[:-1].rstrip(), 0.01
    if form == "currency":
        cell = _CURRENCY.sub("", cell)
        if _GROUPED.fullmatch(cell):
            cell = re.sub(r"[ ,\u00a0\u202f]", "", cell)
    if not _PLAIN.fullmatch(cell):
        return None
    number = float(cell) * scale
    return number if math.isfinite(number) else None
