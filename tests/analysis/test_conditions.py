"""One model under several conditions is one candidate, contrasted with itself."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from kwsuite.analysis import Findings, find, read_frames
from kwsuite.analysis.conditions import conditions
from kwsuite.analysis.page import render_page
from kwsuite.analysis.story import takeaways
from tests.analysis.making import gate_record, write_log

ITEMS = 12
Passes = Mapping[tuple[str, str], int]
"""Model and condition to how many of the first items it passes."""

ONE = {("x/m", "without"): 3, ("x/m", "with"): 12, ("x/m", "perturbed"): 3}
TWO = ONE | {("y/n", "without"): 2, ("y/n", "with"): 6, ("y/n", "perturbed"): 6}


def write(folder: Path, passes: Passes, argument: str = "condition") -> Path:
    samples = {f"i{place:02d}": {"input": f"q {place}", "category": f"c{place % 2}"} for place in range(ITEMS)}
    for number, ((model, condition), count) in enumerate(passes.items()):
        scores = {
            (name, 1): gate_record({"m1": "met", "m2": "met" if place < count else "not_met"})
            for place, name in enumerate(samples)
        }
        arguments = {argument: condition} if condition else {}
        write_log(folder, model, scores, samples, task_args=arguments, number=number)
    return folder


def found(folder: Path, passes: Passes, argument: str = "condition", top: int | None = None) -> Findings:
    return find(read_frames(write(folder, passes, argument)), top=top)[0]


def text_of(folder: Path) -> str:
    frames = read_frames(folder)
    return " ".join(re.sub(r"<script.*?</script>|<[^>]+>", " ", page(find(frames), folder), flags=re.S).split())


def page(findings: list[Findings], folder: Path) -> str:
    return render_page(findings, read_frames(folder), "A title", "then")


def test_conditions_of_one_candidate_are_never_set_against_each_other(tmp_path: Path) -> None:
    own = found(tmp_path, ONE)
    assert own.differences.empty
    assert own.overlap.empty
    assert own.routers.empty
    assert own.coverage["candidate"].tolist() == ["m · condition=with"]
    said = " ".join(takeaways(own))
    for rivalry in ("behind", "level with", "told apart", "Together", "Routing"):
        assert rivalry not in said


def test_conditions_are_contrasted_with_the_first_of_them_on_common_items(tmp_path: Path) -> None:
    effects = found(tmp_path, ONE).condition_effects.set_index("second")
    assert effects["first"].unique().tolist() == ["condition=with"]
    assert effects["subject"].unique().tolist() == ["m"]
    assert effects["difference"].to_dict() == {"condition=without": -0.75, "condition=perturbed": -0.75}
    assert effects["n"].tolist() == [ITEMS, ITEMS]
    assert effects.loc["condition=without", "p_holm"] == pytest.approx(2 * 2 / 2**9)


def test_a_contrast_of_conditions_is_worded_as_one(tmp_path: Path) -> None:
    said = takeaways(found(tmp_path, ONE))
    assert said[0].startswith("m passes 100.0% of 12 items under condition=with (")
    assert said[1].startswith(
        "m under condition=without against condition=with: −75.0 points on the same 12 items (−91.1 to"
    )
    assert said[1].endswith("more than chance explains.")


def test_a_condition_that_changes_nothing_is_said_to_be_the_same(tmp_path: Path) -> None:
    said = takeaways(found(tmp_path, {("x/m", "cold"): 4, ("x/m", "hinted"): 4}, "framing"))
    assert "m under framing=hinted against framing=cold: no change on the same 12 items" in said[1]
    assert "chance" not in said[1]


def test_candidates_are_compared_by_name_under_the_condition_they_meet_in(tmp_path: Path) -> None:
    said = takeaways(found(tmp_path, TWO))
    assert said[0].startswith("m passes 100.0% of 12 items under condition=with")
    assert said[3].startswith("Under condition=with, n is 50.0 points behind on the same 12 items")
    assert not any(sentence.startswith("n under") for sentence in said)


def test_candidates_meet_under_the_condition_that_most_of_them_have(tmp_path: Path) -> None:
    own = found(tmp_path, TWO | {("z/o", "without"): 1})
    assert own.conditions.base == "condition=without"
    assert own.passes.columns.tolist() == ["m · condition=without", "n · condition=without", "o · condition=without"]
    assert len(own.differences) == 3


def test_of_equally_common_conditions_the_first_in_order_is_the_base(tmp_path: Path) -> None:
    runs = read_frames(write(tmp_path, TWO)).runs
    assert conditions(runs).names == ("condition=with", "condition=without", "condition=perturbed")
    assert conditions(runs).base == "condition=with"


def test_the_conditions_of_a_candidate_stand_together_in_the_headline(tmp_path: Path) -> None:
    names = found(tmp_path, TWO).headline["candidate"].tolist()
    assert names == [f"{who} · condition={what}" for who in "mn" for what in ("with", "without", "perturbed")]


def test_a_best_few_counts_candidates_not_conditions(tmp_path: Path) -> None:
    own = found(tmp_path, TWO | {("z/o", "with"): 1}, top=2)
    assert own.passes.columns.tolist() == ["m · condition=with", "n · condition=with"]
    assert len(own.contrasted) == 6


def test_other_arguments_still_make_other_candidates(tmp_path: Path) -> None:
    own = found(tmp_path, {("x/m", "react"): 3, ("x/m", "plain"): 9}, "agent")
    assert own.conditions.names == ()
    assert own.condition_effects.empty
    assert len(own.differences) == 1


def test_the_page_shows_conditions_apart_and_no_rivalry(tmp_path: Path) -> None:
    text = text_of(write(tmp_path, ONE))
    assert "What the conditions do" in text
    assert "Where conditions differ most" in text
    assert "not ranked" in text
    for part in ("What they reach together", "How alike they pass", "How hard the items are", "Differences of"):
        assert part not in text


def test_a_page_of_two_candidates_and_conditions_names_the_condition_they_meet_under(tmp_path: Path) -> None:
    text = text_of(write(tmp_path, TWO))
    assert "The difference of the two, on the items that both have, under condition=with" in text
    assert "Where candidates and conditions differ most" in text


def test_without_conditions_nothing_is_said_of_them(tmp_path: Path) -> None:
    text = text_of(write(tmp_path, {("x/m", ""): 3, ("y/n", ""): 4}))
    assert "condition" not in text.lower().split("methods")[0]
