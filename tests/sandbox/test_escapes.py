"""Attempts to get out of a sandbox. Each plants its own canary and shows that it was not reached.

Cases C112 and C117 of the suite: nothing of the host is in reach, and a symlink leads nowhere.
"""

import asyncio
import contextlib
import os
import shutil
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from inspect_ai.util import ExecResult

from kwsuite.sandbox.provider import BwrapSandboxEnvironment as Sandbox

pytestmark = pytest.mark.anyio

Start = Callable[..., Awaitable[Sandbox]]
CANARY = "canary-4f1d"


async def python(box: Sandbox, code: str, timeout: int = 20) -> ExecResult[str]:
    return await box.exec(["python3", "-c", code], timeout=timeout)


async def shell(box: Sandbox, script: str, timeout: int = 20) -> ExecResult[str]:
    return await box.exec(["sh", "-c", script], timeout=timeout)


async def test_a_planted_symlink_is_not_followed_to_the_host_on_read(box: Sandbox, canary: Path) -> None:
    """C117."""
    await box.exec(["ln", "-s", str(canary), "answer.json"])
    with pytest.raises(FileNotFoundError):
        await box.read_file("answer.json")


async def test_a_planted_symlink_is_not_followed_to_the_host_on_write(box: Sandbox, canary: Path) -> None:
    """C117."""
    await box.exec(["ln", "-s", str(canary), "answer.json"])
    with pytest.raises(FileNotFoundError):
        await box.write_file("answer.json", "overwritten")
    assert canary.read_text(encoding="utf-8") == CANARY


async def test_a_symlinked_directory_swapped_during_reads_never_leads_out(box: Sandbox, canary: Path) -> None:
    await shell(box, f"mkdir real; echo inside > real/{canary.name}; ln -s {canary.parent} away")
    swap = "i=0; while [ $i -lt 120 ]; do mv -T real d; mv -T d real; mv -T away d; mv -T d away; i=$((i+1)); done"
    swapping = asyncio.ensure_future(shell(box, swap, timeout=50))
    seen = set()
    while not swapping.done():
        with contextlib.suppress(FileNotFoundError):
            seen.add(await box.read_file(f"d/{canary.name}"))
    await swapping
    assert CANARY not in seen


async def test_a_symlink_in_what_the_host_shows_resolves_inside(
    start: Start, canary: Path, open_directory: Path
) -> None:
    (open_directory / "out").symlink_to(canary)
    (open_directory / "file").write_text("shown", encoding="utf-8")
    box = await start(read_only=[{"inside": "/opt/shown", "host": str(open_directory)}])
    assert await box.read_file("/opt/shown/file") == "shown"
    with pytest.raises(FileNotFoundError):
        await box.read_file("/opt/shown/out")


async def test_a_shown_file_cannot_be_linked_or_written(start: Start, canary: Path) -> None:
    box = await start(read_only=[{"inside": "/opt/shown", "host": str(canary.parent)}])
    assert not (await shell(box, f"ln /opt/shown/{canary.name} mine")).success
    assert not (await shell(box, f"echo changed > /opt/shown/{canary.name}")).success
    with pytest.raises(OSError, match="Read-only"):
        await box.write_file(f"/opt/shown/{canary.name}", "changed")
    assert canary.read_text(encoding="utf-8") == CANARY


async def test_dots_in_a_path_stay_inside(box: Sandbox, canary: Path) -> None:
    up = "../" * 30 + str(canary.parent / "written").lstrip("/")
    with contextlib.suppress(OSError):
        await box.write_file(up, "x")
    assert not (canary.parent / "written").exists()
    with pytest.raises(FileNotFoundError):
        await box.read_file("../" * 30 + str(canary).lstrip("/"))


@pytest.mark.parametrize("planted", ["mkfifo it", "ln -s /dev/zero it", "ln -s /proc/self/fd/0 it"])
async def test_what_is_no_regular_file_is_refused_at_once(box: Sandbox, planted: str) -> None:
    await shell(box, planted)
    with pytest.raises(OSError, match=r"Not a regular file|No such device"):
        await asyncio.wait_for(box.read_file("it"), 10)
    if planted.startswith("mkfifo"):
        with pytest.raises(OSError, match=r"Not a regular file|No such device"):
            await asyncio.wait_for(box.write_file("it", "x"), 10)


async def test_proc_leads_to_no_other_root(box: Sandbox, canary: Path) -> None:
    path = str(canary).lstrip("/")
    tries = f"cat /proc/*/root/{path} /proc/*/cwd/{path} /proc/self/root/../{path} /proc/1/root/../../{path}"
    result = await shell(box, tries)
    assert CANARY not in result.stdout
    assert not result.success


async def test_the_first_process_shows_neither_memory_nor_descriptors(box: Sandbox) -> None:
    code = """
import os
for path in ("/proc/1/mem", "/proc/1/environ", "/proc/1/fd"):
    try:
        open(path) if "fd" not in path else os.listdir(path)
        print("open", path)
    except PermissionError:
        pass
"""
    assert (await python(box, code)).stdout == ""


async def test_the_first_process_cannot_be_traced(box: Sandbox) -> None:
    code = "import ctypes; print(ctypes.CDLL(None, use_errno=True).ptrace(16, 1, 0, 0), ctypes.get_errno())"
    assert (await python(box, code)).stdout.split() == ["-1", "1"]


async def test_kernel_settings_cannot_be_written(box: Sandbox) -> None:
    pattern = Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8")
    assert not (await shell(box, f"echo '|/bin/{CANARY}' > /proc/sys/kernel/core_pattern")).success
    assert Path("/proc/sys/kernel/core_pattern").read_text(encoding="utf-8") == pattern


async def test_no_descriptor_of_the_host_is_inherited(start: Start, canary: Path) -> None:
    descriptor = os.open(canary, os.O_RDWR)
    os.set_inheritable(descriptor, True)
    box = await start()
    code = "import os; print([os.readlink(f'/proc/self/fd/{n}') for n in os.listdir('/proc/self/fd') if n > '2'])"
    listed = await python(box, code)
    os.close(descriptor)
    # The one entry is the listing's own, closed again when it is looked at; so nothing readable is left.
    assert "canary" not in listed.stdout
    assert (await shell(box, "ls /proc/self/fd | wc -l")).stdout.strip() == "4"


async def test_no_variable_of_the_host_is_inherited(
    start: Start, canary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", CANARY)
    box = await start()
    assert CANARY not in (await shell(box, "env; cat /proc/*/environ /proc/self/environ")).stdout
    names = {line.split("=")[0] for line in (await box.exec(["env"])).stdout.splitlines()}
    assert names == {"PATH", "HOME", "USER", "LOGNAME", "LANG", "SHELL"}


async def test_home_project_and_etc_of_the_host_are_not_there(box: Sandbox) -> None:
    for place in (Path.home(), Path(__file__).parents[2], "/etc/shadow", "/etc/hostname", "/root", "/sys", "/boot"):
        assert not (await box.exec(["ls", "-d", str(place)])).success, place


async def test_the_project_stays_hidden_inside_what_is_shown(
    start: Start, open_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C112: a directory that holds the evaluation's own files shows all but them."""
    (open_directory / "project").mkdir()
    (open_directory / "project" / "expected.json").write_text(CANARY, encoding="utf-8")
    (open_directory / "data").write_text("data", encoding="utf-8")
    monkeypatch.chdir(open_directory / "project")
    box = await start(read_only=[{"inside": "/opt/shown", "host": str(open_directory)}])
    assert await box.read_file("/opt/shown/data") == "data"
    with pytest.raises(FileNotFoundError):
        await box.read_file("/opt/shown/project/expected.json")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can plant a program that is setuid root")
async def test_a_setuid_program_gives_nothing(start: Start, open_directory: Path) -> None:
    program = open_directory / "id"
    shutil.copy("/usr/bin/id", program)
    program.chmod(0o4755)
    box = await start(read_only=[{"inside": "/opt/shown", "host": str(open_directory)}])
    assert (await box.exec(["/opt/shown/id", "-u"])).stdout.strip() == "1000"


async def test_there_are_no_capabilities_and_no_new_privileges(box: Sandbox) -> None:
    status = (await box.exec(["cat", "/proc/self/status"])).stdout
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert {fields[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert fields["NoNewPrivs"] == "1"
    assert fields["Seccomp"] == "2"


@pytest.mark.parametrize("command", ["unshare -Ur true", "unshare -n true", "mount -t tmpfs none /tmp", "chroot /tmp"])
async def test_namespaces_and_mounts_are_refused(box: Sandbox, command: str) -> None:
    assert not (await shell(box, command)).success


@pytest.fixture
def host_service() -> Iterator[int]:
    """A port on the host's loopback that gives the canary to whoever connects."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = server.accept()
                connection.sendall(CANARY.encode())
                connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield server.getsockname()[1]
    server.shutdown(socket.SHUT_RDWR)
    server.close()
    thread.join()


async def test_the_hosts_loopback_is_out_of_reach(box: Sandbox, host_service: int) -> None:
    assert socket.create_connection(("127.0.0.1", host_service), 5).recv(20) == CANARY.encode()
    code = f"import socket; print(socket.create_connection(('127.0.0.1', {host_service}), 5).recv(20))"
    result = await python(box, code)
    assert CANARY not in result.stdout
    assert "ConnectionRefusedError" in result.stderr


async def test_there_is_no_way_out_to_the_network(box: Sandbox) -> None:
    result = await python(box, "import socket; socket.create_connection(('192.0.2.1', 80), 5)")
    assert "unreachable" in result.stderr
    assert (await shell(box, "tail -n +3 /proc/net/dev | cut -d: -f1")).stdout.split() == ["lo"]


async def test_the_hosts_abstract_sockets_are_out_of_reach(box: Sandbox) -> None:
    server = socket.socket(socket.AF_UNIX)
    server.bind(f"\0{CANARY}-{os.getpid()}")
    server.listen()
    code = f"import socket; socket.socket(socket.AF_UNIX).connect('\\0{CANARY}-{os.getpid()}')"
    result = await python(box, code)
    server.close()
    assert "ConnectionRefusedError" in result.stderr


@pytest.mark.parametrize("family", [40, 38, 17], ids=["vsock", "alg", "packet"])
async def test_sockets_that_ignore_network_namespaces_are_refused(box: Sandbox, family: int) -> None:
    result = await python(box, f"import socket; socket.socket({family}, 1)")
    assert "Address family not supported" in result.stderr


async def test_kernel_keys_and_bpf_are_refused(box: Sandbox) -> None:
    numbers = {"x86_64": (248, 321), "aarch64": (217, 280)}[os.uname().machine]
    code = f"""
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number, arguments in (({numbers[0]}, (b"user", b"{CANARY}", b"x", 1, -3)), ({numbers[1]}, (0, None, 0))):
    print(libc.syscall(number, *arguments), ctypes.get_errno())
"""
    assert (await python(box, code)).stdout.split() == ["-1", "1", "-1", "1"]
    keys = Path("/proc/keys")
    assert not keys.exists() or CANARY not in keys.read_text(encoding="utf-8")


async def test_nothing_can_be_typed_into_a_terminal(box: Sandbox) -> None:
    code = "import fcntl, os, pty; m, s = pty.openpty(); fcntl.ioctl(s, 0x5412, b'x')"
    assert "Operation not permitted" in (await python(box, code)).stderr


async def test_shared_memory_of_the_host_is_not_there(box: Sandbox) -> None:
    if not Path("/dev/shm").is_dir() or not os.access("/dev/shm", os.W_OK):
        pytest.skip("this machine has no /dev/shm to plant in")
    planted = Path(f"/dev/shm/{CANARY}-{os.getpid()}")
    planted.write_text(CANARY, encoding="utf-8")
    listed = (await shell(box, "ls -a /dev/shm; cat /proc/sysvipc/shm")).stdout
    planted.unlink()
    assert CANARY not in listed


async def test_the_evaluating_process_cannot_be_signalled(box: Sandbox) -> None:
    for target in (os.getpid(), os.getppid(), box.box.first_pid):
        assert "No such process" in (await python(box, f"import os; os.kill({target}, 9)")).stderr


@pytest.mark.parametrize("number", [2, 9, 15, 19])
async def test_the_first_process_takes_no_signal_from_inside(box: Sandbox, number: int) -> None:
    # Stopping its own shepherd leaves the attempt waiting for its timeout.
    with contextlib.suppress(TimeoutError):
        await shell(box, f"kill -{number} 1; kill -{number} -1", timeout=2)
    assert (await box.exec(["echo", "alive"], timeout=20)).stdout == "alive\n"


async def test_a_command_that_kills_its_shepherd_gains_no_survivor(box: Sandbox) -> None:
    code = """
import os, signal, time
shepherd = os.getppid()
if os.fork() == 0:
    os.setsid()
    os.kill(shepherd, signal.SIGKILL)
    time.sleep(100)
time.sleep(100)
"""
    result = await python(box, code)
    assert result.returncode == 137
    await asyncio.sleep(0.3)
    assert "sleep(100)" not in (await box.exec(["ps", "axww"])).stdout


async def test_a_name_with_a_newline_is_a_name(box: Sandbox, canary: Path) -> None:
    name = f"a\n{canary}\n'; echo $(id)"
    await box.write_file(name, "content")
    assert await box.read_file(name) == "content"
    assert (await box.exec(["cat", name])).stdout == "content"
    with pytest.raises(ValueError, match="null byte"):
        await box.read_file("a\0b")


async def test_two_sandboxes_see_nothing_of_each_other(start: Start) -> None:
    one, other = await start(), await start()
    await one.write_file("/tmp/planted", CANARY)
    await shell(one, f"sleep 41 & echo {CANARY} > /dev/shm/planted")
    seen = await shell(other, "ls /tmp /dev/shm /home/agent; ps axww; cat /tmp/* /dev/shm/*")
    assert CANARY not in seen.stdout
    assert "sleep 41" not in seen.stdout
