"""Spans, sentences and paragraphs."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.matching.sentences import blocks, sentences, widen
from kwsuite.matching.spans import Span, best_iou, iou

TEXTS = st.text(alphabet="ab Z.。！?\n，“”1#-…\u3000", max_size=80)


def surfaces(text: str) -> list[str]:
    return [span.of(text) for span in sentences(text)]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Span(0, 10), Span(0, 10), 1.0),
        (Span(4, 12), Span(5, 15), 7 / 11),
        (Span(0, 5), Span(5, 9), 0.0),
        (Span(3, 3), Span(3, 3), 0.0),
    ],
)
def test_iou_is_shared_over_covered(one: Span, other: Span, expected: float) -> None:
    assert iou(one, other) == pytest.approx(expected)
    assert iou(other, one) == pytest.approx(expected)


def test_no_place_agrees_with_nothing() -> None:
    assert best_iou([], [Span(0, 3)]) == 0.0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Hale paid 3.5 m. She left.", ["Dr. Hale paid 3.5 m.", "She left."]),
        ("See Fig. 3 and p. 4. Then stop.", ["See Fig. 3 and p. 4.", "Then stop."]),
        ('He said "no." Then left!', ['He said "no."', "Then left!"]),
        ("甲方付款。乙方发货！谁验收？", ["甲方付款。", "乙方发货！", "谁验收？"]),
        ("他说：“可以。”然后走了。", ["他说：“可以。”", "然后走了。"]),
        ("他问“真的吗？”，没人答。", ["他问“真的吗？”，没人答。"]),
        ("## 5. Fees\n\nPay now.", ["## 5. Fees", "Pay now."]),
        ("- one\n- two", ["- one", "- two"]),
        ("第一条 标的\n乙方供货。", ["第一条 标的", "乙方供货。"]),
        ("```\nx = 1\ny = 2\n```", ["```", "x = 1", "y = 2", "```"]),
        ("", []),
    ],
)
def test_sentences_end_where_readers_end_them(text: str, expected: list[str]) -> None:
    assert surfaces(text) == expected


def test_a_hard_wrapped_sentence_is_one_sentence() -> None:
    line = "The supplier delivers the goods to the site of the buyer in the"
    assert surfaces(f"{line}\ncourse of May.") == [f"{line}\ncourse of May."]


def test_lines_of_code_are_never_joined() -> None:
    call = "total = add(first_amount, second_amount, third_amount, fourth_amount)"
    assert surfaces(f"```\n{call}\nprint(total)\n```") == ["```", call, "print(total)", "```"]


@given(TEXTS)
def test_sentences_hold_every_visible_character_once_and_in_order(text: str) -> None:
    cut = sentences(text)
    assert all(one.end <= other.start for one, other in pairwise(cut))
    assert all(span.of(text) == span.of(text).strip() != "" for span in cut)
    assert "".join("".join(s.of(text).split()) for s in cut) == "".join(text.split())


@given(TEXTS, st.integers(0, 80), st.integers(0, 80))
def test_widening_keeps_the_span_and_is_done_once(text: str, start: int, end: int) -> None:
    start, end = sorted((min(start, len(text)), min(end, len(text))))
    cut = sentences(text)
    wide = widen(Span(start, end), cut)
    assert wide.start <= start <= end <= wide.end <= len(text)
    assert widen(wide, cut) == wide


def test_headings_are_not_paragraphs() -> None:
    cut = blocks("# Title\n\nFirst one.\n\n二、方法\n\n第二段。")
    assert [block.heading for block in cut] == [True, False, True, False]
