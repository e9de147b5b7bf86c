"""What users install: the built wheel, in a clean environment, runs a task."""

import subprocess
import sys
from pathlib import Path

from kwsuite.datasets.gated_set import load_gated_set

ROOT = Path(__file__).parent.parent


def test_the_wheel_carries_its_data_and_runs_a_task_from_a_clean_environment(tmp_path: Path) -> None:
    def call(*command: str, **options: object) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload]
        assert done.returncode == 0, done.stdout + done.stderr
        return str(done.stdout)

    call(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT))
    wheel = next(tmp_path.glob("kwsuite-*.whl"))
    call(sys.executable, "-m", "venv", str(tmp_path / "venv"))
    python = str(tmp_path / "venv" / "bin" / "python")
    call(python, "-m", "pip", "install", "--quiet", str(wheel))
    run = [python, "-m", "inspect_ai", "eval", "kwsuite/kwbench", "--model", "reference/expert", "--limit", "2"]
    call(*run, "--model-role", "grader=reference/labels", "--display", "plain", "--log-dir", "logs", cwd=tmp_path)
    read = (
        "from inspect_ai.log import list_eval_logs, read_eval_log; import kwsuite, sys;"
        "log = read_eval_log(list_eval_logs('logs')[0]); assert 'site-packages' in kwsuite.__file__;"
        "print(log.status, [s.scores['conjunctive_gate'].value['gate'] for s in log.samples])"
    )
    assert call(python, "-c", read, cwd=tmp_path).strip() == "success [1.0, 1.0]"
    kwsuite = str(tmp_path / "venv" / "bin" / "kwsuite")
    call(kwsuite, "new", "gated", "my-fees", cwd=tmp_path)
    assert call(kwsuite, "check", "my-fees", cwd=tmp_path).startswith("knowledge_gated: 0 findings")
    inside = (
        "from kwsuite.datasets.gated_set import bundled_gated_folder, load_gated_set;"
        "print(len(load_gated_set().items), *bundled_gated_folder().glob('*.yaml'))"
    )
    there = call(python, "-c", inside, cwd=tmp_path)
    assert int(there.split()[0]) == len(load_gated_set().items)
    assert there.strip().endswith("compose.yaml")
