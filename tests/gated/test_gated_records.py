"""What the record of a gated run says, so that runs can be told apart and no proof is claimed where there is none."""

import json
import math
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from kwsuite.datasets import gated_outputs
from kwsuite.demo import _gated_cell
from tests.gated.small import judged_task, small_task
from tests.gated.test_judged_outputs import play as play_judged
from tests.gated.test_judged_outputs import writes
from tests.gated.test_knowledge_gated_task import play, score_of, shell
from tests.scripted import verdicts


def rubric_of(folder: Path, **options: Any) -> str:
    return str(score_of(play("reference/null", folder, **options)).metadata["rubric_hash"])


@pytest.mark.parametrize(
    "change",
    [
        {"verify_py": ("checks = case.checks()", "checks = case.checks()  # another")},
        {"instruction_md": ("late fee", "fee")},
        {"generate_py": ("\n", "\n\n")},
    ],
)
def test_a_changed_task_has_another_rubric_hash(tmp_path: Path, change: Any) -> None:
    assert rubric_of(small_task(tmp_path / "a")) != rubric_of(small_task(tmp_path / "b", **change))


def test_the_rubric_hash_is_the_same_in_every_condition_and_another_for_another_instance(tmp_path: Path) -> None:
    folder = small_task(tmp_path)
    assert rubric_of(folder) == rubric_of(folder, condition="without") != rubric_of(folder, seed=5)


def test_the_hash_of_the_judged_questions_stands_apart(tmp_path: Path) -> None:
    metadata = score_of(play_judged("reference/expert", judged_task(tmp_path))).metadata
    assert metadata["judged_rubric_hash"] != metadata["rubric_hash"]


@pytest.mark.parametrize(
    ("candidate", "condition", "followed"),
    [("expert", "perturbed", True), ("surface", "perturbed", False), ("expert", "with", None)],
)
def test_a_run_that_gives_the_perturbed_answer_has_followed_it(
    tmp_path: Path, candidate: str, condition: str, followed: bool | None
) -> None:
    log = play(f"reference/{candidate}", small_task(tmp_path), condition=condition)
    assert score_of(log).metadata["followed"] is followed
    assert log.results is not None
    rate = next(s.metrics["followed_rate"].value for s in log.results.scores if "followed_rate" in s.metrics)
    assert math.isnan(rate) if followed is None else rate == float(followed)


def test_an_output_too_long_to_be_shown_fails_what_is_judged_without_a_call(tmp_path: Path) -> None:
    grader = verdicts({})
    size = gated_outputs.MOST_SHOWN + 1
    candidate = writes(f"echo nine days > outputs/memo.md; head -c {size} /dev/zero | tr '\\0' x > outputs/fees.csv")
    score = score_of(play_judged(candidate, judged_task(tmp_path), grader))
    assert grader.calls == []
    assert [score.metadata["verdicts"][name] for name in ("r1", "r2")] == ["not_met", "not_met"]
    assert f"outputs/fees.csv has {size} characters; a judge is shown at most" in json.dumps(score.metadata["criteria"])


def test_an_absence_is_not_proven_where_a_file_was_too_large_to_search(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = play(shell("truncate -s 5M big"), small_task(tmp_path), condition="without")
    probes = score_of(log).metadata["artefact_probe"]
    assert (probes["start"]["complete"], probes["end"]["complete"]) == (True, False)
    assert "not proven at the end: files were left unsearched" in caplog.text


def test_a_search_that_runs_out_of_files_says_so(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    program = (files("kwsuite.sandbox") / "looking" / "probe.py").read_text(encoding="utf-8")
    assert "MAX_FILES = 50_000" in program
    question = json.dumps({"needles": ["nowhere"], "roots": [str(tmp_path)]})
    done = subprocess.run(
        [sys.executable, "-c", program.replace("50_000", "2")],
        input=question,
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["cut_off"] == 1


def test_the_end_is_searched_only_where_the_artefact_must_be_absent(tmp_path: Path) -> None:
    assert set(score_of(play("reference/null", small_task(tmp_path))).metadata["artefact_probe"]) == {"start"}


def test_the_demo_tells_an_unscored_run_from_a_number(tmp_path: Path) -> None:
    folder = small_task(tmp_path, verify_py=("checks = case.checks()", "checks = case.checks(); 1 / case.broken"))
    assert _gated_cell(play("reference/expert", folder)) == "0 of 1 (1 unscored), unscored"
