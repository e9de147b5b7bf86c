import math
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from kwsuite.verdicts import (
    GATE_WEIGHTS,
    Bounds,
    Criterion,
    Outcome,
    Rubric,
    Tier,
    Unscored,
    Verdict,
    Weights,
    conjunction,
    fraction,
    gate_score,
    state_of,
)

MET, NOT, NONE = Verdict(state="met"), Verdict(state="not_met"), Unscored(reason="parse_failure")
SHORT: dict[str, Outcome] = {"+": MET, "-": NOT, "?": NONE}


def outcomes(letters: str) -> list[Outcome]:
    return [SHORT[letter] for letter in letters]


def rubric(mandatory: int = 5, good: int = 5, ideal: int = 5, normalise: bool = True) -> Rubric:
    counts: list[tuple[Tier, str, int]] = [
        ("mandatory", "m", mandatory),
        ("good_to_have", "g", good),
        ("ideal", "i", ideal),
    ]
    criteria = [
        Criterion(id=f"{letter}{number}", text=f"{tier} {number}?", tier=tier)
        for tier, letter, count in counts
        for number in range(1, count + 1)
    ]
    return Rubric(criteria=tuple(criteria), normalise=normalise)


def answered(of: Rubric, letters: str) -> dict[str, Outcome]:
    return {criterion.id: SHORT[letter] for criterion, letter in zip(of.criteria, letters, strict=True)}


@pytest.mark.parametrize(
    ("letters", "expected"),
    [("+", True), ("++", True), ("+-", False), ("?-", False), ("-?", False), ("+?", None), ("?", None)],
)
def test_conjunction_follows_kleene(letters: str, expected: bool | None) -> None:
    """C33: an ungraded mandatory criterion is never a pass."""
    assert conjunction(outcomes(letters)) is expected


def test_conjunction_over_nothing_is_refused() -> None:
    """C13: all([]) is no pass."""
    with pytest.raises(ValueError, match="over no criteria"):
        conjunction([])


def test_fraction_keeps_unscored_criteria_in_the_denominator() -> None:
    assert fraction(outcomes("+-?+")) == Bounds(0.5, 0.75)


def test_fraction_of_no_criteria_is_not_applicable() -> None:
    """C92: an empty component is n/a, not 1.0."""
    assert fraction([]) is None


@pytest.mark.parametrize(
    ("letters", "gate", "score"),
    [
        ("+++++----------", True, 0.40),
        ("+++++++++++++++", True, 1.00),
        ("++++++++--++---", True, 0.71),
        ("++++-++++++++++", False, 0.0),
        ("?+++-++++++++++", False, 0.0),
    ],
)
def test_gate_score_gives_the_published_values(letters: str, gate: bool, score: float) -> None:
    result = gate_score(rubric(), answered(rubric(), letters))
    assert (result.gate, result.score.value) == (gate, score)


def test_an_unscored_mandatory_criterion_leaves_score_unknown_between_bounds() -> None:
    result = gate_score(rubric(), answered(rubric(), "?+++++++++-----"))
    assert result.gate is None
    assert math.isnan(result.score.value)
    assert result.score == Bounds(0.0, 0.75)
    assert result.graded == pytest.approx(14 / 15)


def test_an_unscored_ideal_criterion_leaves_the_gate_passed_and_the_score_bounded() -> None:
    result = gate_score(rubric(), answered(rubric(), "+++++-----?----"))
    assert result.gate is True
    assert result.score == Bounds(0.40, 0.45)


def test_a_missing_outcome_counts_against_the_full_rubric() -> None:
    """C34: the denominator is the rubric, not what the judge returned."""
    of = rubric(2, 2, 0)
    result = gate_score(of, {"m1": MET, "m2": MET})
    assert result.graded == 0.5
    assert result.score == Bounds(round(0.4 / 0.75, 4), 1.0)


def test_an_outcome_for_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(ValueError, match="does not have: m9"):
        gate_score(rubric(1, 0, 0), {"m1": MET, "m9": MET})


@pytest.mark.parametrize(
    ("good", "ideal", "normalise", "full"),
    [(0, 5, False, 0.65), (5, 0, False, 0.75), (0, 0, False, 0.40), (0, 0, True, 1.0), (5, 0, True, 1.0)],
)
def test_a_tier_the_rubric_lacks_lowers_the_ceiling_only_in_published_rows(
    good: int, ideal: int, normalise: bool, full: float
) -> None:
    of = rubric(5, good, ideal, normalise)
    assert gate_score(of, {criterion.id: MET for criterion in of.criteria}).score.value == full


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf, "0.4", True, 1.5])
def test_a_weight_that_is_no_number_from_0_to_1_is_refused(weight: Any) -> None:
    """C32."""
    with pytest.raises(ValueError, match="it must be a number from 0 to 1"):
        Weights(base=weight, good_to_have=0.35, ideal=0.25)


def test_weights_that_do_not_sum_to_1_are_refused() -> None:
    """C32."""
    with pytest.raises(ValueError, match="they must sum to 1"):
        Weights(base=0.4, good_to_have=0.35, ideal=0.35)


def test_an_empty_mandatory_tier_is_refused() -> None:
    with pytest.raises(ValidationError, match="the mandatory tier is empty"):
        rubric(0, 5, 5)


def test_duplicate_criterion_ids_name_both_positions() -> None:
    """C37."""
    one = Criterion(id="accuracy", text="a?")
    with pytest.raises(ValidationError, match="'accuracy' stands twice, at positions 1 and 2"):
        Rubric(criteria=(one, Criterion(id="accuracy", text="b?")))


def test_duplicate_criterion_texts_are_refused() -> None:
    """C37."""
    with pytest.raises(ValidationError, match="ask the same question"):
        Rubric(criteria=(Criterion(id="a", text="Is it so?"), Criterion(id="b", text="is  it so?")))


def test_a_rubric_survives_serialisation_with_tiers_and_digest() -> None:
    """C41."""
    of = rubric(2, 1, 1, normalise=False)
    copy = Rubric.model_validate_json(of.model_dump_json())
    assert copy == of
    assert copy.digest() == of.digest()


def test_the_digest_changes_with_any_word() -> None:
    changed = Rubric(criteria=(Criterion(id="m1", text="Is it not so?"),))
    assert changed.digest() != Rubric(criteria=(Criterion(id="m1", text="Is it so?"),)).digest()


letters_15 = st.text(alphabet="+-?", min_size=15, max_size=15)


@given(letters_15, st.randoms())
def test_score_does_not_depend_on_the_order_of_outcomes(letters: str, random: Any) -> None:
    pairs = list(answered(rubric(), letters).items())
    before = gate_score(rubric(), dict(pairs))
    random.shuffle(pairs)
    assert gate_score(rubric(), dict(pairs)) == before


@given(letters_15, st.integers(0, 14))
def test_meeting_one_more_criterion_never_lowers_a_bound(letters: str, position: int) -> None:
    worse, better = (
        letters[:position] + "-" + letters[position + 1 :],
        letters[:position] + "+" + letters[position + 1 :],
    )
    low, high = gate_score(rubric(), answered(rubric(), worse)), gate_score(rubric(), answered(rubric(), better))
    assert low.score.low <= high.score.low
    assert low.score.high <= high.score.high


@given(st.text(alphabet="+-?", min_size=6, max_size=6))
def test_bounds_contain_every_completion_and_are_reached(letters: str) -> None:
    of = rubric(2, 2, 2)
    bounds = gate_score(of, answered(of, letters)).score
    choices = ["+-" if letter == "?" else letter for letter in letters]
    scores = [gate_score(of, answered(of, "".join(filled))).score.value for filled in product(*choices)]
    assert min(scores) == bounds.low
    assert max(scores) == bounds.high


@pytest.mark.parametrize(("passed", "bounds"), [(True, (1, 1)), (False, (0, 0)), (None, (0, 1))])
def test_what_is_unknown_lies_anywhere_between_failed_and_passed(passed: bool | None, bounds: tuple[int, int]) -> None:
    assert Bounds.of(passed) == bounds


def test_the_word_for_an_unscored_outcome_names_its_reason() -> None:
    assert state_of(NONE) == "unscored:parse_failure"


def test_the_weights_are_those_published() -> None:
    assert (GATE_WEIGHTS.base, GATE_WEIGHTS.good_to_have, GATE_WEIGHTS.ideal) == (0.40, 0.35, 0.25)
