"""The interval of a rate over items."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.verdicts import rate_interval, wilson

SHARES = st.integers(1, 8).flatmap(lambda of: st.integers(0, of).map(lambda met: met / of))


def candidates() -> st.SearchStrategy[list[tuple[float, float]]]:
    """Item means of a candidate, each beside that of one who is at least as good on it."""
    pair = st.tuples(SHARES, SHARES).map(sorted).map(tuple)
    return st.lists(st.one_of(pair, st.just((1.0, 1.0)), SHARES.map(lambda share: (share, share))), max_size=40)


@pytest.mark.parametrize(("passes", "low", "high"), [(0, 0.0, 0.4345), (3, 0.2307, 0.8824), (5, 0.5655, 1.0)])
def test_the_interval_of_one_epoch_is_wilsons_at_the_ends_and_between(passes: int, low: float, high: float) -> None:
    """C140."""
    found = rate_interval([1.0] * passes + [0.0] * (5 - passes))
    assert found == wilson(passes, 5)
    assert found == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize("means", [[], [0.5]])
def test_no_item_and_one_whose_epochs_disagree_have_no_interval(means: list[float]) -> None:
    """C140, C144."""
    assert all(map(math.isnan, rate_interval(means)))


def test_items_that_agree_on_a_rate_between_have_no_point_for_an_interval() -> None:
    low, high = rate_interval([0.5] * 4)
    assert (low, high) == pytest.approx((0.2993, 0.7007), abs=1e-4)


@given(candidates())
def test_a_candidate_nowhere_better_never_gets_a_higher_end(pairs: list[tuple[float, float]]) -> None:
    worse, better = rate_interval([pair[0] for pair in pairs]), rate_interval([pair[1] for pair in pairs])
    assert all(math.isnan(one) or math.isnan(two) or one <= two + 1e-12 for one, two in zip(worse, better, strict=True))


@given(st.lists(SHARES, min_size=2, max_size=60))
def test_the_interval_holds_the_rate_and_is_no_point(means: list[float]) -> None:
    low, high = rate_interval(means)
    assert 0 <= low <= sum(means) / len(means) + 1e-12
    assert sum(means) / len(means) - 1e-12 <= high <= 1
    assert low < high


def test_one_failed_run_does_not_raise_the_lower_end() -> None:
    assert rate_interval([1.0] * 9 + [0.75])[0] <= rate_interval([1.0] * 10)[0]


def test_one_passed_run_of_many_lifts_the_lower_end_above_zero() -> None:
    assert rate_interval([0.2] + [0.0] * 39)[0] > 0


def test_repeats_of_items_alike_in_difficulty_narrow_the_interval() -> None:
    once, often = rate_interval([1.0] * 15 + [0.0] * 15), rate_interval([0.4] * 15 + [0.6] * 15)
    assert often[1] - often[0] < 0.6 * (once[1] - once[0])


COVERED: list[Any] = [
    pytest.param(20, 5, (9, 0.5), id="twenty-hard-to-fail"),
    pytest.param(30, 4, (9, 0.5), id="thirty-hard-to-fail"),
    pytest.param(100, 5, (9, 0.5), id="hundred-hard-to-fail"),
    pytest.param(8, 4, (2, 2), id="few-mixed"),
    pytest.param(20, 4, (2, 2), id="mixed"),
    pytest.param(20, 4, (0.2, 0.2), id="all-or-nothing"),
    pytest.param(30, 5, (500, 500), id="all-alike"),
]


@pytest.mark.parametrize(("items", "epochs", "difficulty"), COVERED)
def test_rates_over_repeats_are_covered_about_as_often_as_they_claim(
    items: int, epochs: int, difficulty: tuple[float, float]
) -> None:
    """Of 2,000 simulated runs on new items of the kind; the standard error of the share is half a point."""
    random = np.random.default_rng(7)
    chances = random.beta(*difficulty, size=(2_000, items))
    runs = random.binomial(epochs, chances) / epochs
    truth = difficulty[0] / sum(difficulty)
    covered = np.mean([low <= truth <= high for low, high in (rate_interval(means.tolist()) for means in runs)])
    assert 0.935 <= covered <= 0.99


def test_a_level_outside_0_to_1_is_refused() -> None:
    with pytest.raises(ValueError, match=r"level is 95; it must lie between 0 and 1, like 0\.95"):
        rate_interval([1.0, 0.0], level=95)
