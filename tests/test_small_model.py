"""A real model behind a real provider, on loopback: each task completes, whatever the model can or cannot do."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log
from inspect_ai.scorer import Score

from kwsuite.new_gated import write_new_gated
from tests.scripted import write_item
from tests.spotting_memo import write_memo
from tests.world_shop import write_world

pytestmark = pytest.mark.model
ROOT = Path(__file__).parent.parent
MODEL = "openai-api/local/smollm2"
TASKS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "kwbench": (lambda folder: write_item(folder, rubric={"mandatory": ["Does it name the two banks?"]}), ""),
    "problem_spotting": (write_memo, ""),
    "implicit_worlds": (write_world, ""),
    "world_fidelity": (write_world, "-T repeats=1 -T walks=1 -T walk_steps=1"),
    "knowledge_gated": (lambda folder: write_new_gated("small-task", folder), "-T sandbox=bwrap --message-limit 6"),
    "recitation_probe": (lambda folder: write_new_gated("small-task", folder), ""),
}
"""For each task, what writes one small item, and its other options."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(ROOT / "bench" / "small_model.py"), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        told = server.stdout.readline()
        assert "127.0.0.1" in told, f"the server did not start, see docs/local-model.md: {told}"
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


@pytest.mark.parametrize("task", TASKS)
def test_a_task_completes_with_a_small_model_as_candidate_and_grader(tmp_path: Path, address: str, task: str) -> None:
    write, options = TASKS[task]
    (tmp_path / "items").mkdir()
    dataset = write(tmp_path / "items")
    command = f"inspect eval kwsuite/{task} -T dataset={dataset} --model {MODEL} --model-role grader={MODEL} {options}"
    command += " --max-tokens 60 --max-connections 1 --display plain"
    environment = {**os.environ, "LOCAL_BASE_URL": address, "LOCAL_API_KEY": "none", "INSPECT_LOG_DIR": "logs"}
    words = [str(Path(sys.executable).parent / "inspect"), *command.split()[1:]]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (info,) = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(info)
    assert log.status == "success", log.error
    for sample in log.samples or []:
        score = only_score(sample)
        for entry in (score.metadata or {}).get("criteria", []):
            assert entry["state"] in ("met", "not_met", "unscored")
            assert (entry["state"] == "unscored") == bool(entry.get("reason")), entry


def only_score(sample: EvalSample) -> Score:
    assert sample.error is None, sample.error.message
    (score,) = (sample.scores or {}).values()
    assert score.value is not None
    return score
