"""An evaluation in a process of its own, to be ended in every way."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.sandbox.conftest import host_processes

ROOT = Path(__file__).parents[2]

EVALUATION = """
import sys, anyio
from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.interpreter import find_interpreter
from kwsuite.sandbox.prepare import plan_sandbox
from kwsuite.sandbox.provider import BwrapSandboxEnvironment as B
from tests.sandbox.conftest import settings

async def main():
    config = settings()
    box = (await B.sample_init("t", config, {}))["default"]
    print(box.box.first_pid, *box.box.cgroup, flush=True)
    try:
        await box.exec(["sh", "-c", "setsid sleep 4343 & sleep 4343"])
    finally:
        await B.sample_cleanup("t", config, {"default": box}, True)

anyio.run(main)
"""


def assert_nothing_left(directory: Path, number: signal.Signals, launcher: list[str], stuck: bool = False) -> None:
    """Begin an evaluation whose sandbox runs a daemon, end it with a signal, and look for what stays.

    `stuck` stops the supervisor first, so that it cannot notice that its host has gone.
    """
    before = set(Path("/tmp").iterdir())
    process, first_pid, groups = begin_evaluation(directory, launcher)
    assert all(group.is_dir() for group in groups)
    if stuck:
        os.kill(first_pid, signal.SIGSTOP)
    process.send_signal(number)
    process.wait(timeout=30)
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline and (host_processes("sleep 4343") or any(g.exists() for g in groups)):
        time.sleep(0.05)
    assert host_processes("sleep 4343") == []
    assert ended(first_pid)
    assert not any(group.exists() for group in groups)
    assert not [path for path in set(Path("/tmp").iterdir()) - before if "bwrap" in path.name]


def begin_evaluation(directory: Path, launcher: list[str]) -> tuple[subprocess.Popen[str], int, list[Path]]:
    """Give the process, its sandbox's first process and its control groups, once the daemon runs."""
    program = directory / "evaluation.py"
    program.write_text(EVALUATION, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, *launcher, str(program)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])},
    )
    assert process.stdout is not None
    first_pid, *groups = process.stdout.readline().split()
    deadline = time.monotonic() + 20
    while len(host_processes("sleep 4343")) < 3 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert host_processes("sleep 4343")
    return process, int(first_pid), [Path(group) for group in groups]


def ended(pid: int) -> bool:
    """Gone, or a zombie that this machine's first process has yet to collect."""
    status = Path(f"/proc/{pid}/status")
    return not status.exists() or "State:\tZ" in status.read_text(encoding="ascii")
