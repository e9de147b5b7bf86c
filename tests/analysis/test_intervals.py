"""Rates and means with their intervals."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.analysis.intervals import bootstrap, bounds_of, mean, rate, wilson


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [(51, 75, 0.568, 0.775), (0, 75, 0.0, 0.049), (17, 75, 0.147, 0.333), (0, 5, 0.0, 0.434), (5, 5, 0.566, 1.0)],
)
def test_wilson_gives_the_published_intervals(k: int, n: int, low: float, high: float) -> None:
    """C140: the gated-task paper's cells."""
    found = wilson(k, n)
    assert found == pytest.approx((low, high), abs=0.0006)


def test_wilson_of_no_trials_is_none() -> None:
    """C140."""
    assert wilson(0, 0) is None


@pytest.mark.parametrize(("k", "n"), [(3, 2), (-1, 2), (0.5, 1), (1, 1.0), (True, 1)])
def test_wilson_refuses_what_is_not_a_count(k: float, n: float) -> None:
    """C140."""
    with pytest.raises(ValueError, match=r"whole numbers|between 0 and n"):
        wilson(k, n)  # type: ignore[arg-type]


@given(st.integers(0, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_holds_the_rate_and_stays_a_share(counts: tuple[int, int]) -> None:
    k, n = counts
    found = wilson(k, n)
    if found is None:
        assert n == 0
        return
    low, high = found
    assert 0 <= low <= k / n <= high <= 1
    assert low < high


def test_a_rate_with_one_outcome_an_item_is_wilson() -> None:
    found = rate([1.0] * 51 + [0.0] * 24)
    assert (found.low, found.high) == wilson(51, 75)
    assert found.n == 75


def test_unscored_outcomes_leave_the_rate() -> None:
    found = rate([1.0, 0.0, math.nan, math.nan], ["a", "b", "c", "a"])
    assert (found.value, found.n) == (0.5, 2)


def test_a_rate_of_nothing_is_nan_without_an_interval() -> None:
    """C59."""
    for values in ([], [math.nan]):
        found = rate(values)
        assert math.isnan(found.value)
        assert not found.known
        assert found.n == 0


def test_repeats_of_one_item_give_no_interval() -> None:
    """C144: one cluster says nothing about the others."""
    for estimate in (rate, mean, bootstrap):
        found = estimate([1.0, 0.0, 1.0], ["a", "a", "a"])
        assert found.value == pytest.approx(2 / 3)
        assert not found.known


def test_identical_repeats_do_not_narrow_a_rate() -> None:
    """C144: twelve copies of ten outcomes are ten items."""
    outcomes = [1.0] * 4 + [0.0] * 6
    once = rate(outcomes)
    often = rate(outcomes * 12, list(range(10)) * 12)
    assert often.value == once.value
    assert often.high - often.low >= once.high - once.low


def test_all_repeats_alike_at_an_end_keep_the_width_of_the_items() -> None:
    found = rate([0.0] * 30, [item for item in range(10) for _ in range(3)])
    assert found.low == 0.0
    assert found.high >= (wilson(0, 10) or (0, 1))[1]


def test_a_clustered_mean_matches_its_error() -> None:
    """C144: macro mean with macro error; five documents of four questions."""
    values = [1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0]
    documents = [place for place in range(5) for _ in range(4)]
    found = mean([float(value) for value in values], documents)
    means = np.array([0.5, 1.0, 0.0, 0.25, 0.75])
    assert found.value == means.mean()
    assert found.high - found.value == pytest.approx(2.7764 * means.std(ddof=1) / math.sqrt(5), rel=1e-3)
    assert found.n == 5


def test_weighting_decides_what_a_mean_averages() -> None:
    values, clusters = [1.0, 1.0, 1.0, 0.0], ["a", "a", "a", "b"]
    assert mean(values, clusters).value == 0.5
    assert mean(values, clusters, weighting="observation").value == 0.75


def test_the_observation_error_is_cluster_robust() -> None:
    values = [1.0, 0.0] * 9 + [1.0, 0.1]
    alike = mean(values, [place // 2 for place in range(20)], weighting="observation")
    unlike = mean(values, [place % 2 for place in range(20)], weighting="observation")
    assert alike.high - alike.low < 0.1
    assert unlike.high - unlike.low > 1


def test_the_bootstrap_repeats_itself() -> None:
    values = [0.1, 0.43, 0.97, 0.31, 0.8, 0.02]
    assert bootstrap(values) == bootstrap(values)
    assert bootstrap(values, resamples=200, seed=1) != bootstrap(values, resamples=200, seed=2)


@pytest.mark.parametrize("estimate", [mean, bootstrap])
def test_equal_values_have_the_width_of_a_rate_between_known_bounds_and_else_none(estimate: Any) -> None:
    """A perfect score on 30 items is no certainty about the next."""
    sure = estimate([1.0] * 30, bounds=(0.0, 1.0))
    assert (sure.low, sure.high) == wilson(30, 30)
    half = estimate([0.5] * 30, bounds=(0.0, 1.0))
    assert 0.4 < half.low < 0.48
    assert half.high == pytest.approx(1 - half.low)
    assert not estimate([1.0] * 30).known
    assert not estimate([3.0] * 30, bounds=(0.0, 1.0)).known


def test_a_mean_stays_within_its_bounds() -> None:
    values = [1.0] * 5 + [0.9]
    assert mean(values).high > 1
    assert mean(values, bounds=(0.0, 1.0)).high == 1.0
    assert not mean([0.4], bounds=(0.0, 1.0)).known


def test_scores_seen_outside_of_0_to_1_have_no_bounds() -> None:
    assert bounds_of([0.0, math.nan, 1.0]) == (0.0, 1.0)
    assert bounds_of([0.5, 1.01]) is None
    assert bounds_of([math.nan]) is None


def test_labels_must_match_values() -> None:
    with pytest.raises(ValueError, match="2 values but 1 items"):
        rate([1.0, 0.0], ["a"])


@pytest.mark.parametrize("repeats", [1, 4])
def test_rates_are_covered_as_often_as_they_claim(repeats: int) -> None:
    """Items differ in difficulty; the interval is for new items of the kind."""
    random = np.random.default_rng(5)
    hits = 0
    for _ in range(400):
        chances = random.beta(1.2, 2.2, size=40)
        outcomes = random.random((40, repeats)) < chances[:, None]
        found = rate(outcomes.astype(float).ravel(), np.repeat(np.arange(40), repeats).tolist())
        hits += found.low <= 1.2 / 3.4 <= found.high
    assert 0.925 <= hits / 400 <= 0.985
