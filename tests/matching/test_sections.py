"""Cutting a document into sections."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kwsuite.datasets.spotting_files import SHIPPED, load_documents
from kwsuite.matching.sections import LONG, SHORT, sections

PARAGRAPH = "A sentence of some length stands here. " * 8


def cut(text: str) -> list[str]:
    return [section.of(text) for section in sections(text)]


@given(st.lists(st.sampled_from(["# Heading", PARAGRAPH, PARAGRAPH * 25, "Short.", "", "  "]), max_size=12))
def test_sections_hold_every_paragraph_in_order_and_never_overlap(parts: list[str]) -> None:
    text = "\n\n".join(parts)
    spans = sections(text)
    assert all(one.end <= other.start for one, other in pairwise(spans))
    ends = [0, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(text)]
    assert not "".join(text[end:start] for end, start in zip(ends, starts, strict=True)).strip()


def test_a_heading_opens_a_section_once_the_last_one_is_long_enough() -> None:
    body = PARAGRAPH * 3
    assert len(body) >= SHORT
    text = f"# One\n\n{body}\n\n# Two\n\n{body}"
    assert [part.split("\n")[0] for part in cut(text)] == ["# One", "# Two"]


def test_short_sections_are_read_together() -> None:
    assert cut("# One\n\nA word.\n\n# Two\n\nA word.") == ["# One\n\nA word.\n\n# Two\n\nA word."]


def test_long_text_without_headings_is_cut_between_paragraphs() -> None:
    parts = cut("\n\n".join([PARAGRAPH * 5] * 10))
    assert len(parts) > 1
    assert all(len(part) <= LONG for part in parts)


def test_a_blank_text_has_no_sections() -> None:
    assert cut(" \n\n ") == []


def test_every_shipped_document_can_be_cut() -> None:
    for document in load_documents(SHIPPED):
        spans = sections(document.text)
        assert (spans[0].start, spans[-1].end) == (0, len(document.text.rstrip()))
