"""The words of an expression."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*)
    |(?P<string>[bB]?[rR][bB]?(?:\"\"\".*?\"\"\"|'''.*?'''|"[^"\n]*"|'[^'\n]*')
       |[bB]?(?:\"\"\"(?:\\.|[^\\])*?\"\"\"|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))
    |(?P<number>0x[0-9a-fA-F]+u?|(?:\d+\.\d+|\.\d+)(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+|\d+u?)
    |(?P<name>[A-Za-z_][A-Za-z0-9_]*|`[^`\n]+`)
    |(?P<sign>\|\||&&|==|!=|<=|>=|[-+*/%<>!?:.,()\[\]{}])""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A word of an expression: its kind (string, number, name, sign, end), its text and its offset."""

    kind: str
    text: str
    offset: int


class Unreadable(ValueError):
    """Text that is not an expression; `offset` is where the reading stopped."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


def tokens(source: str) -> Sequence[Token]:
    """Split an expression into words, without spaces and comments, ending with one of kind `end`.

    Raises:
        Unreadable: A character begins no word.
    """
    return list(scan(source))


def scan(source: str, start: int = 0) -> Iterator[Token]:
    """Give the words from an offset on one by one, so that a reader can stop where the expression ends."""
    offset = start
    while offset < len(source):
        match = _TOKEN.match(source, offset)
        if match is None:
            raise Unreadable(f"unexpected {source[offset]!r}", offset)
        if match.lastgroup != "space":
            yield Token(str(match.lastgroup), match.group(), offset)
        offset = match.end()
    yield Token("end", "the end", len(source))


def plain_text(token: Token) -> str | None:
    """Give the content of a text literal without escapes; None for any other word."""
    if token.kind != "string" or token.text[0] not in "'\"" or "\\" in token.text or len(token.text) < 2:
        return None
    return token.text[1:-1] if token.text[:3] not in ("'''", '"""') else token.text[3:-3]
