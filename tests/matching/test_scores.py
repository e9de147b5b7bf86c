"""Precision, recall, F1."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.matching.scores import DocumentScore, false_alarms_per_thousand, score_corpus, word_count


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


def test_c138_clean_documents_are_counted_apart() -> None:
    corpus = score_corpus([document(4, 2, 2), document(2, 0, 0), document(0, 0, 0), document(0, 5, 0)])
    assert corpus.measures["macro_f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert corpus.measures["micro_precision"] == 1.0
    assert corpus.measures["micro_recall"] == pytest.approx(1 / 3)
    assert corpus.clean_rate == 0.5
    assert (corpus.documents, corpus.clean) == (2, 2)


@pytest.mark.parametrize(("reported", "index"), [(2, 0.5), (4, 1.0), (12, 3.0)])
def test_the_caution_index_is_findings_over_problems(reported: int, index: float) -> None:
    assert score_corpus([document(4, reported, 1), document(0, 7, 0)]).measures["caution_index"] == index


def test_no_documents_give_nan_and_no_error() -> None:
    corpus = score_corpus([])
    assert all(math.isnan(value) for value in (*corpus.measures.values(), corpus.clean_rate))


def test_a_right_zero_is_zero() -> None:
    corpus = score_corpus([document(2, 0, 0)])
    assert set(corpus.measures.values()) == {0.0}


def test_an_undecided_document_leaves_a_corpus_unknown_but_for_its_caution() -> None:
    measures = score_corpus([document(2, 2, 1, most=2), document(2, 2, 2)]).measures
    assert math.isnan(measures["micro_f1"])
    assert measures["caution_index"] == 1.0


def test_micro_counts_findings_and_macro_counts_documents() -> None:
    measures = score_corpus([document(1, 1, 1), document(3, 9, 0)]).measures
    assert (measures["micro_recall"], measures["macro_recall"]) == (0.25, 0.5)
    assert (measures["micro_precision"], measures["macro_precision"]) == (0.1, 0.5)
    assert (measures["micro_f1"], measures["macro_f1"]) == (pytest.approx(2 / 14), 0.5)


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
