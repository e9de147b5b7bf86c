"""Who complements whom, and what a router would get."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.analysis.coverage import coverage_curve, difficulty, unique_passes
from kwsuite.analysis.pairs import pairwise_differences, pairwise_overlap
from kwsuite.analysis.passes import best_run, pass_matrix
from kwsuite.analysis.routing import routers
from kwsuite.analysis.similarity import similarities


def matrix(**candidates: list[float]) -> pd.DataFrame:
    frame = pd.DataFrame(candidates, dtype=float)
    frame.index = pd.Index([f"i{place}" for place in range(len(frame))])
    return frame


matrices = st.integers(1, 12).flatmap(
    lambda n: st.lists(st.lists(st.sampled_from([0.0, 1.0, math.nan]), min_size=n, max_size=n), min_size=1, max_size=5)
)


def test_two_empty_sets_overlap_wholly_by_declared_rule() -> None:
    """C145."""
    pair = pairwise_overlap(matrix(a=[0, 0], b=[0, 0])).iloc[0]
    assert (pair["jaccard"], pair["independent"], pair["nested"]) == (1.0, 1.0, 1.0)


def test_overlap_uses_common_items_and_is_unknown_without_any() -> None:
    pair = pairwise_overlap(matrix(a=[1, 1, math.nan], b=[1, math.nan, 1])).iloc[0]
    assert (pair["n"], pair["jaccard"]) == (1, 1.0)
    assert math.isnan(pairwise_overlap(matrix(a=[math.nan], b=[1])).iloc[0]["jaccard"])


def test_overlap_of_unrelated_passes_is_the_independent_one() -> None:
    pair = pairwise_overlap(matrix(a=[1, 1, 0, 0], b=[1, 0, 1, 0])).iloc[0]
    assert pair["jaccard"] == pair["independent"] == pytest.approx(1 / 3)


@given(matrices)
def test_coverage_only_grows_and_ends_at_the_union(columns: list[list[float]]) -> None:
    passes = matrix(**{f"c{place}": column for place, column in enumerate(columns)})
    curve = coverage_curve(passes)
    union = int((passes == 1).any(axis=1).sum())
    assert curve["total"].is_monotonic_increasing
    assert curve["gain"].is_monotonic_decreasing
    assert curve["total"].iloc[-1] == union == curve["gain"].sum()
    assert sorted(curve["candidate"]) == sorted(passes.columns)


@given(matrices)
def test_difficulty_counts_every_item_with_a_score_once(columns: list[list[float]]) -> None:
    passes = matrix(**{f"c{place}": column for place, column in enumerate(columns)})
    counts = difficulty(passes)
    assert counts["items"].sum() == passes.notna().any(axis=1).sum()
    assert counts.loc[counts["passing"] == 1, "items"].item() == unique_passes(passes).sum()


def test_equal_gains_go_to_the_stronger_candidate_then_to_the_one_ranked_higher() -> None:
    curve = coverage_curve(matrix(b=[1, 0, 0], a=[1, 0, 0], c=[1, 1, 0]))
    assert curve["candidate"].tolist() == ["c", "b", "a"]


def test_no_candidates_and_no_items_give_empty_tables() -> None:
    assert coverage_curve(pd.DataFrame()).empty
    assert pairwise_overlap(pd.DataFrame()).empty
    assert pairwise_differences(matrix(a=[1.0])).empty
    assert difficulty(matrix(a=[]))["items"].tolist() == [0, 0]


def test_all_pairs_are_adjusted_together() -> None:
    outcomes = np.arange(60)
    pairs = pairwise_differences(
        matrix(a=list(outcomes < 45), b=list(outcomes < 30), c=list((outcomes >= 2) & (outcomes < 30)))
    )
    assert len(pairs) == 3
    assert (pairs["p_holm"] >= pairs["p"]).all()
    assert pairs.iloc[0]["difference"] == 0.25


def frame(values: list[tuple[str, str, int, float]]) -> pd.DataFrame:
    rows = pd.DataFrame(values, columns=["candidate", "item", "repeat", "passed"])
    return rows.assign(polarity="positive", score=rows["passed"])


@pytest.mark.parametrize(("rule", "expected"), [("majority", 0.0), ("any", 1.0), ("all", 0.0)])
def test_half_of_the_repeats_is_no_majority(rule: str, expected: float) -> None:
    items = frame([("a", "i1", 1, 1.0), ("a", "i1", 2, 0.0)])
    assert pass_matrix(items, rule).loc["i1", "a"] == expected  # type: ignore[arg-type]


def test_the_best_run_is_one_whole_run() -> None:
    items = frame([("a", "i1", 1, 1.0), ("a", "i2", 1, 0.0), ("a", "i1", 2, 1.0), ("a", "i2", 2, 1.0)])
    assert set(best_run(items)["repeat"]) == {2}
    assert pass_matrix(items, "best_run")["a"].tolist() == [1.0, 1.0]


def _routed(rates: pd.DataFrame, categories: list[str], texts: list[str], rounds: int = 5) -> pd.DataFrame:
    spent = {"cost": pd.DataFrame(np.tile([0.1, 0.01], (len(rates), 1)), index=rates.index, columns=rates.columns)}
    found = routers(
        rates, pd.Series(categories, index=rates.index), pd.Series(texts, index=rates.index), spent, rounds=rounds
    )
    return found.set_index("router")


def test_a_router_finds_what_categories_and_texts_give_away() -> None:
    topics = ["tax rules and returns", "wound care at night"]
    sides = [place % 2 for place in range(60)]
    rates = matrix(a=[float(side == 0) for side in sides], b=[float(side == 1) for side in sides])
    found = _routed(rates, [str(side) for side in sides], [f"{topics[side]} case" for side in sides])
    assert found.loc["by category", "rate"] == 1.0
    assert found.loc["by nearest item", "rate"] == 1.0
    assert found.loc["best single", "rate"] == 0.5
    assert found.loc["by category", "gain_low"] > 0.2
    assert found.loc["by category", "cost"] == pytest.approx(0.055)
    assert found.loc["oracle", "cost"] == pytest.approx(0.11)


def test_a_router_gains_nothing_where_there_is_nothing_to_learn() -> None:
    gains = []
    for seed in range(20):
        random = np.random.default_rng(seed)
        rates = matrix(a=list(random.integers(0, 2, 80)), b=list(random.integers(0, 2, 80)))
        words = [" ".join(random.choice(["ant", "bee", "cow", "dog", "elk"], 6)) for _ in range(80)]
        found = _routed(rates, [str(place % 6) for place in range(80)], words, rounds=1)
        assert found.loc["oracle", "gain"] > 0.1
        gains.append([found.loc["by category", "gain"], found.loc["by nearest item", "gain"]])
    assert (np.mean(gains, axis=0) < 0.005).all()


def test_too_few_items_or_candidates_give_no_router() -> None:
    few = matrix(a=[1.0] * 9, b=[0.0] * 9)
    assert _routed(few, ["x"] * 9, ["y"] * 9).empty
    assert routers(matrix(a=[1.0] * 20), pd.Series(dtype=str), pd.Series(dtype=str), {}).empty


def test_texts_are_like_themselves_and_unlike_others() -> None:
    found = similarities(
        ["the audit of the vendor", "the audit of the vendor", "wound care", "", "审计供应商合同", "供应商合同审计"]
    )
    assert found[0, 1] == pytest.approx(1.0)
    assert found[0, 2] == 0.0
    assert found[3].sum() == 0.0
    assert 0.3 < found[4, 5] < 1.0
    assert similarities([]).shape == (0, 0)
