"""Taking apart what models write: invisible characters, fences, JSON among prose."""

import json
import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from kwsuite.verdicts import Reason

_BLOCK = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n`]*)\n(.*?)^[ \t]*\1[ \t]*$", re.DOTALL | re.MULTILINE)

MAX_FENCES = 60
"""More fences than this are no reply's markup; finding their pairs would take time with their square."""

_MAX_ATTEMPTS = 200
"""Opening braces that are tried as the start of an object."""

_MAX_IN_VAIN = 2_000_000
"""Characters read in attempts that fail, less than a second's work; nested beginnings reread the same text."""


@dataclass(frozen=True)
class Fault:
    """Why a reply cannot be used."""

    reason: Reason
    """The reason that an unscored criterion would carry."""
    message: str
    """What is wrong with it, as told to the model when it is asked again."""


@lru_cache(maxsize=64)
def clean(text: str) -> str:
    """Drop invisible characters and fold compatibility forms (NFKC), so that look-alikes read alike.

    Results are kept, for the same answer is cleaned again with every criterion that is judged on it.
    """
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKC", text)
    return "".join(character for character in folded if unicodedata.category(character) != "Cf")


class Declared(NamedTuple):
    """A JSON value in a reply."""

    raw: str
    """Its text in the reply."""
    value: Any
    """What it parses to."""


def json_values(text: str) -> list[Declared]:
    """Find the JSON that a reply declares.

    The whole text if it parses; else every block fenced as JSON or without a language that parses, and every object
    that stands in the prose outside fenced blocks. A block in another language never counts.

    Returns:
        The values in order; empty if there are none.
    """
    whole = _parsed(text.strip())
    if whole is not _NOTHING:
        return [Declared(text.strip(), whole)]
    found: list[tuple[int, Declared]] = []
    many = text.count("```") + text.count("~~~") > MAX_FENCES
    for block in () if many else _BLOCK.finditer(text):
        if block[2].strip().lower() in ("", "json", "jsonc", "json5"):
            raw = block[3].strip()
            value = _parsed(raw)
            whole_block = [(block.start(), Declared(raw, value))]
            found += whole_block if value is not _NOTHING else _objects(block[3], block.start())
    prose = text if many else _BLOCK.sub(lambda block: " " * len(block[0]), text)
    found += _objects(prose, 0)
    return [declared for _, declared in sorted(found, key=lambda pair: pair[0])]


class _Nothing:
    pass


_NOTHING = _Nothing()


def _parsed(text: str) -> Any:
    try:
        return _decoder().decode(text)
    except (ValueError, RecursionError):
        return _NOTHING


@cache
def _decoder() -> json.JSONDecoder:
    """Take raw line breaks in strings, as models write them, and refuse a key that stands twice."""
    return json.JSONDecoder(strict=False, object_pairs_hook=_no_repeated_key)


def _no_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key stands twice")
    return dict(pairs)


def _objects(text: str, offset: int) -> list[tuple[int, Declared]]:
    decoder = _decoder()
    found: list[tuple[int, Declared]] = []
    position = text.find("{")
    attempts = in_vain = 0
    while position >= 0 and attempts < _MAX_ATTEMPTS and in_vain < _MAX_IN_VAIN:
        attempts += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except json.JSONDecodeError as error:
            in_vain += error.pos - position
            end = position + 1
        except (ValueError, RecursionError):
            # Where a key stood twice or the nesting grew too deep is not told.
            in_vain += len(text) - position
            end = position + 1
        else:
            found.append((offset + position, Declared(text[position:end], value)))
        position = text.find("{", end)
    return found
