"""Assigning findings to planted problems."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kwsuite.matching import (
    Comparison,
    DocumentScore,
    Finding,
    Key,
    Located,
    Matching,
    Place,
    Planted,
    Source,
    Span,
    compare_places,
    lexical,
    locate_all,
    match,
)
from kwsuite.matching.near_misses import near_misses

# No sentence ends in it, so that spans are what they are when widened.
LINES = "\n".join(f"- line {number:02d} of the text" for number in range(10))


def reported(*findings: tuple[int, int, str]) -> list[Located]:
    return [
        Located(Finding(description=text), Place(state="exact", spans=(Span(start, end),), score=1.0))
        for start, end, text in findings
    ]


def planted(*problems: tuple[int, int]) -> list[Planted]:
    return [
        Planted(f"p{number}", "ambiguity", f"problem {number}", (Span(*span),))
        for number, span in enumerate(problems, start=1)
    ]


def compare(findings: list[Located], problems: list[Planted], least_iou: float = 0.5) -> Comparison:
    # A blank text has no sentences: spans stay as given.
    return compare_places(findings, problems, Source(" " * 100), least_iou)


def alike(comparison: Comparison) -> Matching:
    return match(comparison, {Key(pair.finding, pair.problem): 1.0 for pair in comparison.pairs}, 0.5)


def score(matching: Matching, comparison: Comparison) -> DocumentScore:
    return DocumentScore(len(comparison.planted), len(comparison.reported), matching.hits, matching.most_hits)


def test_c128_duplicates_earn_no_second_credit() -> None:
    comparison = compare(reported(*[(0, 10, "same words")] * 3), planted((0, 10)))
    result = score(alike(comparison), comparison)
    assert result.hits == 1
    assert (result.precision.value, result.recall.value) == (pytest.approx(1 / 3), 1.0)


def test_which_of_two_repeated_findings_stays_does_not_depend_on_order() -> None:
    one, other = (
        Located(Finding(description="same words", type_text=type_), Place(state="exact", spans=(Span(0, 10),)))
        for type_ in ("ambiguity", "factual error")
    )
    kept = [
        comparison.reported[comparison.pairs[0].finding]
        for comparison in (compare(findings, planted((0, 10))) for findings in ([one, other], [other, one]))
    ]
    assert kept[0] == kept[1]


@pytest.mark.parametrize("order", list(permutations(range(2))))
def test_c129_the_assignment_is_the_largest_whatever_the_order(order: tuple[int, ...]) -> None:
    findings = reported((4, 12, "p"), (0, 6, "q"))
    comparison = compare([findings[index] for index in order], planted((0, 10), (5, 15)))
    matching = alike(comparison)
    assert matching.hits == 2
    pairs = {comparison.reported[one.pair.finding].finding.description: one.pair.problem for one in matching.matched}
    assert pairs == {"q": 0, "p": 1}


def test_more_matches_beat_better_ones() -> None:
    comparison = compare(reported((0, 10, "a"), (0, 6, "b")), planted((0, 10), (0, 6)))
    # One match of weight 2 against two that weigh 0.85 each.
    similarities = {Key(0, 0): 1.0, Key(0, 1): 0.25, Key(1, 0): 0.25, Key(1, 1): 0.1}
    assert [one.similarity for one in match(comparison, similarities, 0.2).matched] == [0.25, 0.25]


def test_among_assignments_of_one_size_the_best_total_wins() -> None:
    comparison = compare(reported((0, 10, "a"), (0, 10, "b")), planted((0, 10), (0, 10)))
    similarities = {Key(0, 0): 0.6, Key(0, 1): 0.9, Key(1, 0): 0.8, Key(1, 1): 0.6}
    assert [one.similarity for one in match(comparison, similarities, 0.5).matched] == [0.8, 0.9]


def test_a_finding_without_a_place_matches_nothing() -> None:
    lost = Located(Finding(description="problem 1"), Place(state="not_found", fault="absent"))
    assert compare([lost], planted((0, 10))).pairs == ()


def test_a_short_quote_meets_a_place_named_by_its_sentence() -> None:
    text = "One here. The goods are delivered as soon as possible. Last one."
    source = Source(text)
    quote = text.index("as soon as possible")
    problem = Planted("p1", "ambiguity", "x", (Span(quote, quote + 19),))
    findings = locate_all([Finding(location="sentence 2", description="x")], source)
    [pair] = compare_places(findings, [problem], source).pairs
    assert pair.iou == 1.0
    assert pair.raw_iou < 0.5


def test_either_end_of_a_contradiction_is_a_right_place() -> None:
    source = Source(LINES)
    ends = (Span(0, 21), Span(66, 87))
    problem = Planted("p1", "logical_inconsistency", "x", ends)
    for end in ends:
        located = [Located(Finding(description="x"), Place(state="exact", spans=(end,), score=1.0))]
        assert len(compare_places(located, [problem], source).pairs) == 1


def test_an_undecided_meaning_leaves_bounds() -> None:
    comparison = compare(reported((0, 10, "a"), (20, 30, "b")), planted((0, 10), (20, 30)))
    matching = match(comparison, {Key(0, 0): 1.0, Key(1, 1): None}, 0.5)
    assert (matching.hits, matching.most_hits) == (1, 2)
    assert matching.undecided == (Key(1, 1),)


def test_an_undecided_meaning_that_cannot_matter_leaves_none() -> None:
    comparison = compare(reported((0, 10, "a"), (0, 10, "b")), planted((0, 10)))
    matching = match(comparison, {Key(0, 0): 1.0}, 0.5)
    assert (matching.hits, matching.most_hits) == (1, 1)


@pytest.mark.parametrize("least_iou", [0.0, -1.0, 1.01, float("nan")])
def test_a_senseless_place_threshold_is_refused(least_iou: float) -> None:
    with pytest.raises(ValueError, match="iou is"):
        compare([], [], least_iou)


def test_near_misses_pair_what_was_not_found_with_what_was_not_right() -> None:
    source = Source(LINES)
    findings = reported((22, 43, "the fee has no source"), (0, 21, "quite another thing"))
    problems = [Planted("p1", "data_citation", "the fee has no source", (Span(66, 87),))]
    comparison = compare_places(findings, problems, source)
    [miss] = near_misses(comparison, match(comparison, {}, 0.5), source, lexical)
    assert (miss.finding, miss.problem, miss.iou) == (0, 0, 0.0)
    assert miss.similarity == pytest.approx(1.0)


SPANS = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))
FINDINGS = st.lists(st.tuples(SPANS, st.sampled_from("abc")), max_size=5)
PROBLEMS = st.lists(SPANS, max_size=4)


def similarity_of(comparison: Comparison) -> dict[Key, float | None]:
    """Give each pair a similarity that depends on its content only; some are undecided."""
    return {
        Key(p.finding, p.problem): (None, 0.3, 0.6, 0.6, 0.9)[(ord(p.wording.said) + ord(p.wording.planted[-1])) % 5]
        for p in comparison.pairs
    }


def hits(findings: list[tuple[tuple[int, int], str]], problems: list[tuple[int, int]]) -> DocumentScore:
    comparison = compare(reported(*[(*span, text) for span, text in findings]), planted(*problems))
    return score(match(comparison, similarity_of(comparison), 0.5), comparison)


# Two findings that are equally right about one problem: only their content may decide between them.
@example([((0, 10), "b"), ((0, 10), "c")], [(0, 10)], Random(0))
@given(FINDINGS, PROBLEMS, st.randoms(use_true_random=False))
def test_matching_does_not_depend_on_order(findings, problems, random) -> None:
    def outcome(order: list[int]) -> set[tuple[object, ...]]:
        comparison = compare(reported(*[(*findings[i][0], findings[i][1]) for i in order]), planted(*problems))
        matching = match(comparison, similarity_of(comparison), 0.5)
        said = [(comparison.reported[one.pair.finding].place.spans, one.pair.wording) for one in matching.matched]
        return {(*spans, wording) for spans, wording in said} | {(matching.hits, matching.most_hits)}

    order = list(range(len(findings)))
    shuffled = order.copy()
    random.shuffle(shuffled)
    assert outcome(order) == outcome(shuffled) == outcome(order[::-1])


@given(FINDINGS.filter(bool), PROBLEMS, st.data())
def test_a_duplicate_finding_never_raises_f1(findings, problems, data) -> None:
    again = data.draw(st.sampled_from(findings))
    before, after = hits(findings, problems), hits([*findings, again], problems)
    assert after.f1.low <= before.f1.low
    assert after.f1.high <= before.f1.high


@given(FINDINGS, PROBLEMS)
def test_the_assignment_is_as_large_as_any(findings, problems) -> None:
    comparison = compare(reported(*[(*span, text) for span, text in findings]), planted(*problems))
    similarities = similarity_of(comparison)
    edges = [key for key, value in similarities.items() if value is not None and value >= 0.5]

    def largest(rest: list[Key], used: frozenset[int]) -> int:
        if not rest:
            return 0
        head, *tail = rest
        same = [key for key in tail if key.finding == head.finding]
        other = [key for key in tail if key.finding != head.finding]
        without = largest(tail, used) if same else largest(other, used)
        if head.problem in used:
            return without
        return max(without, 1 + largest(other, used | {head.problem}))

    matching = match(comparison, similarities, 0.5)
    assert matching.hits == largest(edges, frozenset())
    assert len({one.pair.problem for one in matching.matched}) == matching.hits
    assert len({one.pair.finding for one in matching.matched}) == matching.hits
