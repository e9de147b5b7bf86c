"""The reference candidates of problem_spotting, played through the real path over every shipped document."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import get_model

from kwsuite.datasets.spotting_files import SHIPPED, load_documents
from kwsuite.tasks.problem_spotting import problem_spotting
from tests.scripted import run, score_of
from tests.spotting_memo import CUT, SOON, reports, write_memo

LABELS = "reference/labels"
DOCUMENTS = load_documents(SHIPPED)


def play(name: str, **options: Any) -> EvalLog:
    roles = {"grader": LABELS} if options.get("match", "judge") == "judge" else {}
    task = problem_spotting(**options)
    return inspect_eval(
        task,
        model=f"reference/{name}",
        model_roles=roles,
        display="none",
        log_realtime=False,  # type: ignore[arg-type]
    )[0]


def samples(log: EvalLog) -> list[EvalSample]:
    assert log.status == "success", log.error
    assert log.samples is not None
    assert len(log.samples) == len(DOCUMENTS)
    return log.samples


def values(log: EvalLog, key: str) -> dict[bool, list[float]]:
    """A number of every document, clean ones (True) apart."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for sample in samples(log):
        found[bool(sample.metadata["clean"])].append(float(score_of(sample, "spotted").as_dict()[key] or 0))
    return found


@pytest.mark.parametrize("match", ["judge", "lexical", "embedding"])
def test_the_expert_finds_everything_and_nothing_else_in_every_document(match: str) -> None:
    log = play("expert", match=match)
    for key in ("f1", "graded", "readable"):
        assert set().union(*values(log, key).values()) == {1.0}
    assert set(values(log, "type_accuracy")[False]) == {1.0}


@pytest.mark.parametrize("match", ["judge", "lexical", "embedding"])
def test_the_surface_reader_finds_some_raises_alarms_and_fails_on_clean_documents(match: str) -> None:
    log = play("surface", match=match)
    assert all(0 < f1 < 1 for f1 in values(log, "f1")[False])
    assert all(alarms > 0 for alarms in values(log, "false_alarms")[False])
    assert set(values(log, "f1")[True]) == {0.0}


@pytest.mark.parametrize("match", ["judge", "lexical"])
def test_the_null_reader_scores_zero_everywhere_as_an_unreadable_reply(match: str) -> None:
    log = play("null", match=match)
    for key in ("f1", "readable", "reported"):
        assert set().union(*values(log, key).values()) == {0.0}


@pytest.mark.parametrize("output", ["xml", "json", "markdown"])
def test_the_expert_answers_in_every_format_and_through_two_stages(output: str) -> None:
    log = play("expert", match="lexical", output=output, strategy="two_stage")
    assert set().union(*values(log, "f1").values()) == {1.0}
    assert {(score_of(sample, "spotted").metadata or {})["reply_format"] for sample in samples(log)} == {output}


def test_a_run_with_the_labels_names_them_as_its_grader() -> None:
    for sample in samples(play("expert")):
        assert (score_of(sample, "spotted").metadata or {})["grader"] == LABELS


def test_a_finding_that_no_document_ships_has_no_label(tmp_path: Path) -> None:
    reference = {"expert": [], "surface": [], "null": "Fine."}
    task = problem_spotting(dataset=str(write_memo(tmp_path, reference=reference)))
    log = run(task, reports(CUT, SOON), get_model(LABELS))
    assert log.samples is not None
    score = score_of(log.samples[0], "spotted")
    assert math.isnan(score.as_dict()["f1"] or 0)
    assert score.metadata is not None
    assert set(score.metadata["verdicts"].values()) == {"unscored:grader_error"}
    assert "the finding to compare is none of those that it ships" in score.metadata["criteria"][0]["rationale"]


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("expert", "ships no reference answers. Add `reference` to it"),
        ("near_miss", "ships no reference answers"),
        ("labels", "was asked to play a candidate, which it is not"),
    ],
)
def test_a_part_that_nobody_can_play_is_an_error_that_says_why(tmp_path: Path, name: str, part: str) -> None:
    task = problem_spotting(dataset=str(write_memo(tmp_path)), match="lexical")
    log = inspect_eval(task, model=f"reference/{name}", display="none", log_realtime=False)[0]
    assert log.samples is not None
    error = log.samples[0].error
    assert error is not None
    assert part in error.message


def test_a_reference_that_the_benchmark_does_not_have_names_those_it_has() -> None:
    log = inspect_eval(problem_spotting(match="lexical"), model="reference/cold", limit=1, display="none")[0]
    assert log.samples is not None
    error = log.samples[0].error
    assert error is not None
    assert "choose one of reference/expert, reference/surface, reference/null" in error.message
