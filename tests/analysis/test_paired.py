"""Paired differences."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from kwsuite.analysis.paired import difference, holm, mcnemar, minimal_detectable_difference, newcombe, sign_flip


def test_mcnemar_is_the_binomial_test_of_unequal_pairs() -> None:
    assert mcnemar(1, 9) == pytest.approx(2 * (1 + 10) / 2**10)
    assert mcnemar(0, 0) == 1.0


@given(st.integers(0, 9), st.integers(0, 5))
def test_sign_flips_of_ones_are_mcnemar(lost: int, gained: int) -> None:
    change = np.array([-1.0] * lost + [1.0] * gained + [0.0] * 3)
    assert sign_flip(change) == pytest.approx(mcnemar(lost, gained))


def test_drawn_sign_flips_come_near_the_exact_ones() -> None:
    change = np.array([-1.0] * 6 + [1.0] * 14)
    assert sign_flip(change) == pytest.approx(mcnemar(6, 14), abs=0.01)


def test_a_pair_without_both_scores_leaves_both_sides() -> None:
    """C148, C142."""
    found = difference([1.0, 1.0, math.nan, 0.0], [1.0, 0.0, 1.0, math.nan])
    assert (found.n, found.value) == (2, -0.5)


def test_nothing_paired_gives_no_numbers() -> None:
    found = difference([math.nan], [1.0])
    assert found.n == 0
    assert math.isnan(found.value)
    assert math.isnan(found.p)


def test_sides_of_different_length_are_refused() -> None:
    with pytest.raises(ValueError, match="same items"):
        difference([1.0], [1.0, 0.0])


def test_equal_outcomes_still_leave_doubt() -> None:
    """A bootstrap would give the interval 0 to 0 here."""
    found = difference([1.0, 0.0] * 10, [1.0, 0.0] * 10)
    assert found.p == 1.0
    assert found.low < 0 < found.high
    assert found.detectable > 0.1


def test_scores_that_change_alike_have_no_interval_of_zero_width() -> None:
    found = difference([0.2, 0.7, 0.4] * 10, [0.2, 0.7, 0.4] * 10)
    assert found.low < -0.05
    assert found.high > 0.05
    assert math.isnan(found.detectable)
    beyond = difference([2.0, 7.0, 4.0], [2.5, 7.5, 4.5])
    assert beyond.value == 0.5
    assert math.isnan(beyond.low)
    assert math.isnan(beyond.detectable)


def test_newcombe_turns_around_with_its_sides() -> None:
    low, high = newcombe(20, 5, 12, 60)
    assert newcombe(20, 12, 5, 60) == pytest.approx((-high, -low))


def test_newcombe_is_narrower_for_agreeing_pairs() -> None:
    agreeing, opposed = newcombe(30, 2, 4, 60), newcombe(2, 30, 28, 60)
    assert agreeing[1] - agreeing[0] < 0.5 * (opposed[1] - opposed[0])


def test_newcombe_refuses_counts_that_do_not_fit() -> None:
    with pytest.raises(ValueError, match="do not fit"):
        newcombe(3, 3, 3, 8)


def test_newcombe_covers_as_often_as_it_claims() -> None:
    random = np.random.default_rng(3)
    cells = np.array([0.3, 0.2, 0.1, 0.4])
    hits = 0
    for both, lost, gained, _ in random.multinomial(50, cells, size=1000):
        low, high = newcombe(int(both), int(lost), int(gained), 50)
        hits += low <= 0.1 - 0.2 <= high
    assert 0.94 <= hits / 1000 <= 0.975


def test_repeats_are_compared_by_item_means() -> None:
    found = difference([0.5, 0.0, 1.0, 0.5], [1.0, 0.5, 1.0, 0.5])
    assert found.method == "sign-flip"
    assert found.value == 0.25
    assert (found.gained, found.lost) == (2, 0)


def test_holm_gives_the_textbook_values() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_passes_over_what_was_not_tested() -> None:
    assert holm([0.03, math.nan, 0.02])[0] == pytest.approx(0.04)
    assert math.isnan(holm([0.03, math.nan])[1])
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_never_lowers_and_never_reorders(ps: list[float]) -> None:
    adjusted = holm(ps)
    assert all(p <= q <= 1 for p, q in zip(ps, adjusted, strict=True))
    order = np.argsort(ps, kind="stable")
    assert all(np.diff(np.array(adjusted)[order]) >= 0)


def test_the_detectable_difference_follows_its_formula() -> None:
    assert minimal_detectable_difference(0.5, 100) == pytest.approx((1.959964 + 0.841621) * 0.05, rel=1e-5)
    assert minimal_detectable_difference(0.5, 1) is None
    assert minimal_detectable_difference(math.nan, 10) is None


def _found(share_lost: float, share_gained: float, n: int, repeats: int, seed: int) -> tuple[float, float]:
    """Give how often a difference is found at 5 %, and how often the interval holds the truth."""
    random = np.random.default_rng(seed)
    cells = [share_lost, share_gained, 0.5 * (1 - share_lost - share_gained)]
    found = covered = 0
    for _ in range(repeats):
        kind = random.choice(4, size=n, p=[*cells, 1 - sum(cells)])
        one, two = np.isin(kind, (0, 2)).astype(float), np.isin(kind, (1, 2)).astype(float)
        change = difference(one, two)
        found += change.p < 0.05
        covered += change.low <= share_gained - share_lost <= change.high
    return found / repeats, covered / repeats


def test_a_planted_difference_is_found_at_the_promised_power() -> None:
    """The share lost and gained are such that the detectable difference at n = 200 is the planted one."""
    n, unequal = 200, 0.3
    planted = minimal_detectable_difference(math.sqrt(unequal - 0.1**2), n)
    assert planted is not None
    found, covered = _found((unequal - planted) / 2, (unequal + planted) / 2, n, 500, seed=11)
    # The exact test is conservative, so a little less than 80 % is what it can do.
    assert 0.70 <= found <= 0.86
    assert 0.93 <= covered <= 0.98


def test_no_difference_is_found_no_more_often_than_allowed() -> None:
    found, covered = _found(0.15, 0.15, 200, 500, seed=12)
    # Two standard errors above the nominal rate.
    assert found <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 500)
    assert 0.93 <= covered <= 0.98


def test_no_difference_of_repeated_scores_is_found_no_more_often_than_allowed() -> None:
    random = np.random.default_rng(13)
    found = 0
    for _ in range(300):
        chances = random.beta(1, 1, size=40)
        one, two = ((random.random((3, 40)) < chances).mean(axis=0) for _ in range(2))
        found += difference(one, two, resamples=2_000).p < 0.05
    assert 0.01 <= found / 300 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 300)


def test_the_exact_p_value_is_scipys() -> None:
    assert mcnemar(7, 18) == pytest.approx(stats.binomtest(7, 25).pvalue)
