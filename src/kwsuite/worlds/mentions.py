"""What an expression mentions of the state, as far as its text tells."""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from kwsuite.worlds.paths import Path
from kwsuite.worlds.tokens import Token, plain_text, tokens

Pattern: TypeAlias = tuple[str | None, ...]
"""Keys from the entity on; None for a key that is computed and so may be any."""

_OPEN, _CLOSE = {"[", "(", "{"}, {"]", ")", "}"}


def mentions(source: str, entities: Collection[str]) -> Iterator[Pattern]:
    """Give every place that an expression mentions, `state.<entity>` as `<entity>`; the whole state is the empty one.

    What comes after the call of a method is not followed, so that a place is rather too wide than too narrow. The
    places within a computed key are given too.

    Args:
        source: The expression; it must be readable.
        entities: What places begin with.
    """
    words = tokens(source)
    for position, word in enumerate(words):
        name = word.text.strip("`")
        if word.kind != "name" or (position and words[position - 1].text in (".", "?") and _is_key(words, position)):
            continue
        if name in entities:
            yield (name, *_keys(words, position + 1))
        elif name == "state":
            yield tuple(_keys(words, position + 1))


def pattern(path: Path) -> Pattern:
    """Give a path with its computed keys open."""
    return tuple(segment if isinstance(segment, str) else None for segment in path.segments)


def overlap(one: Pattern, other: Pattern) -> bool:
    """Whether one place can hold the other, or be the same."""
    return all(a is None or b is None or a == b for a, b in zip(one, other, strict=False))


def _is_key(words: Sequence[Token], position: int) -> bool:
    """Whether the name at a position is a key after a dot, also one that may be absent (`.?key`)."""
    before = words[position - 1].text
    return before == "." or (before == "?" and position > 1 and words[position - 2].text == ".")


def _keys(words: Sequence[Token], position: int) -> Iterator[str | None]:
    while words[position].text in (".", "["):
        bracket = words[position].text == "["
        position += 1 + (words[position + 1].text == "?")
        if not bracket:
            if words[position + 1].text == "(":
                return
            yield words[position].text.strip("`")
            position += 1
            continue
        end = _end(words, position)
        yield plain_text(words[position]) if end == position + 1 else None
        position = end + 1


def _end(words: Sequence[Token], position: int) -> int:
    depth = 0
    while depth or words[position].text not in _CLOSE:
        depth += (words[position].text in _OPEN) - (words[position].text in _CLOSE)
        position += 1
    return position
