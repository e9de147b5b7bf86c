"""The criteria of an item by candidate."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.scorer import Score

from kwsuite.analysis import find, read_frames
from kwsuite.analysis.frames import Frames
from kwsuite.analysis.page import render_page
from kwsuite.analysis.page.matrix import MOST_CRITERIA, matrices
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting
from tests.analysis.making import gate_record, write_log

Verdicts = Mapping[str, str]


def read(folder: Path, *candidates: Sequence[Verdicts]) -> Frames:
    """Candidates a, b, ... with the verdicts of each of their epochs on one item."""
    for number, epochs in enumerate(candidates):
        scores = {("i1", epoch): gate_record(verdicts) for epoch, verdicts in enumerate(epochs, start=1)}
        text = {"criteria": [{"id": key, "text": f"Is {key} so?"} for key in epochs[0]]}
        samples = {"i1": {"input": "q", "rubric": text}}
        write_log(folder, f"x/{'abc'[number]}", scores, samples, number=number)
    return read_frames(folder)


def signs(frames: Frames) -> dict[str, list[str]]:
    own = find(frames)[0]
    matrix = matrices(own.criteria, ["i1"], own.contrasted)["i1"]
    return {line.criterion: [mark.sign for mark in line.marks] for line in matrix.lines}


def test_criteria_on_which_candidates_differ_come_first_then_the_order_of_the_rubric(tmp_path: Path) -> None:
    frames = read(
        tmp_path,
        [{"m1": "met", "m2": "met", "g1": "not_met", "i1": "met"}],
        [{"m1": "met", "m2": "not_met", "g1": "not_met", "i1": "not_met"}],
    )
    assert signs(frames) == {"m2": ["✓", "✕"], "i1": ["✓", "✕"], "m1": ["✓", "✓"], "g1": ["✕", "✕"]}


def test_an_unscored_criterion_is_neither_met_nor_not_and_makes_no_difference(tmp_path: Path) -> None:
    frames = read(
        tmp_path, [{"m1": "met", "m2": "met", "g1": "unscored:refusal"}], [{"m1": "not_met", "m2": "met", "g1": "met"}]
    )
    assert signs(frames) == {"m1": ["✓", "✕"], "m2": ["✓", "✓"], "g1": ["?", "✓"]}
    own = find(frames)[0].criteria
    assert own.loc[own["criterion"] == "g1", "spread"].tolist() == [0.0, 0.0]


def test_with_epochs_a_mark_is_the_share_met_of_those_decided(tmp_path: Path) -> None:
    a = [{"m1": "met", "g1": "met"}, {"m1": "met", "g1": "unscored:refusal"}, {"m1": "not_met", "g1": "met"}]
    b = [{"m1": "not_met", "g1": "met"}] * 3
    frames = read(tmp_path, a, b)
    assert signs(frames) == {"m1": ["2/3", "0/3"], "g1": ["2/2?", "3/3"]}
    own = find(frames)[0]
    said = [mark.said for line in matrices(own.criteria, ["i1"], own.contrasted)["i1"].lines for mark in line.marks]
    assert "met in 2 of 2, 1 unscored" in said


def test_a_candidate_without_a_record_has_an_empty_mark(tmp_path: Path) -> None:
    frames = read(tmp_path, [{"m1": "met"}], [{"m1": "not_met"}])
    own = find(frames)[0]
    marks = matrices(own.criteria, ["i1"], ["a", "elsewhere", "b"])["i1"].lines[0].marks
    assert [mark.look for mark in marks] == ["met", "absent", "not_met"]


def test_the_page_holds_at_most_so_many_criteria_of_an_item_and_says_so(tmp_path: Path) -> None:
    names = [f"m{place}" for place in range(MOST_CRITERIA + 5)]
    frames = read(tmp_path, [dict.fromkeys(names, "met")], [dict.fromkeys(names, "met") | {names[-1]: "not_met"}])
    text = render_page(find(frames), frames, "t", "then")
    assert text.count('<th scope="row">') == MOST_CRITERIA
    assert f"Is {names[-1]} so?" in text
    assert f"The first {MOST_CRITERIA} of {len(names)}" in text


def test_an_item_of_the_page_opens_to_its_criteria_with_tier_kind_and_text(tmp_path: Path) -> None:
    frames = read(tmp_path, [{"m1": "met", "m2": "met"}], [{"m1": "met", "m2": "not_met"}])
    text = render_page(find(frames), frames, "t", "then")
    item = text[text.index('<details class="item">') :].split("</details>")[0]
    assert "differ on 1 of 2 criteria" in item
    assert "Is m2 so? <small><code>m2</code> mandatory, trap</small>" in item
    assert item.index("Is m2 so?") < item.index("Is m1 so?")
    assert 'role="img" aria-label="not met">✕</i>' in item


def test_items_of_other_peoples_logs_stay_plain_rows(tmp_path: Path) -> None:
    for number in range(2):
        write_log(tmp_path, f"x/{number}", {("i1", 1): Score(value=number)}, {"i1": {}}, scorer_name="o", number=number)
    frames = read_frames(tmp_path)
    text = render_page(find(frames), frames, "t", "then")
    assert "Where candidates differ most" in text
    assert '<details class="item">' not in text
    assert "opens to its criteria" not in text


def test_problems_to_be_found_are_the_texts_of_their_criteria(tmp_path: Path) -> None:
    problems = [{"description": "The sum is wrong."}, {"description": "The date is past."}]
    for number, state in enumerate(["met", "not_met"]):
        record = gate_record({"p1": state, "p2": "met"})
        write_log(tmp_path, f"x/{number}", {("d", 1): record}, {"d": {"problems": problems}}, number=number)
    texts = read_frames(tmp_path).catalogue.set_index("criterion")["text"].to_dict()
    assert texts == {"p1": "The sum is wrong.", "p2": "The date is past."}


@pytest.mark.parametrize(
    ("task", "options", "roles"),
    [
        (kwbench, {}, {"grader": "reference/labels"}),
        (implicit_worlds, {}, {}),
        (problem_spotting, {"match": "lexical"}, {}),
    ],
    ids=["kwbench", "implicit_worlds", "problem_spotting"],
)
def test_the_criteria_of_every_benchmark_have_their_texts(
    tmp_path: Path, task: Callable[..., Task], options: dict[str, str], roles: dict[str, str]
) -> None:
    inspect_eval(
        task(**options),
        model="reference/surface",
        model_roles=roles,
        limit=1,
        log_dir=str(tmp_path),
        display="none",
    )
    texts = read_frames(tmp_path).catalogue["text"]
    assert len(texts)
    assert all(len(text.split()) > 2 for text in texts)
