"""From the start of a sandbox to its end, by every way an evaluation can end; and Inspect's tools on it."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.event import InfoEvent, ToolEvent
from inspect_ai.log import EvalLog
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import TaskState, generate, use_tools
from inspect_ai.tool import bash, python, text_editor
from inspect_ai.util import SandboxEnvironmentSpec, SandboxUnavailableError, SandboxUserUnsupportedError, sandbox

from kwsuite.sandbox import launch, prepare
from kwsuite.sandbox.cgroup import find_own_places
from kwsuite.sandbox.config import HOME, BwrapConfig
from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.interpreter import find_interpreter
from kwsuite.sandbox.prepare import plan_sandbox
from kwsuite.sandbox.provider import BwrapSandboxEnvironment as Sandbox
from tests.sandbox.conftest import host_processes, settings
from tests.sandbox.ending import assert_nothing_left

Start = Callable[..., Awaitable[Sandbox]]


@scorer(metrics=[accuracy()])
def file_says(name: str) -> Scorer:
    async def score(state: TaskState, target: Target) -> Score:
        content = await sandbox().read_file(name)
        return Score(value=content.strip() == target.text, answer=content)

    return score


def run_tools(calls: list[tuple[str, dict[str, object]]], sample: Sample, config: BwrapConfig) -> EvalLog:
    """Run one sample in which the model makes these calls, one a turn."""
    usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    outputs = [ModelOutput.for_tool_call("mockllm", name, arguments) for name, arguments in calls]
    outputs.append(ModelOutput.from_content("mockllm", "done"))
    for output in outputs:
        output.usage = usage
    task = Task(
        dataset=[sample],
        solver=[use_tools(bash(timeout=20), python(timeout=20), text_editor(timeout=60)), generate(tool_calls="loop")],
        scorer=file_says("answer.txt"),
        sandbox=SandboxEnvironmentSpec("bwrap", config),
    )
    model = get_model("mockllm/model", custom_outputs=outputs, memoize=False)
    return eval(task, model=model, display="none", log_dir=os.environ["KWSUITE_TEST_LOGS"])[0]


@pytest.fixture(autouse=True)
def _logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KWSUITE_TEST_LOGS", str(tmp_path / "logs"))


@pytest.fixture
def sample() -> Sample:
    return Sample(
        input="Do it.",
        target="7 with 12 lines",
        files={"data/numbers.txt": "3\n4\n", "blob.bin": "data:application/octet-stream;base64,AAEC"},
        setup="#!/bin/bash\nwc -c < blob.bin > prepared.txt",
    )


def test_inspects_tools_files_and_setup_work_in_a_real_evaluation(sample: Sample) -> None:
    """The chain of a task: files and setup in, tools in turn, the scorer reads the result."""
    log = run_tools(
        [
            ("bash", {"command": "cat prepared.txt; ls data"}),
            ("python", {"code": "print(sum(int(x) for x in open('data/numbers.txt')))"}),
            ("text_editor", {"command": "create", "path": f"{HOME}/answer.txt", "file_text": "7 with 10 lines\n"}),
            (
                "text_editor",
                {"command": "str_replace", "path": f"{HOME}/answer.txt", "old_str": "10", "new_str": "12"},
            ),
        ],
        sample,
        settings(memory_mb=1024, disk_mb=128),
    )
    assert log.status == "success", log.error
    assert log.samples is not None
    calls = [event for event in log.samples[0].events if isinstance(event, ToolEvent)]
    assert [call.error for call in calls] == [None] * 4
    assert str(calls[0].result).split() == ["3", "numbers.txt"]
    assert str(calls[1].result).strip() == "7"
    assert log.samples[0].scores is not None
    assert log.samples[0].scores["file_says"].value is True


def test_the_log_records_the_settings_and_what_is_not_enforced(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kwsuite.sandbox.prepare.find_own_places", lambda: None)
    log = run_tools([("bash", {"command": "echo '7 with 12 lines' > answer.txt"})], sample, settings())
    assert log.status == "success", log.error
    assert log.samples is not None
    assert log.eval.sandbox is not None
    assert log.eval.sandbox.config.allow_weak_limits is True
    recorded = [e.data for e in log.samples[0].events if isinstance(e, InfoEvent) and e.source == "bwrap"]
    assert len(recorded) == 1
    assert isinstance(recorded[0], dict)
    assert recorded[0]["limits_not_enforced"] == {
        "memory": "a control group with the memory controller that this user may write to"
    }


def test_an_evaluation_is_refused_where_a_limit_cannot_hold(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kwsuite.sandbox.prepare.find_own_places", lambda: None)
    with pytest.raises(CannotSandbox, match=r"memory needs a control group.*allow_weak_limits"):
        run_tools([], sample, settings(allow_weak_limits=False))


@pytest.mark.skipif("KWSUITE_TESTS_AS_USER" in os.environ, reason="test_as_user.py does this from outside")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupt", "kill -9"])
def test_nothing_is_left_when_the_evaluation_is_ended(tmp_path: Path, number: signal.Signals) -> None:
    assert_nothing_left(tmp_path, number, [])


@pytest.mark.skipif("KWSUITE_TESTS_AS_USER" in os.environ, reason="test_as_user.py does this from outside")
def test_nothing_is_left_when_the_supervisor_hangs_as_well(tmp_path: Path) -> None:
    assert_nothing_left(tmp_path, signal.SIGKILL, [], stuck=True)


@pytest.mark.anyio
async def test_an_interrupt_at_the_terminal_is_left_to_the_evaluation(start: Start) -> None:
    box = await start()
    parent = Path(f"/proc/{box.box.first_pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[1]
    assert os.getsid(int(parent)) != os.getsid(0)
    assert os.getsid(box.box.first_pid) != os.getsid(0)


@pytest.mark.anyio
async def test_a_sandbox_lives_in_a_control_group_that_goes_with_it(start: Start) -> None:
    if find_own_places() is None:
        pytest.skip("this user may not create control groups")
    box = await start()
    groups = [Path(group) for group in box.box.cgroup]
    assert groups
    assert all(
        str(box.box.first_pid) in (group / "cgroup.procs").read_text(encoding="ascii").split() for group in groups
    )
    await box.box.stop()
    assert not any(group.exists() for group in groups)


@pytest.mark.anyio
async def test_a_call_after_the_end_says_that_the_sandbox_is_gone(start: Start) -> None:
    box = await start()
    os.kill(box.box.first_pid, signal.SIGKILL)
    with pytest.raises(SandboxUnavailableError, match="the sandbox has ended"):
        await box.exec(["true"])
    with pytest.raises(SandboxUnavailableError):
        await box.read_file("x")
    with pytest.raises(SandboxUnavailableError):
        await box.write_file("x", "y")


@pytest.mark.anyio
async def test_a_sandbox_that_dies_during_a_call_ends_the_call(start: Start) -> None:
    box = await start()
    async with anyio.create_task_group() as group:

        async def end_soon() -> None:
            await anyio.sleep(0.5)
            os.kill(box.box.first_pid, signal.SIGKILL)

        group.start_soon(end_soon)
        with pytest.raises(SandboxUnavailableError):
            await box.exec(["sleep", "60"])


@pytest.mark.anyio
async def test_a_start_that_fails_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    delays = iter(range(40))

    async def refuse(info: int) -> int:
        await anyio.sleep(next(delays) / 8000)
        raise OSError("refused")

    # At one of these moments bubblewrap's child waits for bubblewrap, and would go on waiting without it.
    monkeypatch.setattr(launch, "_first_pid", refuse)
    before = host_processes("bwrap --info-fd")
    for _ in range(40):
        with pytest.raises(OSError, match="refused"):
            await launch.launch(plan_sandbox(settings()))
    assert len(host_processes("bwrap --info-fd")) <= len(before)


def test_an_evaluation_killed_during_a_start_leaves_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    async def die(info: int) -> int:
        await anyio.sleep(delay)
        os.kill(os.getpid(), signal.SIGKILL)
        return 0

    monkeypatch.setattr(launch, "_first_pid", die)
    before = host_processes("bwrap --info-fd")
    plan = plan_sandbox(settings())
    for step in range(40):
        delay = step / 8000
        child = os.fork()
        if child == 0:
            try:
                anyio.run(launch.launch, plan)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
    deadline = time.monotonic() + 10
    while len(host_processes("bwrap --info-fd")) > len(before) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert len(host_processes("bwrap --info-fd")) <= len(before)


@pytest.mark.anyio
async def test_no_host_process_of_a_root_sandbox_is_root(start: Start) -> None:
    box = await start()
    status = Path(f"/proc/{box.box.first_pid}/status").read_text(encoding="ascii")
    uids = next(line for line in status.splitlines() if line.startswith("Uid:")).split()[1:]
    assert "0" not in uids
    assert os.geteuid() == 0 or set(uids) == {str(os.geteuid())}


@pytest.mark.anyio
async def test_calls_run_side_by_side(start: Start) -> None:
    box = await start()
    found: list[str] = []

    async def one(number: int) -> None:
        result = await box.exec(["sh", "-c", f"sleep 0.5; echo {number}"], timeout=30, concurrency=False)
        found.append(result.stdout.strip())

    began = time.monotonic()
    async with anyio.create_task_group() as group:
        for number in range(12):
            group.start_soon(one, number)
    assert sorted(found, key=int) == [str(number) for number in range(12)]
    assert time.monotonic() - began < 12 * 0.5


@pytest.mark.anyio
async def test_another_user_is_refused_by_name(start: Start) -> None:
    box = await start()
    assert (await box.exec(["whoami"], user="agent")).stdout == "agent\n"
    with pytest.raises(SandboxUserUnsupportedError, match="'root'"):
        await box.exec(["whoami"], user="root")


@pytest.mark.anyio
async def test_failures_of_the_command_are_results(start: Start) -> None:
    box = await start()
    missing = await box.exec(["no-such-program"])
    assert (missing.returncode, missing.stderr) == (127, "no-such-program: command not found\n")
    nowhere = await box.exec(["true"], cwd="no/such")
    assert nowhere.returncode == 126
    assert "/home/agent/no/such: cannot be the working directory" in nowhere.stderr
    too_long = await box.exec(["echo", "x" * 200_000])
    assert "Argument list too long" in too_long.stderr


@pytest.fixture
def installation(open_directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the evaluating Python's installation, where every user may reach it."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    unneeded = shutil.ignore_patterns("test", "__pycache__", "config-*", "idlelib", "ensurepip", "*-packages", "*.a")
    shutil.copytree(Path(sys.base_prefix) / "lib" / name, open_directory / "lib" / name, ignore=unneeded, symlinks=True)
    for library in (Path(sys.base_prefix) / "lib").glob("libpython*"):
        shutil.copy(library, open_directory / "lib")
    (open_directory / "bin").mkdir()
    shutil.copy(Path(sys.base_prefix) / "bin" / name, open_directory / "bin" / name)
    (open_directory / "lib" / name / "site-packages").mkdir()
    (open_directory / "lib" / name / "site-packages" / "answers.py").write_text("", encoding="utf-8")
    for path in open_directory.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))
    monkeypatch.setattr(sys, "base_prefix", str(open_directory))
    return open_directory


@pytest.mark.anyio
async def test_the_evaluating_python_serves_where_the_system_has_none(
    start: Start, installation: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = find_interpreter(system=())
    assert shown.installation == installation
    monkeypatch.setattr(prepare, "_interpreter", lambda: shown)
    box = await start()
    code = "import sys, importlib.util as u; print(sys.prefix, u.find_spec('answers'), u.find_spec('inspect_ai'))"
    assert (await box.exec([shown.executable, "-c", code])).stdout.split() == ["/opt/python", "None", "None"]


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user's sandbox sees what the user sees")
def test_what_root_cannot_show_to_others_is_refused_by_name(open_directory: Path) -> None:
    (open_directory / "closed").mkdir(mode=0o700)
    with pytest.raises(CannotSandbox, match="closed is closed to other users"):
        plan_sandbox(settings(read_only=[{"host": str(open_directory / "closed"), "inside": "/opt/x"}]))
