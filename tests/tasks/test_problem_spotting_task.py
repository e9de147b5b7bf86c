"""The task's arguments, its instruction, version and viewer."""

import json
from pathlib import Path
from typing import Any

import pytest

from kwsuite.arguments import ArgumentError
from kwsuite.datasets.data_error import DataError
from kwsuite.matching.problem_types import WORDINGS
from kwsuite.solvers.spotting_prompt import Instruction
from kwsuite.tasks.problem_spotting import problem_spotting
from tests.scripted import Call, Scripted, run, run_one, score_of
from tests.spotting_memo import CREDITED, CUT, NO_DATE, SOON, TEXT, compares, memo, reports, write_memo


def instruction(path: Path, **options: Any) -> str:
    """The instruction that a candidate is given."""
    candidate = reports()
    run_one(problem_spotting(dataset=str(path), match="lexical", **options), candidate)
    return candidate.calls[0].messages[0].text


def test_an_unknown_argument_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(ArgumentError, match=r"problem_spotting has no argument 'treshold'\. Did you mean threshold\?"):
        problem_spotting(treshold=0.5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"language": "fr"}, "language is 'fr'; choose one of all, en, zh."),
        ({"output": "csv"}, "output is 'csv'; choose one of xml, json, markdown."),
        ({"strategy": "x"}, "strategy is 'x'; choose one of direct, two_stage."),
        ({"types": "x"}, "types is 'x'; choose one of none, named, defined."),
        ({"stance": "x"}, "stance is 'x'; choose one of neutral, thorough, certain."),
        ({"match": "x"}, "match is 'x'; choose one of judge, embedding, lexical."),
        ({"max_problems": 0}, "max_problems is 0; it must be a whole number of at least 1."),
        ({"max_problems": True}, "max_problems is True; it must be"),
        ({"threshold": 1.5}, "threshold is 1.5; it must be a number above 0 and at most 1."),
        ({"threshold": 0}, "threshold is 0; it must be a number above 0"),
        ({"iou": 0}, "iou is 0; it must be a number above 0 and at most 1."),
        ({"votes": "x"}, "votes is 'x'; it must be a whole number from 1 to 99."),
        ({"judge_form": "x"}, "judge_form is 'x'; choose one of auto, text."),
        ({"judge_cache": "no"}, "judge_cache is 'no'; it must be true or false."),
        ({"domain": "poem"}, "holds no documents with language=all and domain=poem. Its domains are: report."),
        ({"language": "zh"}, "holds no documents with language=zh and domain=all."),
    ],
)
def test_a_value_that_cannot_be_names_what_can(tmp_path: Path, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, ArgumentError, DataError)) as caught:
        problem_spotting(dataset=str(write_memo(tmp_path)), **arguments)
    assert message in str(caught.value)


def test_a_dataset_that_is_not_there_says_what_to_give() -> None:
    with pytest.raises(DataError, match=r"there is no such file or folder\. Use 'bundled'"):
        problem_spotting(dataset="nowhere.yaml")


@pytest.mark.parametrize("dataset", ["", 7, None])
def test_a_dataset_that_names_nothing_says_what_to_give(dataset: Any) -> None:
    with pytest.raises(DataError, match=r"dataset is .*\. Use 'bundled', a \.yaml or \.jsonl file"):
        problem_spotting(dataset=dataset)


def test_language_and_domain_choose_among_the_bundled_documents() -> None:
    chosen = problem_spotting(language="zh", domain="contract").dataset
    assert {(sample.metadata or {})["language"] for sample in chosen} == {"zh"}
    assert {(sample.metadata or {})["domain"] for sample in chosen} == {"contract"}
    assert 0 < len(chosen) < len(problem_spotting().dataset)


def test_the_candidate_is_shown_the_document_and_nothing_that_is_planted(tmp_path: Path) -> None:
    candidate = reports()
    run_one(problem_spotting(dataset=str(write_memo(tmp_path)), match="lexical"), candidate)
    system, document = candidate.calls[0].messages
    assert (system.role, document.role, document.text) == ("system", "user", TEXT)
    assert CREDITED not in candidate.calls[0].prompt
    assert NO_DATE not in candidate.calls[0].prompt


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_plain_instruction_names_no_type_of_problem(language: Any) -> None:
    text = Instruction().text(language)
    assert not [wording.label for wording in WORDINGS[language].values() if wording.label in text]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_named_types_are_listed_and_defined_ones_explained(language: Any) -> None:
    named, defined = (Instruction(types=types).text(language) for types in ("named", "defined"))  # type: ignore[arg-type]
    for wording in WORDINGS[language].values():
        assert f"- {wording.label}\n" in named
        assert wording.definition not in named
        assert wording.definition in defined


@pytest.mark.parametrize(
    ("language", "mark"), [("en", "Write in English"), ("zh", "请用中文")], ids=["english", "chinese"]
)
def test_a_document_is_asked_about_in_its_own_language(tmp_path: Path, language: str, mark: str) -> None:
    assert mark in instruction(write_memo(tmp_path, language=language))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "<problems>"),
        ({"output": "json"}, '{"problems": [{"location"'),
        ({"output": "markdown"}, "- **Location**: ..."),
        ({"stance": "thorough"}, "Be complete"),
        ({"stance": "certain"}, "Report only problems that you are sure exist"),
        ({"max_problems": 3}, "Report at most 3 problems."),
    ],
)
def test_an_argument_changes_the_instruction_and_only_where_it_is_given(
    tmp_path: Path, options: dict[str, Any], words: str
) -> None:
    path = write_memo(tmp_path)
    assert words in instruction(path, **options)
    if options:
        assert words not in instruction(path)


@pytest.mark.parametrize("form", ["xml", "json", "markdown"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_candidate_that_copies_the_form_reports_nothing(tmp_path: Path, language: str, form: Any) -> None:
    path = write_memo(tmp_path, language=language)
    echo = Scripted(lambda call: call.messages[0].text.split("\n\n")[-2])
    sample = run_one(problem_spotting(dataset=str(path), match="lexical", output=form), echo)
    metadata = score_of(sample, "spotted").metadata
    assert metadata is not None
    assert metadata["findings"] == []
    assert [one["reason"] for one in metadata["refused"]] == ["template_echoed"]


def test_offsets_in_jsonl_are_scored_as_quotes_are(tmp_path: Path) -> None:
    start = TEXT.index("soon")
    row = {
        "doc_id": "memo",
        "text": TEXT,
        "annotations": [
            {"span_start": start, "span_end": start + 4, "problem_type": "ambiguity", "description": NO_DATE}
        ],
    }
    path = tmp_path / "documents.jsonl"
    path.write_text(json.dumps(row), encoding="utf-8")
    sample = run_one(problem_spotting(dataset=str(path), match="lexical"), reports(SOON))
    assert score_of(sample, "spotted").as_dict()["f1"] == 1.0


def test_the_version_follows_the_documents_and_no_argument(tmp_path: Path) -> None:
    path = write_memo(tmp_path)
    before = problem_spotting(dataset=str(path)).version
    assert problem_spotting(dataset=str(path), match="lexical", stance="certain", types="defined").version == before
    write_memo(tmp_path, text=TEXT + " The end.")
    assert problem_spotting(dataset=str(path)).version != before
    assert str(before).startswith("1-A.")


def test_the_log_shows_f1_as_a_column_and_as_the_headline(tmp_path: Path) -> None:
    log = run(problem_spotting(dataset=str(write_memo(tmp_path))), reports(CUT, SOON), compares())
    assert log.results is not None
    assert log.results.headline is not None
    assert (log.results.headline.scorer, log.results.headline.metric) == ("spotted", "micro_f1")
    view = log.eval.viewer
    assert view is not None
    samples = view.task_samples_view
    assert samples is not None
    assert not isinstance(samples, list)
    assert "score__spotted__f1" in [column.id for column in samples.columns or []]


def test_without_a_grader_the_candidate_is_not_even_asked(tmp_path: Path) -> None:
    candidate = reports(CUT)
    log = run(problem_spotting(dataset=str(write_memo(tmp_path))), candidate)
    assert (log.status, candidate.calls) == ("error", [])
    assert log.samples is not None
    error = log.samples[0].error
    assert error is not None
    assert "No grader role is bound" in error.message
    assert "-T match=embedding" in error.message
    assert "-T match=lexical" in error.message


LONG = "\n\n".join(f"# Part {number}\n\n" + f"Sentence of part {number}. " * 40 for number in (1, 2, 3))


def stages(call: Call) -> str:
    """Answer each stage of the two-stage strategy."""
    ids = (call.messages[-1].metadata or {})["kwsuite"]
    answers = {"claims": "Claimed in " + call.messages[-1].text[:8], "check": "The parts disagree."}
    return answers.get(ids["stage"], "<problems></problems>")


def test_two_stages_collect_claims_by_section_cross_check_them_and_show_the_document_again(tmp_path: Path) -> None:
    path = write_memo(tmp_path, text=LONG, problems=[])
    candidate = Scripted(stages)
    sample = run_one(problem_spotting(dataset=str(path), match="lexical", strategy="two_stage"), candidate)
    asked = [(call.messages[-1].metadata or {})["kwsuite"]["stage"] for call in candidate.calls]
    assert sorted(asked) == ["check", "claims", "claims", "claims", "locate"]
    check, locate = candidate.calls[-2:]
    assert all(f"## Section {n}\n\nClaimed in # Part {n}" in check.messages[-1].text for n in (1, 2, 3))
    assert LONG in locate.messages[-1].text
    assert "The parts disagree." in locate.messages[-1].text
    assert score_of(sample, "spotted").as_dict()["f1"] == 1.0


def test_a_limit_in_the_first_stage_is_a_limit_and_no_error(tmp_path: Path) -> None:
    path = write_memo(tmp_path, text=LONG, problems=[])
    task = problem_spotting(dataset=str(path), match="lexical", strategy="two_stage")
    sample = run_one(task, Scripted(stages), token_limit=3)
    assert sample.limit is not None
    assert sample.limit.type == "token"
    assert score_of(sample, "spotted").as_dict()["readable"] == 0


def test_the_memo_is_what_the_tests_say() -> None:
    assert memo()["text"].count("soon") == 1
