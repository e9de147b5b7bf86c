"""What became of each finding."""

import pytest

from kwsuite.matching import Finding, Key, Planted, Source, Span, compare_places, locate_all, match
from kwsuite.matching.fates import Fate, fates

TEXT = "The first sentence is here. The second sentence is there. The third one is elsewhere."
FIRST, SECOND = "The first sentence is here.", "The second sentence is there."


def planted(name: str, quote: str) -> Planted:
    start = TEXT.index(quote)
    return Planted(name, "ambiguity", f"Problem {name}.", (Span(start, start + len(quote)),))


def said(location: str, description: str) -> Finding:
    return Finding(location=location, description=description)


@pytest.mark.parametrize(
    ("findings", "similarities", "expected"),
    [
        pytest.param([said(FIRST, "a")], {Key(0, 0): 0.9}, [Fate("matched", 0)], id="matched"),
        pytest.param([said(FIRST, "a")], {Key(0, 0): 0.1}, [Fate("other_meaning", 0)], id="other-meaning"),
        pytest.param([said(FIRST, "a")], {Key(0, 0): None}, [Fate("undecided", 0)], id="undecided"),
        pytest.param([said("The third one is elsewhere.", "a")], {}, [Fate("other_place")], id="other-place"),
        pytest.param([said("Nothing of the kind is written.", "a")], {}, [Fate("not_located")], id="not-located"),
        pytest.param(
            [said(SECOND, "a"), said(SECOND, "A!")],
            {Key(1, 1): 0.1},
            [Fate("duplicate"), Fate("other_meaning", 1)],
            id="duplicate",
        ),
        pytest.param(
            [said(FIRST, "a"), said(FIRST, "b")],
            {Key(0, 0): 0.6, Key(1, 0): 0.9},
            [Fate("same_as_matched", 0), Fate("matched", 0)],
            id="same-as-matched",
        ),
    ],
)
def test_each_finding_has_one_fate(
    findings: list[Finding], similarities: dict[Key, float | None], expected: list[Fate]
) -> None:
    source = Source(TEXT)
    problems = [planted("p1", FIRST), planted("p2", SECOND)]
    comparison = compare_places(locate_all(findings, source), problems, source)
    matching = match(comparison, similarities, 0.5)
    assert list(fates(comparison, matching, similarities, 0.5)) == expected
