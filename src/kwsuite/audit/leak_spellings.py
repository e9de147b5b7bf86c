"""The ways in which a value can be spelt."""

import re
import unicodedata
from collections.abc import Iterable
from fractions import Fraction
from functools import cache

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_PERCENT = ("%", " %", " percent", " per cent", " pct")
_LARGEST_DENOMINATOR = 20


def plain(text: str) -> str:
    """Fold width, case and spaces, so that one spelling finds all of them (full-width digits and signs included)."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2212", "-").replace("\u00a0", " ")
    return re.sub(r"[ \t]+", " ", folded)


@cache
def spellings(value: float) -> tuple[str, ...]:
    """Give the spellings of a number in plain text: digits, comma, percentages, fraction, words.

    Args:
        value: The number; its sign is left out, since text says it in many ways.
    """
    number = abs(value)
    found = _digits(number)
    for shown in _digits(round(number * 100, 6)):
        found += [shown + sign for sign in _PERCENT]
    fraction = Fraction(str(number)).limit_denominator(_LARGEST_DENOMINATOR)
    if fraction.denominator > 1 and abs(float(fraction) - number) < 1e-9:
        found.append(f"{fraction.numerator}/{fraction.denominator}")
    whole = int(number)
    if whole == number:
        found += _words(whole)
    percent = round(number * 100, 6)
    if percent == int(percent) and number < 1:
        found += [f"{word}{sign}" for word in _words(int(percent)) for sign in _PERCENT[2:]]
    return tuple(dict.fromkeys(found))


@cache
def pattern(spelling: str) -> re.Pattern[str]:
    """Find a spelling as a whole: not inside a longer number or word."""
    return any_pattern([spelling])


def any_pattern(wanted: Iterable[str]) -> re.Pattern[str]:
    """Find any of several spellings as a whole; none are found nowhere."""
    # Where one spelling is followed by more, the engine goes back and tries the next, so that none hides another.
    choices = "|".join(re.escape(spelling) for spelling in wanted) or r"(?!)"
    return re.compile(rf"(?<![\w.,])(?:{choices})(?![\w%/])(?![.,]\d)")


def _digits(number: float) -> list[str]:
    text = f"{number:.10f}".rstrip("0").rstrip(".")
    found = [text, text.replace(".", ",")] if "." in text else [text]
    if text.startswith("0."):
        found.append(text[1:])
    if "." not in text and number >= 1000:
        found += [f"{int(number):,}", f"{int(number):,}".replace(",", " ")]
    if "." in text:
        found.append(f"{text}0")
    return found


def _words(number: int) -> list[str]:
    if number < len(_UNITS):
        return [_UNITS[number]]
    if number < 100:
        tens, units = _TENS[number // 10 - 2], number % 10
        return [f"{tens}-{_UNITS[units]}", f"{tens} {_UNITS[units]}"] if units else [tens]
    return []
