"""What `kwsuite check` says about documents for problem spotting."""

import json
from pathlib import Path
from typing import Any

import pytest

from kwsuite.audit.spotting import MEASURES, audit_spotting, play
from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.datasets.spotting_files import SHIPPED, load_documents
from kwsuite.matching import DocumentScore, Source, read_reply
from tests import spotting_memo
from tests.spotting_memo import NO_DATE, POSTER


def finding(location: str, type_: str, description: str) -> dict[str, str]:
    return {"location": location, "type": type_, "description": description}


def memo() -> dict[str, Any]:
    """Give a sound document; JSON is YAML, so it is written as such."""
    cut = finding(POSTER, "argument flaw", "The price cut in the same month may explain the rise, not the poster.")
    soon = finding("The team will report back soon.", "ambiguity", "Soon gives no date for the report.")
    alarm = finding("Sales rose by 12 per cent", "data or citation", "Twelve per cent of what?")
    reference = {"expert": [cut, soon], "surface": [soon, alarm], "null": "The memo is clear."}
    return spotting_memo.memo(reference=reference)


def messages(folder: Path, document: dict[str, Any]) -> list[str]:
    (folder / "memo.yaml").write_text(json.dumps(document), encoding="utf-8")
    found = audit_spotting(folder)
    assert all(one.item == "memo" and "memo.yaml:1:" in one.place for one in found)
    return [one.message for one in found]


def test_a_sound_document_passes(tmp_path: Path) -> None:
    assert messages(tmp_path, memo()) == []


@pytest.mark.parametrize(
    ("number", "change", "part"),
    [
        (1, {"quote": "sooner"}, "quote 'sooner' is not in the text"),
        (1, {"occurrence": 2}, "in the text 1 time, not 2"),
        (1, {"type": "vague"}, "Input should be 'factual_error'"),
        (1, {"quote": "caused the rise"}, "problems p1 and p2 share a sentence"),
    ],
)
def test_a_fault_of_a_problem_is_found(tmp_path: Path, number: int, change: dict[str, Any], part: str) -> None:
    document = memo()
    document["problems"][number] |= change
    assert any(part in message for message in messages(tmp_path, document))


@pytest.mark.parametrize(
    ("number", "change", "part"),
    [
        (1, {"location": "The market is said to be worth"}, "does not match p2 by lexical"),
        (0, {"description": "Who knows."}, "does not match p1 by embedding"),
        (1, {"description": NO_DATE}, "repeats the planted description"),
        (0, {"type": "factual error"}, "calls p1 'factual error', not argument_flaw"),
        (0, {"type": "style"}, "type 'style' is unknown"),
        (0, {"location": "The posters did it all."}, "location is not found (absent)"),
    ],
)
def test_a_fault_of_the_expert_is_found(tmp_path: Path, number: int, change: dict[str, str], part: str) -> None:
    document = memo()
    document["reference"]["expert"][number] |= change
    assert any(part in message for message in messages(tmp_path, document))


def test_an_expert_that_reports_more_than_is_planted_is_reported(tmp_path: Path) -> None:
    document = memo()
    document["reference"]["expert"].append(finding("The market is said", "data or citation", "No source."))
    assert messages(tmp_path, document) == ["reports 1 more than is planted. Plant it or take it out."]


def test_a_null_answer_that_reads_as_an_answer_is_reported(tmp_path: Path) -> None:
    document = memo()
    document["reference"]["null"] = "No problems found."
    assert [message.split(".")[0] for message in messages(tmp_path, document)] == ["reads as an answer"]


def test_a_declared_overlap_is_meant(tmp_path: Path) -> None:
    document = memo()
    document["problems"][1] |= {"quote": "caused the rise", "overlaps": True}
    assert not any("share a sentence" in message for message in messages(tmp_path, document))


def test_a_surface_answer_that_finds_all_is_reported(tmp_path: Path) -> None:
    document = memo()
    document["reference"]["surface"] = document["reference"]["expert"]
    found = messages(tmp_path, document)
    assert any("finds every problem by lexical" in message for message in found)
    assert any("raises no false alarm by embedding" in message for message in found)


def test_a_document_without_references_is_reported_unless_allowed(tmp_path: Path) -> None:
    document = memo()
    del document["reference"]
    assert any("no reference answers" in message for message in messages(tmp_path, document))
    assert audit_spotting(tmp_path, require_references=False) == []


def test_a_clean_document_needs_a_false_alarm_in_its_surface_answer(tmp_path: Path) -> None:
    reference = {"expert": [], "surface": [], "null": "Fine."}
    found = messages(tmp_path, memo() | {"problems": [], "reference": reference})
    assert any("raises no false alarm" in message for message in found)


def test_an_unreadable_file_does_not_end_the_check(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("id: [", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"doc_id": "b"}', encoding="utf-8")
    assert [one.item for one in audit_spotting(tmp_path)] == ["a", "b", "b"]


def test_an_id_that_stands_twice_is_reported(tmp_path: Path) -> None:
    (tmp_path / "memo.yaml").write_text(json.dumps(memo()), encoding="utf-8")
    (tmp_path / "x.jsonl").write_text('{"doc_id": "memo", "text": "a", "annotations": []}', encoding="utf-8")
    found = audit_spotting(tmp_path, require_references=False)
    assert ["stands twice" in one.message for one in found] == [True]


SHIPPED_DOCUMENTS = load_documents(SHIPPED)


def test_shipped_documents_have_no_faults() -> None:
    assert audit_spotting(SHIPPED) == []


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("document", SHIPPED_DOCUMENTS, ids=lambda document: document.id)
def test_expert_scores_one_surface_less_and_null_zero(document: SpottingDocument, measure: str) -> None:
    assert document.reference is not None
    source = Source(document.text)
    scores = {}
    for name, findings in (("expert", document.reference.expert), ("surface", document.reference.surface)):
        matching = play(findings, document, source, measure)
        score = DocumentScore(len(document.problems), len(findings), matching.hits, matching.most_hits)
        scores[name] = score.f1.value
    null = read_reply(document.reference.null)
    scores["null"] = DocumentScore(len(document.problems), null.reported, 0, 0, null.readable).f1.value
    assert scores["expert"] == 1.0
    assert scores["surface"] < 1.0
    assert scores["null"] == 0.0
