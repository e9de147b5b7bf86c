"""Attempts to use up the machine. Each ends inside its limit, and the sandbox goes on answering."""

import asyncio
import contextlib
import shutil
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from inspect_ai.util import OutputLimitExceededError
from inspect_ai.util._sandbox.limits import override_sandbox_output_limit

from kwsuite.sandbox.errors import ExecTimeoutError
from kwsuite.sandbox.provider import BwrapSandboxEnvironment as Sandbox
from tests.sandbox.conftest import host_processes

pytestmark = pytest.mark.anyio

Start = Callable[..., Awaitable[Sandbox]]


async def answers(box: Sandbox) -> bool:
    return (await box.exec(["echo", "alive"], timeout=30)).stdout == "alive\n"


async def running(box: Sandbox) -> list[str]:
    """Commands running inside, without the supervisor's own and the listing itself."""
    listed = (await box.exec(["ps", "axww", "-o", "stat=,args="], timeout=30)).stdout.splitlines()
    return [line for line in listed if "/run/supervisor" not in line and "ps axww" not in line and line[0] not in "ZX"]


async def test_a_fork_bomb_is_held_and_ended(box: Sandbox) -> None:
    bomb = "import os\nwhile True:\n try: os.fork()\n except OSError: pass"
    running_bomb = asyncio.ensure_future(box.exec(["python3", "-c", bomb], timeout=3))
    await asyncio.sleep(2)
    assert 2 < len(host_processes("try: os.fork()")) <= box.plan.config.processes
    with pytest.raises(ExecTimeoutError):
        await running_bomb
    assert await running(box) == []


async def test_a_bomb_that_moves_on_faster_than_it_can_be_seen_is_ended(box: Sandbox) -> None:
    comet = "import os\nwhile True:\n try:\n  if os.fork(): os._exit(0)\n  os.setsid()\n except OSError: pass"
    with pytest.raises(ExecTimeoutError):
        await box.exec(["sh", "-c", f"python3 -c '{comet}' & sleep 60"], timeout=2)
    assert await running(box) == []


async def test_a_bomb_left_behind_does_not_lock_the_next_call_out(box: Sandbox) -> None:
    bomb = "import os, time\nos.setsid()\nwhile True:\n try: os.fork()\n except OSError: time.sleep(1)"
    await box.exec(["sh", "-c", f"python3 -c '{bomb}' >/dev/null 2>&1 &"], timeout=20)
    await asyncio.sleep(1)
    await box.write_file("answer.txt", "42")
    assert await box.read_file("answer.txt") == "42"


async def test_daemons_that_take_every_place_do_not_lock_the_next_call_out(box: Sandbox) -> None:
    # Each leaves a shepherd as well, which the commands' own limit does not count against the supervisor.
    for _ in range(box.plan.config.processes + 40):
        await box.exec(["python3", "-c", "import os, time\nif os.fork() == 0:\n os.setsid()\n time.sleep(600)"])
    assert await answers(box)
    await box.write_file("answer.txt", "42")
    assert await box.read_file("answer.txt") == "42"


async def test_a_thread_bomb_is_held(box: Sandbox) -> None:
    code = """
import threading, time
started = 0
try:
    while True:
        threading.Thread(target=time.sleep, args=(100,), daemon=True).start()
        started += 1
except RuntimeError:
    print(started)
"""
    started = int((await box.exec(["python3", "-c", code], timeout=30)).stdout)
    assert 1 <= started <= box.plan.config.processes


async def test_one_process_cannot_take_more_memory_than_the_limit(box: Sandbox) -> None:
    code = "b = []\nfor _ in range(1024): b.append(bytearray(1 << 20))\nprint('survived')"
    result = await box.exec(["python3", "-c", code], timeout=50)
    assert not result.success
    assert "survived" not in result.stdout
    assert await answers(box)


async def test_many_processes_together_cannot_take_more_memory_than_the_limit(box: Sandbox) -> None:
    if box.plan.places is None:
        pytest.skip("this user has no control group: allow_weak_limits is set and the log says so")
    code = """
import os, time
for _ in range(8):
    if os.fork() == 0:
        held = b"x" * (128 << 20)
        time.sleep(2)
        open(f"/tmp/{os.getpid()}", "w").close()
        os._exit(0)
time.sleep(4)
"""
    await box.exec(["python3", "-c", code], timeout=50)
    # Whoever still holds its part after two seconds was allowed to.
    survived = len((await box.exec(["ls", "/tmp"], timeout=20)).stdout.split())
    assert survived * 128 < box.plan.config.memory_mb
    assert await answers(box)


@pytest.mark.parametrize("directory", ["/home/agent", "/tmp", "/var/tmp"])
async def test_a_disk_filler_stops_at_the_limit(box: Sandbox, directory: str) -> None:
    before = shutil.disk_usage("/").used
    filler = f"cd {directory}; i=0; while head -c 8000000 /dev/zero > f$i; do i=$((i+1)); done; du -sm . | cut -f1"
    result = await box.exec(["sh", "-c", filler], timeout=50)
    assert int(result.stdout) <= box.plan.config.disk_mb
    assert "No space left" in result.stderr
    assert shutil.disk_usage("/").used - before < box.plan.config.disk_mb << 19
    with pytest.raises(OSError, match="disk_mb is used up"):
        await box.write_file(f"{directory}/more", "x" * 9_000_000)
    assert await answers(box)


@pytest.mark.parametrize("place", ["/", "/etc", "/usr", "/run", "/dev", "/var", "/home", "/opt"])
async def test_nothing_else_can_be_written(box: Sandbox, place: str) -> None:
    assert not (await box.exec(["sh", "-c", f"echo x > {place}/planted"])).success


async def test_shared_memory_is_capped(box: Sandbox) -> None:
    result = await box.exec(["sh", "-c", "head -c 100000000 /dev/zero > /dev/shm/f"], timeout=30)
    assert not result.success


async def test_a_sparse_file_cannot_be_larger_than_the_limit(box: Sandbox) -> None:
    assert not (await box.exec(["truncate", "-s", "1T", "sparse"])).success
    assert (await box.exec(["truncate", "-s", "40M", "sparse"])).success
    with override_sandbox_output_limit(1 << 20, "read_file"), pytest.raises(OutputLimitExceededError):
        await box.read_file("sparse", text=False)


async def test_a_file_that_claims_to_be_empty_is_capped_while_it_streams(box: Sandbox) -> None:
    with override_sandbox_output_limit(64, "read_file"), pytest.raises(OutputLimitExceededError):
        await box.read_file("/proc/self/status")


async def test_a_file_that_grows_while_it_is_read_is_capped(box: Sandbox) -> None:
    writing = "for i in $(seq 1 40); do head -c 1000000 /dev/zero >> grows; done"
    await box.exec(["sh", "-c", f"({writing}) > /dev/null 2>&1 &"])
    with override_sandbox_output_limit(3_000_000, "read_file"):
        for _ in range(50):
            try:
                assert len(await box.read_file("grows", text=False)) <= 3_000_000
            except FileNotFoundError:
                continue
            except OutputLimitExceededError:
                return
    pytest.fail("it never grew beyond the limit")


@pytest.mark.parametrize("stream", ["1", "2"])
async def test_an_output_flood_ends_its_command(box: Sandbox, stream: str) -> None:
    with override_sandbox_output_limit(100_000, "exec"), pytest.raises(OutputLimitExceededError) as caught:
        await box.exec(["sh", "-c", f"yes >&{stream}"], timeout=50)
    assert len(caught.value.truncated_output or "") <= 100_000
    assert await running(box) == []


async def test_output_over_the_limit_keeps_its_end(box: Sandbox) -> None:
    with override_sandbox_output_limit(1000, "exec"):
        result = await box.exec(["sh", "-c", "seq 1 1500"], timeout=30)
    assert result.success
    assert len(result.stdout) == 1000
    assert result.stdout.endswith("1499\n1500\n")


async def test_a_daemon_that_forks_twice_is_ended_with_its_command(box: Sandbox) -> None:
    code = (
        "import os, time\nif os.fork() == 0:\n os.setsid()\n if os.fork() == 0: time.sleep(4141)\nelse: time.sleep(60)"
    )
    with pytest.raises(ExecTimeoutError):
        await box.exec(["python3", "-c", code], timeout=2)
    assert host_processes("time.sleep(4141)") == []


async def test_ending_one_command_leaves_the_daemon_of_another_alone(box: Sandbox) -> None:
    await box.exec(["sh", "-c", "setsid sleep 4242 > /dev/null 2>&1 &"])
    with pytest.raises(ExecTimeoutError):
        await box.exec(["sh", "-c", "setsid sleep 4141 & sleep 60"], timeout=1)
    assert [line.split()[1:] for line in await running(box)] == [["sleep", "4242"]]


async def test_a_daemon_that_outlives_its_command_ends_with_the_sandbox(start: Start) -> None:
    box = await start()
    await box.exec(["sh", "-c", "setsid sleep 4242 > /dev/null 2>&1 &"])
    assert [line for line in await running(box) if "sleep 4242" in line]
    assert host_processes("sleep 4242")
    await box.box.stop()
    assert host_processes("sleep 4242") == []


async def test_a_left_over_process_does_not_hold_its_command_up_nor_die_of_its_output(box: Sandbox) -> None:
    loop = "i=0; while [ $i -lt 200 ]; do echo $i $(seq 1 300); i=$((i+1)); sleep 0.01; done; echo done > finished"
    began = time.monotonic()
    result = await box.exec(["sh", "-c", f"({loop}) & echo started"], timeout=30)
    assert time.monotonic() - began < 2
    assert "started" in result.stdout
    while [line for line in await running(box) if "finished" in line]:
        await asyncio.sleep(0.1)
    assert await box.read_file("finished") == "done\n"


async def test_a_stopped_shepherd_does_not_outlast_the_timeout(box: Sandbox) -> None:
    with pytest.raises(ExecTimeoutError):
        await box.exec(["sh", "-c", "kill -STOP $PPID; sleep 60"], timeout=2)
    assert await running(box) == []


async def test_the_settings_end_a_command_that_has_no_timeout(start: Start) -> None:
    box = await start(wall_seconds=1)
    with pytest.raises(ExecTimeoutError, match="within 1 seconds"):
        await box.exec(["sleep", "60"])


async def test_a_timeout_keeps_what_was_written(box: Sandbox) -> None:
    with pytest.raises(ExecTimeoutError) as caught:
        await box.exec(["sh", "-c", "echo so far; sleep 60"], timeout=1)
    assert caught.value.truncated_output == "so far\n"


async def test_a_cancelled_call_ends_its_command(box: Sandbox) -> None:
    call = asyncio.ensure_future(box.exec(["sh", "-c", "sleep 60 & sleep 60"]))
    await asyncio.sleep(0.5)
    call.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await call
    await asyncio.sleep(0.5)
    assert await running(box) == []


async def test_deep_directories_can_be_read_and_are_gone_at_the_end(box: Sandbox) -> None:
    code = "import os\nfor _ in range(3000): os.mkdir('d'); os.chdir('d')\nopen('leaf', 'w').write('deep')"
    assert (await box.exec(["python3", "-c", code], timeout=30)).success
    with pytest.raises(OSError, match="File name too long"):
        await box.read_file("d/" * 3000 + "leaf")
    assert (await box.exec(["sh", "-c", "cd d/d/d && ls"])).stdout == "d\n"
    await box.box.stop()
    assert not Path(f"/proc/{box.box.first_pid}").exists()


async def test_open_descriptors_run_out_for_the_command_only(box: Sandbox) -> None:
    code = "import os\nn = 0\ntry:\n while True: os.open('/dev/null', 0); n += 1\nexcept OSError: print(n)"
    assert int((await box.exec(["python3", "-c", code], timeout=30)).stdout) < 5000
    assert await answers(box)


async def test_input_that_nobody_reads_holds_nothing_up(box: Sandbox) -> None:
    result = await box.exec(["true"], input=b"x" * 20_000_000, timeout=20)
    assert result.success
