"""Places named by number: "paragraph 3, sentence 2", "第三段第2句", "clause 4.2", "第五条"."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from kwsuite.matching.sentences import Block
from kwsuite.matching.spans import Span

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CARDINALS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_WORDS = {word: number for words in (_ORDINALS, _CARDINALS) for number, word in enumerate(words, start=1)}
_LAST = -1
_COUNT = r"\d{1,3}|[零〇一二两三四五六七八九十百]+"
_ENGLISH = "|".join(_WORDS)
_ORDINAL = rf"(?P<ordinal>\d{{1,3}}(?:st|nd|rd|th)|(?:{_ENGLISH})|last|final|opening)"


def _kind(english: str, chinese: str) -> tuple[re.Pattern[str], ...]:
    return (
        re.compile(rf"(?<![a-z])(?:{english})s?\.?\s*(?:no\.?|#)?\s*(?P<number>\d{{1,3}}|(?:{_ENGLISH})\b)", re.I),
        re.compile(rf"(?<![a-z]){_ORDINAL}\s+(?:full\s+)?(?:{english})\b", re.I),
        re.compile(rf"第\s*(?P<number>{_COUNT})\s*个?\s*(?:{chinese})"),
        re.compile(rf"(?P<ordinal>最后一|末|首|尾)\s*个?\s*(?:{chinese})"),
    )


_PARAGRAPH = _kind(r"paragraph|para|¶", "自然段|段落|段")
_SENTENCE = _kind(r"sentence|sent", "句话|句子|句")
_CLAUSE = (
    re.compile(r"(?:section|clause|article|chapter|item|point|sec\.|§)\s*(?P<label>\d+(?:\.\d+)*)", re.I),
    re.compile(r"第\s*(?P<label>\d+(?:\.\d+)*|[一二三四五六七八九十百]+)\s*(?:条|款|章|节|项|点)"),
    re.compile(r"(?P<label>\d+(?:\.\d+)+)\s*(?:条|款|节)"),
)
_LABEL = re.compile(
    r"\s*[#*>\s]*(?:(?:section|clause|article|chapter|item|§)\s*)?第?\s*[(（]?"
    r"(?P<label>\d+(?:\.\d+)*|[一二三四五六七八九十百]+)\s*(?P<end>条|款|章|节|项|[.)、）:：]|\s)",
    re.I,
)
_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}


class Reference(NamedTuple):
    """A place named by number; each part is None where it was not named. Numbers count from 1, -1 is the last."""

    paragraph: int | None
    """Paragraph of the document, headings not counted."""
    sentence: int | None
    """Sentence within the paragraph or clause, or of the whole text where neither is named."""
    clause: str | None
    """Label of a clause or section, in digits: "4.2"."""


def read_reference(location: str) -> Reference | None:
    """Read a reference in either language out of a location; None where it names no number."""
    paragraph, sentence = _number(location, _PARAGRAPH), _number(location, _SENTENCE)
    labels = [match["label"] for pattern in _CLAUSE if (match := pattern.search(location))]
    clause = _label(labels[0]) if labels else None
    if paragraph is None and sentence is None and clause is None:
        return None
    return Reference(paragraph, sentence, clause)


def resolve(reference: Reference, cut: Sequence[Block], sentences: Sequence[Span], text: str) -> Span | None:
    """Find the span that a reference names; None where the document has no such paragraph, clause or sentence."""
    within = Span(0, len(text))
    if reference.clause is not None:
        found = _clause(reference.clause, cut, text)
        if found is None:
            return None
        within = found
    if reference.paragraph is not None:
        paragraphs = [b.span for b in cut if not b.heading and within.start <= b.span.start < within.end]
        paragraph = _pick(paragraphs, reference.paragraph)
        if paragraph is None:
            return None
        within = paragraph
    if reference.sentence is None:
        return within
    headings = {block.span for block in cut if block.heading}
    return _pick(
        [s for s in sentences if within.start <= s.start and s.end <= within.end and s not in headings],
        reference.sentence,
    )


def chinese_number(numeral: str) -> int:
    """Read a Chinese numeral up to 999, such as 二十一 or 一百零五; digits are read as they are."""
    if numeral.isdecimal():
        return int(numeral)
    total, digit = 0, 0
    for character in numeral:
        if character in "十百":
            total += (digit or 1) * (10 if character == "十" else 100)
            digit = 0
        else:
            digit = _DIGITS[character]
    return total + digit


def _number(location: str, patterns: Sequence[re.Pattern[str]]) -> int | None:
    for pattern in patterns:
        if match := pattern.search(location):
            named = match.groupdict()
            return _ordinal((named.get("number") or named.get("ordinal") or "").casefold())
    return None


def _ordinal(word: str) -> int | None:
    if word in ("last", "final", "最后一", "末", "尾"):
        return _LAST
    if word in ("opening", "首"):
        return 1
    if word in _WORDS:
        return _WORDS[word]
    digits = re.match(r"\d+", word)
    number = int(digits.group()) if digits else chinese_number(word)
    return number or None


def _label(label: str) -> str:
    return label if label[0].isdecimal() else str(chinese_number(label))


def _clause(label: str, cut: Sequence[Block], text: str) -> Span | None:
    """Find the block that opens with a label; a bare heading takes in what follows up to the next heading."""
    for position, block in enumerate(cut):
        opening = _LABEL.match(block.span.of(text))
        if opening is None or _label(opening["label"]) != label:
            continue
        if not block.heading:
            return block.span
        end = block.span.end
        for following in cut[position + 1 :]:
            if following.heading:
                break
            end = following.span.end
        return Span(block.span.start, end)
    return None


def _pick(spans: Sequence[Span], number: int) -> Span | None:
    if number == _LAST:
        return spans[-1] if spans else None
    return spans[number - 1] if 1 <= number <= len(spans) else None
