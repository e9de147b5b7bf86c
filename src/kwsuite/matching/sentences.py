"""Sentences and paragraphs of English and Chinese documents, as spans."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kwsuite.matching.spans import Span
from kwsuite.matching.wordlists import ABBREVIATIONS, BEFORE_NUMBERS

_CLOSERS = "\"'”’」』）)\\]】》*_"
_END = re.compile(rf"(?:[。！？!?]+|(?<!\.)\.(?!\.)|…+)[{_CLOSERS}]*")
_LIST_MARK = re.compile(
    r"\s*(?:[-*+•·▪●]\s|\(?\d+(?:\.\d+)*[.)、）]?\s|[(（][\dA-Za-z一二三四五六七八九十ivx]+[)）]|[A-Za-z][.)]\s|#{1,6}\s|\||>|```|~~~"
    r"|第[\d一二三四五六七八九十百]+[章节条款项]|[一二三四五六七八九十]+、)"
)
_SOFT_WRAP_WIDTH = 60


class Block(NamedTuple):
    """A paragraph, heading, list or table of a document."""

    span: Span
    """Without the white space around it."""
    heading: bool
    """Whether it is a title or heading, which people do not count as a paragraph."""


def sentences(text: str) -> tuple[Span, ...]:
    """Cut a text into sentences.

    A heading, list item, table row or line of code is a sentence of its own. Spans are stripped, in order, do not
    overlap, and together hold every character that is not white space. Empty for a blank text.
    """
    return tuple(span for line in _lines(text) for span in _split(text, line))


def blocks(text: str) -> tuple[Block, ...]:
    """Cut a text at blank lines, or at every line where it has no blank lines. Empty for a blank text."""
    separator = r"\n[^\S\n]*\n" if re.search(r"\S[^\S\n]*\n[^\S\n]*\n\s*\S", text) else r"\n"
    cut: list[Block] = []
    position = 0
    for gap in [*re.finditer(separator, text), None]:
        span = _stripped(text, position, gap.start() if gap else len(text))
        position = gap.end() if gap else len(text)
        if span is not None:
            cut.append(Block(span, _is_heading(span.of(text))))
    return tuple(cut)


def widen(span: Span, cut: Sequence[Span]) -> Span:
    """Widen a span to the sentences that it touches; an empty span, or one between sentences, stays as it is.

    Args:
        span: The span.
        cut: The sentences of the text, from `sentences`.
    """
    first = max(bisect_right([sentence.start for sentence in cut], span.start) - 1, 0)
    touched = []
    for sentence in cut[first:]:
        if sentence.start >= span.end:
            break
        if sentence.end > span.start:
            touched.append(sentence)
    if not touched or span.start == span.end:
        return span
    return Span(min(touched[0].start, span.start), max(touched[-1].end, span.end))


def _lines(text: str) -> Iterator[Span]:
    """Give the runs of text that no sentence crosses: lines, with hard-wrapped ones joined."""
    start: int | None = None
    previous: str | None = None
    fenced = False
    end = 0
    for match in re.finditer(r"[^\n]*\n?", text):
        line = match.group().rstrip("\n")
        fence = line.lstrip().startswith(("```", "~~~"))
        joins = not (fenced or fence) and previous is not None and _wraps(previous, line)
        if start is not None and not joins:
            yield Span(start, end)
            start = None
        if line.strip():
            start = match.start() if start is None else start
            end = match.start() + len(line)
            previous = None if fenced or fence else line
        else:
            previous = None
        fenced = fenced != fence
    if start is not None:
        yield Span(start, end)


def _wraps(previous: str, line: str) -> bool:
    """Tell whether a line break is only the wrapping of a long line."""
    stripped = previous.rstrip()
    if not line.strip() or _LIST_MARK.match(line) or previous.lstrip().startswith(("#", "|")):
        return False
    return _width(stripped) >= _SOFT_WRAP_WIDTH and stripped[-1] not in ".。！？!?:：;；"


def _split(text: str, line: Span) -> Iterator[Span]:
    position = line.start
    for match in _END.finditer(text, line.start, line.end):
        if match.end() < line.end and _ends_here(text, match, position):
            if span := _stripped(text, position, match.end()):
                yield span
            position = match.end()
    if span := _stripped(text, position, line.end):
        yield span


def _ends_here(text: str, match: re.Match[str], start: int) -> bool:
    mark = match.group()[0]
    following = text[match.end()]
    if mark in "。！？":
        # 他问：“真的吗？”没有人答。 A quotation that runs on is part of its sentence.
        return following not in "，、；：,;:"
    if not following.isspace():
        return mark in "!?" and _wide(following)
    rest = text[match.end() :].lstrip()
    if rest[:1].islower() or mark == "…":
        return False
    return mark != "." or not _abbreviates(text[start : match.start()], rest)


def _abbreviates(before: str, rest: str) -> bool:
    """Tell whether a full stop belongs to the word or number before it."""
    word = re.split(r"[\s(\[\"“‘]", before)[-1]
    if word.casefold() in ABBREVIATIONS or re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]|[A-Z]", word):
        return True
    if word.casefold() in BEFORE_NUMBERS and rest[:1].isdigit():
        return True
    # "3. Payment" and "4.1. Fees" open a sentence, they do not end one.
    return re.fullmatch(r"\s*(?:[-*+•#]+\s*)?\(?\d+(?:\.\d+)*", before) is not None


def _stripped(text: str, start: int, end: int) -> Span | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end) if start < end else None


def _is_heading(block: str) -> bool:
    if block.startswith("#"):
        return True
    one_line = "\n" not in block and not block.startswith(("-", "*", "•", "|", ">", "```"))
    return one_line and _width(block) <= _SOFT_WRAP_WIDTH and block[-1] not in '.。！？!?;；”"…'


def _width(line: str) -> int:
    return sum(2 if _wide(character) else 1 for character in line)


def _wide(character: str) -> bool:
    return unicodedata.east_asian_width(character) in "WF"
