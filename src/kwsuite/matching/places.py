"""Where in the original a reported place stands."""

import re
from functools import cached_property
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from kwsuite.matching.findings import Finding
from kwsuite.matching.guards import cuts_word, same_facts
from kwsuite.matching.normalised import Normalised, is_cjk, normalise
from kwsuite.matching.references import read_reference, resolve
from kwsuite.matching.sentences import Block, blocks, sentences, widen
from kwsuite.matching.spans import Span

PlaceState = Literal["exact", "normalised", "fuzzy", "reference", "not_found"]
PlaceFault = Literal["no_place", "too_short", "too_many", "changed", "absent"]
"""Why a place is not found: none was given; too little text; it stands in too many places; a number, name or negation
differs from the text; nothing like it is in the text."""

FUZZY_CUTOFF = 88.0
"""Lowest rapidfuzz partial ratio, in [0, 100], at which an inexact quote is taken for one."""

_SHORT_WEIGHT = 4
_FUZZY_WEIGHT = 16
_AMBIGUOUS_WEIGHT = 12
_MAX_PLACES = 3
_MAX_PARTS = 3
_MAX_LONG = 2_000
_ELLIPSIS = re.compile(r"\s*(?:\[\s*(?:…+|\.{3,})\s*\]|…+|\.{3,}|\[略\])\s*")
_QUOTED = re.compile(r"“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\"|‘([^‘’]{6,})’|`([^`]+)`|《([^《》]+)》")


class Place(BaseModel):
    """A reported place, found or not."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: PlaceState
    """How it was found. `reference` is a place named by number."""
    spans: tuple[Span, ...] = ()
    """The places it can mean, in code points of the original; empty where it is not found."""
    score: float = 0.0
    """Likeness of quote and surface in [0, 1]; 1 unless fuzzy, 0 where not found."""
    fault: PlaceFault | None = None
    """Why it is not found; None where it is."""


class Source:
    """A document's text, cut and folded once for all the findings about it."""

    def __init__(self, text: str) -> None:
        """Take the original text; every offset refers to it in code points."""
        self.text = text

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """Its sentences, in order."""
        return sentences(self.text)

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Its paragraphs and headings, in order."""
        return blocks(self.text)

    @cached_property
    def folded(self) -> Normalised:
        """Its folded text."""
        return normalise(self.text)

    def widen(self, span: Span) -> Span:
        """Widen a span to the sentences that it touches."""
        return widen(span, self.sentences)


def locate(finding: Finding, source: Source) -> Place:
    """Find where a finding points.

    The quote is searched first, then the location as a quote, then quotations inside it, then the number it names.
    A number also decides between several places of one quote.
    """
    named = read_reference(finding.location)
    region = resolve(named, source.blocks, source.sentences, source.text) if named else None
    texts = [finding.quote, finding.location, *_quotations(finding.location)]
    faults: list[PlaceFault] = []
    for text in filter(None, (text.strip() for text in texts)):
        place = locate_quote(text, source, region)
        if place.spans:
            return place
        if place.fault:
            faults.append(place.fault)
    if region is not None and "changed" not in faults:
        return Place(state="reference", spans=(region,), score=1.0)
    worst: tuple[PlaceFault, ...] = ("changed", "too_many", "too_short", "absent")
    return Place(state="not_found", fault=next((fault for fault in worst if fault in faults), "no_place"))


def locate_quote(quote: str, source: Source, region: Span | None = None) -> Place:
    """Find a quote in the original; parts around an ellipsis are found each for itself.

    Args:
        quote: The quoted text.
        source: The document.
        region: A part of the document that decides between several places of the quote.
    """
    quote = quote.strip()
    parts = [part for part in _ELLIPSIS.split(quote) if _weight(part)]
    if len(parts) <= 1 or _exact(quote, source.text):
        return _locate_part(parts[0] if len(parts) == 1 else quote, source, region)
    places = [_locate_part(part, source, region) for part in parts[:_MAX_PARTS]]
    lost = next((place for place in places if not place.spans and place.fault != "too_short"), None)
    found = [place for place in places if place.spans]
    if lost is not None or not found:
        return lost or places[0]
    order: list[PlaceState] = ["exact", "normalised", "fuzzy"]
    return Place(
        state=max((place.state for place in found), key=order.index),
        spans=tuple(span for place in found for span in place.spans),
        score=min(place.score for place in found),
    )


def _locate_part(quote: str, source: Source, region: Span | None) -> Place:
    if _weight(quote) < _SHORT_WEIGHT:
        return Place(state="not_found", fault="too_short")
    exact = _exact(quote, source.text)
    if exact:
        return _choose("exact", exact, quote, region)
    normalised = _normalised(quote, source)
    if normalised:
        return _choose("normalised", normalised, quote, region)
    return _fuzzy(quote, source)


def _choose(state: PlaceState, spans: list[Span], quote: str, region: Span | None) -> Place:
    inside = [span for span in spans if region and region.start <= span.start and span.end <= region.end]
    kept = inside or spans
    limit = _MAX_PLACES if _weight(quote) >= _AMBIGUOUS_WEIGHT else 1
    if len(kept) > limit:
        return Place(state="not_found", fault="too_short" if limit == 1 else "too_many")
    return Place(state=state, spans=tuple(kept), score=1.0)


def _exact(quote: str, text: str) -> list[Span]:
    starts = _occurrences(quote, text)
    return [Span(start, start + len(quote)) for start in starts if not cuts_word(text, start, start + len(quote))]


def _normalised(quote: str, source: Source) -> list[Span]:
    needle = normalise(quote).text
    if not needle:
        return []
    found = []
    for start in _occurrences(needle, source.folded.text):
        span = source.folded.original(start, start + len(needle))
        surface = span.of(source.text)
        # A range that ends inside a composed character covers more than the needle.
        if normalise(surface).text == needle and not cuts_word(source.text, span.start, span.end):
            found.append(span)
    return found


def _occurrences(needle: str, text: str) -> list[int]:
    starts = []
    start = text.find(needle)
    while start >= 0 and needle:
        starts.append(start)
        start = text.find(needle, start + 1)
    return starts


class _Window(NamedTuple):
    span: Span
    score: float


def _fuzzy(quote: str, source: Source) -> Place:
    needle = normalise(quote).text
    if _weight(quote) < _FUZZY_WEIGHT or len(needle) > _MAX_LONG:
        return Place(state="not_found", fault="absent")
    window = _window(needle, source)
    if window is None:
        return Place(state="not_found", fault="absent")
    if not same_facts(quote, window.span.of(source.text)):
        return Place(state="not_found", fault="changed")
    return Place(state="fuzzy", spans=(window.span,), score=window.score)


def _window(needle: str, source: Source) -> _Window | None:
    """Find the stretch of the text that is most like the needle, cut at whole words."""
    folded = source.folded.text
    if len(folded) < len(needle) // 2:
        return None
    rough = fuzz.partial_ratio_alignment(needle, folded, score_cutoff=FUZZY_CUTOFF - 8)
    if rough is None or rough.dest_end <= rough.dest_start or len(folded) < len(needle):
        return None
    margin = max(12, len(needle) // 5)
    start, end = max(rough.dest_start - margin, 0), min(rough.dest_end + margin, len(folded))
    equal = [step for step in Levenshtein.opcodes(needle, folded[start:end]) if step.tag == "equal"]
    # A stray letter that happens to agree far out in the margin is no part of the quote.
    firm = [step for step in equal if step.src_end - step.src_start >= min(3, len(needle))] or equal
    if not firm:
        return None
    first, last = start + firm[0].dest_start, start + firm[-1].dest_end
    # What the quote has before and after its firm part stands in the text at the same distance, if anywhere.
    first = max(first - firm[0].src_start, 0)
    last = min(last + len(needle) - firm[-1].src_end, len(folded))
    span = _whole_words(source.folded.original(first, last), source.text)
    score = fuzz.ratio(needle, normalise(span.of(source.text)).text)
    return _Window(span, score / 100) if score >= FUZZY_CUTOFF else None


def _whole_words(span: Span, text: str) -> Span:
    start, end = span
    while start > 0 and cuts_word(text, start, start):
        start -= 1
    while end < len(text) and cuts_word(text, end, end):
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


def _weight(text: str) -> int:
    """Measure how much a quote says: a letter or digit is 1, a Chinese character 2, all else nothing."""
    return sum(2 if is_cjk(character) else 1 for character in text if character.isalnum())


def _quotations(location: str) -> list[str]:
    return [next(filter(None, match.groups())) for match in _QUOTED.finditer(location)]
