"""Loading documents for problem spotting."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.spotting import Passage, SpottingDocument, span_of
from kwsuite.datasets.spotting_files import SHIPPED, load_documents
from kwsuite.matching.problem_types import PROBLEM_TYPES

YAML = """\
id: memo
language: en
domain: report
text: |
  😀 The fee is 5 EUR. The fee is due now.
problems:
  - quote: The fee
    occurrence: 2
    type: ambiguity
    description: No date.
"""


def write(folder: Path, text: str, name: str = "memo.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def row(**changes: object) -> str:
    annotation = {"span_start": 2, "span_end": 5, "problem_type": "factual_error", "description": "d"}
    base = {"doc_id": "d1", "text": "😀 fee due", "annotations": [annotation]}
    return json.dumps(base | changes, ensure_ascii=False)


def annotated(**changes: object) -> str:
    annotation = {"span_start": 2, "span_end": 5, "problem_type": "factual_error", "description": "d"}
    return row(annotations=[annotation | changes])


def spans(document: SpottingDocument) -> list[str]:
    return [span.of(document.text) for problem in document.planted() for span in problem.spans]


def test_c132_gold_offsets_are_code_points_of_the_named_occurrence(tmp_path: Path) -> None:
    [document] = load_documents(write(tmp_path, YAML))
    [problem] = document.planted()
    assert problem.spans[0].start == len("😀 The fee is 5 EUR. ")
    assert spans(document) == ["The fee"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("quote: The fee", "quote: The fees"), r"memo\.yaml:7:.*p1: quote 'The fees' is not in the text"),
        (("occurrence: 2", "occurrence: 3"), r"memo\.yaml:7:.*in the text 2 times, not 3\. Mend `occurrence`"),
        (("occurrence: 2", "occurrence: 0"), r"memo\.yaml:8:.*problems\.0\.occurrence"),
        (("type: ambiguity", "type: vague"), r"memo\.yaml:9:.*factual_error"),
        (("description:", "descriptoin:"), r"memo\.yaml:10:.*Did you mean 'description'"),
        (("id: memo", "id: other"), r"memo\.yaml:1:.*id 'other' in a file named memo\.yaml"),
        (("language: en", "language: fr"), r"memo\.yaml:2:"),
        (("problems:\n", "problems: []\nnothing:\n"), r"nothing: unknown field"),
    ],
)
def test_a_fault_names_file_line_and_mend(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_documents(write(tmp_path, YAML.replace(*change)))


def test_all_lost_quotes_are_listed_at_once(tmp_path: Path) -> None:
    more = "  - {quote: gone, type: ambiguity, description: x}\n  - {quote: lost, type: ambiguity, description: x}\n"
    with pytest.raises(DataError) as caught:
        load_documents(write(tmp_path, YAML + more))
    assert len(str(caught.value).splitlines()) == 2


def test_a_lost_second_place_is_named_at_its_own_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"memo\.yaml:12:"):
        load_documents(write(tmp_path, YAML + "    also:\n      - quote: gone\n"))


def test_an_id_that_stands_twice_is_refused(tmp_path: Path) -> None:
    write(tmp_path, YAML)
    write(tmp_path, row(doc_id="memo"), "more.jsonl")
    with pytest.raises(DataError, match=r"document memo stands twice, first at .*memo\.yaml:1:1"):
        load_documents(tmp_path)


def test_an_empty_folder_says_what_to_put_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no documents here"):
        load_documents(tmp_path)


def test_the_jsonl_of_annotated_spans_loads(tmp_path: Path) -> None:
    lines = "\n".join(["\ufeff" + row(), "", row(doc_id="d2", text="没有问题。", annotations=[])])
    one, two = load_documents(write(tmp_path, lines, "official.jsonl"))
    assert spans(one) == ["fee"]
    assert (one.language, one.clean, two.language, two.clean) == ("en", False, "zh", True)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (annotated(span_end=99), r"x\.jsonl:2:1: document d1: annotation 1: span 2:99 is not inside the text of 9"),
        (annotated(span_end=2), r"span 2:2 is not inside"),
        (annotated(span_start=True), r"annotations\.0\.span_start"),
        (annotated(span_start=-1), r"annotations\.0\.span_start"),
        (annotated(problem_type="style"), r"'style' is unknown\. Use one of: factual_error"),
        (annotated(span_start=5, span_end=8, quote="fee"), r"The offsets count bytes"),
        (annotated(span_start=3, span_end=6, quote="fee"), r"The offsets count UTF-16 units"),
        (row(annotatoins=[]), r"Did you mean 'annotations'"),
        ('{"doc_id": "a", "doc_id": "b"}', r"key 'doc_id' stands twice"),
        ("[1]", r"x\.jsonl:2:1"),
        ("{", r"x\.jsonl:2:1: not JSON"),
    ],
)
def test_c132_a_bad_line_is_refused_with_its_number(tmp_path: Path, line: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_documents(write(tmp_path, row(doc_id="ok") + "\n" + line, "x.jsonl"))


def test_occurrences_that_overlap_are_counted() -> None:
    assert span_of(Passage(quote="aa", occurrence=2), "aaa") == (1, 3)


@given(st.text(alphabet="ab甲😀 ", min_size=1, max_size=30), st.data())
def test_a_quote_and_its_occurrence_lead_back_to_the_span(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    quote = text[start : data.draw(st.integers(start + 1, len(text)))]
    occurrence = sum(text.startswith(quote, at) for at in range(start + 1))
    span = span_of(Passage(quote=quote, occurrence=occurrence), text)
    assert span.start == start
    assert span.of(text) == quote


def test_shipped_documents_are_half_english_half_chinese_six_clean_and_four_long() -> None:
    documents = load_documents(SHIPPED)
    assert Counter(document.language for document in documents) == {"en": 18, "zh": 18}
    assert sum(document.clean for document in documents) == 6
    assert Counter(document.language for document in documents if is_long(document)) == {"en": 2, "zh": 2}


def is_long(document: SpottingDocument) -> bool:
    return len(document.text) > 15_000 if document.language == "zh" else len(document.text.split()) > 8_000


@pytest.mark.parametrize("language", ["en", "zh"])
def test_shipped_documents_of_each_language_cover_all_kinds_and_types(language: str) -> None:
    documents = [document for document in load_documents(SHIPPED) if document.language == language]
    assert {document.domain for document in documents} == {
        *("contract", "report", "paper", "manual", "minutes", "code_review")
    }
    assert {problem.type for document in documents for problem in document.problems} == set(PROBLEM_TYPES)
    assert all(document.clean or 2 <= len(document.problems) <= 6 for document in documents)
