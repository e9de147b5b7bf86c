"""Killed in the middle of judging and run again: nothing is lost and nothing is asked twice."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from kwsuite.audit.logs import log_findings
from tests.scripted import score_of, write_item

SCRIPT = Path(__file__).parent / "fixtures" / "crashing_run.py"


def start(mode: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(SCRIPT), mode, str(folder)],
        env={
            **os.environ,
            "INSPECT_CACHE_DIR": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def newest_log(folder: Path) -> EvalLog:
    return read_eval_log(max(list_eval_logs(str(folder / "logs")), key=lambda info: info.mtime or 0))


def calls_of(folder: Path) -> Counter[str]:
    return Counter((folder / "calls.txt").read_text(encoding="utf-8").splitlines())


@pytest.fixture
def killed(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Three items of five criteria each, killed at the grader's eighth call: one sample done, one half judged."""
    (tmp_path / "items").mkdir()
    for name in ("item-a", "item-b", "item-c"):
        write_item(tmp_path / "items", name)
    done = start("run", tmp_path, KILL_AT="8", JUDGE_CACHE=getattr(request, "param", "on"))
    assert done.returncode == -signal.SIGKILL, done.stderr
    return tmp_path


@pytest.mark.parametrize("killed", ["off"], indirect=True)
def test_a_retry_after_kill_9_keeps_every_finished_sample_without_any_cache(killed: Path) -> None:
    done = start("retry", killed)
    assert done.returncode == 0, done.stderr
    log = newest_log(killed)
    assert log.status == "success"
    assert log.samples is not None
    verdicts = {str(sample.id): (score_of(sample).metadata or {})["verdicts"] for sample in log.samples}
    assert verdicts == dict.fromkeys(
        ["item-a", "item-b", "item-c"], dict.fromkeys(["m1", "m2", "g1", "g2", "i1"], "met")
    )
    calls = calls_of(killed)
    assert {count for call, count in calls.items() if call.startswith("item-a")} == {1}


def test_the_half_judged_sample_is_asked_only_for_verdicts_that_had_not_come(killed: Path) -> None:
    answered = list(calls_of(killed))[:-1]
    assert start("retry", killed).returncode == 0
    calls = calls_of(killed)
    assert len(calls) == 15
    assert calls["item-b m1"] == 1
    assert sum(calls[call] for call in answered) <= len(answered) + 1


def test_a_retry_after_a_change_of_the_rubric_is_caught(killed: Path) -> None:
    task = killed / "items" / "item-c" / "task.yaml"
    changed = re.sub(r"Q i1\?", "Q i1 changed?", task.read_text(encoding="utf-8"))
    task.write_text(changed, encoding="utf-8")
    start("retry", killed)
    log = newest_log(killed)
    assert log.status == "error"
    assert log.error is not None
    assert "different versions of the items" in log.error.message
    findings = log_findings(Path(log.location.removeprefix("file://")))
    assert len(findings) == 1
    assert "samples were scored on another version of the items" in findings[0].message
    assert "item-a (epoch 1)" in findings[0].message
