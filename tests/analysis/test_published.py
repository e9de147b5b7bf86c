"""The published KWBench figures come out of logs built to them (notes of the paper, sections 1.5 and 1.8)."""

from pathlib import Path

import pytest

from kwsuite.analysis import Findings, find, read_frames
from tests.analysis.published import CATEGORIES


@pytest.fixture(scope="module")
def found(published: Path) -> Findings:
    return find(read_frames(published))[0]


def test_the_two_best_overlap_by_31_7_percent(found: Findings) -> None:
    pair = found.overlap.iloc[0]
    assert (pair["first"], pair["second"]) == ("opus", "gpt")
    assert (pair["shared"], pair["union"], pair["only_first"], pair["only_second"]) == (26, 82, 35, 21)
    assert round(100 * pair["jaccard"], 1) == 31.7
    assert round(pair["nested"], 2) == 0.77


def test_the_coverage_curve_is_the_published_one(found: Findings) -> None:
    curve = found.coverage
    assert list(curve["candidate"]) == ["opus", "gpt", "gemini-pro", "kimi", "glm", "qwen", "minimax", "flash"]
    assert list(curve["total"]) == [61, 82, 95, 103, 107, 109, 111, 113]
    assert list(curve["gain"]) == [61, 21, 13, 8, 4, 2, 2, 2]
    assert round(100 * curve["share"].iloc[-1], 1) == 50.7
    assert [round(100 * share) for share in curve["share_of_union"]] == [54, 73, 84, 91, 95, 96, 98, 100]


def test_the_difficulty_histogram_is_the_published_one(found: Findings) -> None:
    assert list(found.difficulty["items"]) == [110, 44, 22, 13, 7, 12, 8, 5, 2]
    assert found.difficulty["items"].sum() == 223


def test_unique_passes_are_the_published_ones(found: Findings) -> None:
    alone = dict(zip(found.coverage["candidate"], found.coverage["unique"], strict=True))
    assert (alone["opus"], alone["gpt"], alone["gemini-pro"]) == (14, 10, 7)
    assert sum(alone.values()) == 44


def test_pass_counts_and_rates_are_the_published_ones(found: Findings) -> None:
    passes = dict(zip(found.headline["candidate"], found.headline["passes"], strict=True))
    assert passes == pytest.approx(
        {"opus": 61, "gpt": 47, "glm": 45, "gemini-pro": 35, "qwen": 33, "kimi": 32, "minimax": 31, "flash": 30}
    )


def test_categories_are_solved_as_published(found: Findings) -> None:
    rates = found.fingerprints.drop_duplicates("category").set_index("category")
    for category, (items, passed) in CATEGORIES.items():
        assert rates.loc[category, "items"] == items
        assert round(rates.loc[category, "any_rate"] * items) == passed


def test_the_union_is_an_oracle_and_routers_stay_below_it(found: Findings) -> None:
    rates = dict(zip(found.routers["router"], found.routers["rate"], strict=True))
    assert round(100 * rates["oracle"], 1) == 50.7
    assert rates["by category"] < rates["oracle"] - 0.1
    assert rates["by nearest item"] < rates["oracle"] - 0.1
