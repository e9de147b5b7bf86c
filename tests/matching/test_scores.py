"""Precision, recall, F1."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.matching.scores import DocumentScore, false_alarms_per_thousand, word_count


def document(planted: int, reported: int, hits: int, most: int | None = None, readable: bool = True) -> DocumentScore:
    return DocumentScore(planted, reported, hits, hits if most is None else most, readable)


def shares(score: DocumentScore) -> tuple[float, float, float]:
    return score.precision.value, score.recall.value, score.f1.value


@pytest.mark.parametrize(
    ("score", "expected"),
    [
        pytest.param(document(0, 0, 0), (1.0, 1.0, 1.0), id="C138-clean-and-silent"),
        pytest.param(document(0, 1, 0), (0.0, 0.0, 0.0), id="C138-clean-and-one-finding"),
        pytest.param(document(3, 0, 0), (0.0, 0.0, 0.0), id="C138-problems-and-silent"),
        pytest.param(document(0, 0, 0, readable=False), (0.0, 0.0, 0.0), id="clean-and-unreadable"),
        pytest.param(document(2, 0, 0, readable=False), (0.0, 0.0, 0.0), id="problems-and-unreadable"),
        pytest.param(document(4, 2, 1), (0.5, 0.25, 1 / 3), id="plain"),
    ],
)
def test_a_document_is_scored(score: DocumentScore, expected: tuple[float, float, float]) -> None:
    assert shares(score) == pytest.approx(expected)


def test_an_undecided_meaning_makes_the_score_unknown_between_bounds() -> None:
    score = document(2, 2, 1, most=2)
    assert (score.f1.low, score.f1.high) == (0.5, 1.0)
    assert math.isnan(score.f1.value)


@pytest.mark.parametrize(
    ("planted", "reported", "hits", "most"), [(1, 3, 2, 2), (3, 1, 2, 2), (3, 3, 2, 1), (1, 1, -1, 0)]
)
def test_impossible_counts_are_refused(planted: int, reported: int, hits: int, most: int) -> None:
    with pytest.raises(ValueError, match="hit"):
        DocumentScore(planted, reported, hits, most)


@pytest.mark.parametrize(
    ("text", "words"), [("One two-part word.", 3), ("质" * 15, 8), ("用 Python 写", 1 + 2 / 1.875), ("", 0)]
)
def test_words_are_counted_in_both_languages(text: str, words: float) -> None:
    assert word_count(text) == pytest.approx(words)


def test_false_alarms_are_per_thousand_words() -> None:
    assert false_alarms_per_thousand(document(1, 3, 1), "word " * 500) == 4.0
    assert math.isnan(false_alarms_per_thousand(document(1, 3, 1), ""))


@given(st.integers(0, 9), st.integers(0, 9), st.data())
def test_f1_is_the_harmonic_mean(planted: int, reported: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, min(planted, reported)))
    precision, recall, f1 = shares(document(planted, reported, hits))
    assert 0 <= f1 <= 1
    assert f1 == pytest.approx(2 * precision * recall / (precision + recall) if precision + recall else 0)
