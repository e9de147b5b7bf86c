"""A text folded for searching, with the way back to the original."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from kwsuite.matching.spans import Span

_FOLDS = {
    **dict.fromkeys("“”„‟«»「」『』〝〞＂″", '"'),
    **dict.fromkeys("‘’‚‛＇′`´", "'"),
    **dict.fromkeys("‐‑‒–—―−﹘﹣－⸺⸻─━", "-"),
    **dict.fromkeys("。｡", "."),
    **dict.fromkeys("、､", ","),
    **dict.fromkeys("〈《", "<"),
    **dict.fromkeys("〉》", ">"),
    **dict.fromkeys("【〔", "["),
    **dict.fromkeys("】〕", "]"),
}
_INVISIBLE = frozenset("\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f")
# Folding these would make another number: 10² -> 102, 1½ -> 11⁄2, ①5 -> 15.
_KEPT_DECOMPOSITIONS = ("<super>", "<sub>", "<fraction>", "<circle>")
_JOINING = re.compile(r"[\u1160-\u11ff\uff9e\uff9f\u3099\u309a]")


class Normalised(NamedTuple):
    """A folded text: NFKC, case, quotes, dashes, white space, and marks that readers do not see.

    White space beside a Chinese character is dropped, runs of white space and of dashes become one.
    """

    text: str
    """The folded text."""
    starts: tuple[int, ...]
    """For each folded character, the code point of the original where its source starts."""
    ends: tuple[int, ...]
    """For each folded character, one past the source's last code point."""

    def original(self, start: int, end: int) -> Span:
        """Give the span of the original that stands behind `text[start:end]`; the range must not be empty."""
        return Span(self.starts[start], self.ends[end - 1])

    def index_of(self, offset: int) -> int:
        """Give the first folded position whose source starts at or after a code point of the original."""
        return bisect_left(self.starts, offset)


def normalise(text: str) -> Normalised:
    """Fold a text; an empty or invisible one gives an empty result."""
    kept: list[tuple[str, int, int]] = []
    for character, start, end in _folded(text):
        if character == " " and kept and kept[-1][0] == " ":
            kept[-1] = (" ", kept[-1][1], end)
        elif character == "-" and kept and kept[-1][0] == "-" and kept[-1][2] == start:
            kept[-1] = ("-", kept[-1][1], end)
        else:
            kept.append((character, start, end))
    kept = [piece for index, piece in enumerate(kept) if not _droppable(kept, index)]
    return Normalised(
        "".join(piece[0] for piece in kept), tuple(piece[1] for piece in kept), tuple(piece[2] for piece in kept)
    )


def is_cjk(character: str) -> bool:
    """Tell whether a character is a Chinese one (ideographs only)."""
    return "\u4e00" <= character <= "\u9fff" or "\u3400" <= character <= "\u4dbf" or character >= "\U00020000"


def _folded(text: str) -> Iterator[tuple[str, int, int]]:
    for start, end in _clusters(text):
        source = text[start:end]
        if source[0] in _INVISIBLE:
            continue
        if unicodedata.decomposition(source[0]).startswith(_KEPT_DECOMPOSITIONS):
            yield from ((character, start, end) for character in source)
            continue
        for character in unicodedata.normalize("NFKC", source):
            if character in _INVISIBLE:
                continue
            folded = " " if character.isspace() else _FOLDS.get(character, character.casefold())
            yield from ((piece, start, end) for piece in folded)


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Cut a text where no character composes with the one before it."""
    start = 0
    for position in range(1, len(text)):
        character = text[position]
        if not unicodedata.combining(character) and not _JOINING.match(character):
            yield start, position
            start = position
    if text:
        yield start, len(text)


def _droppable(kept: list[tuple[str, int, int]], index: int) -> bool:
    character = kept[index][0]
    before = kept[index - 1][0] if index else ""
    after = kept[index + 1][0] if index + 1 < len(kept) else ""
    if character == " ":
        return not before or not after or is_cjk(before) or is_cjk(after)
    if character == "*":
        # Emphasis marks; between letters or digits they are a product or a power.
        return before == "*" or after == "*" if not (before.isalnum() and after.isalnum()) else False
    return False
