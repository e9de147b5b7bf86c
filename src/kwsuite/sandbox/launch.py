"""Starting a sandbox: bubblewrap's arguments and descriptors, and what its failures mean."""

import json
import os
import signal
import socket
import subprocess
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import anyio

from kwsuite.sandbox.cgroup import Cgroup, create_cgroup, group_directories
from kwsuite.sandbox.config import HOME
from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.identity import lend_identity
from kwsuite.sandbox.keeper import Keeper
from kwsuite.sandbox.limits import RESERVE
from kwsuite.sandbox.prepare import Plan
from kwsuite.sandbox.view import SUPERVISOR, UID, WRITTEN

START_SECONDS = 30
"""How long a sandbox may take to start; it takes some hundredths of a second on an idle machine."""

_serials = count()


@dataclass
class Launched:
    """A sandbox whose supervisor has said that it is ready."""

    process: subprocess.Popen[bytes]
    first_pid: int
    """The supervisor, as the host numbers it. Killing it ends every process of the sandbox."""

    control: socket.socket
    cgroup: Cgroup | None
    keeper: Keeper


async def launch(plan: Plan) -> Launched:
    """Start a sandbox.

    Raises:
        CannotSandbox: Bubblewrap refuses; the message has its words and what to do.
    """
    serial = next(_serials)
    with ExitStack() as stack:
        pipe = _Pipes(stack)
        control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        stack.callback(theirs.close)
        info, info_in = pipe.open()
        block, block_in = pipe.open()
        words = pipe.memory(b"")
        identity = lend_identity(serial)
        arguments, inherited = _arguments(plan, pipe)
        arguments = ["--info-fd", str(info_in), "--block-fd", str(block), *arguments]
        inherited += [info_in, block, theirs.fileno()]
        settings = {"limits": plan.limits.everywhere, "command_limits": plan.limits.commands}
        control.send(json.dumps(settings).encode("ascii"))
        supervisor = [plan.interpreter.executable, "-I", "-S", "-B", SUPERVISOR, str(theirs.fileno())]
        binary = pipe.keep(os.open(plan.bubblewrap.path, os.O_RDONLY))
        name = f"{os.getpid()}-{serial}"
        keeper = Keeper(group_directories(plan.places, name) if plan.places else ())
        on_failure = stack.enter_context(ExitStack())
        on_failure.callback(keeper.close)
        process = subprocess.Popen(
            ["bwrap", *arguments, "--", *supervisor],
            # By descriptor, because a lent identity may not reach the directory it lies in.
            executable=f"/proc/self/fd/{binary}",
            pass_fds=(*inherited, binary),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=words,
            env={},
            cwd="/",
            # A Ctrl-C at the terminal is for the evaluation, which then ends its sandboxes in order.
            start_new_session=True,
            user=identity,
            group=identity,
            extra_groups=None if identity is None else [],
        )
        keeper.watch(process.pid)
        for descriptor in (info_in, block):
            pipe.close(descriptor)
        theirs.close()
        group: Cgroup | None = None
        try:
            with anyio.fail_after(START_SECONDS):
                first_pid = await _first_pid(info)
                if plan.places is not None:
                    memory = plan.config.memory_mb << 20
                    group = create_cgroup(plan.places, name, memory, plan.config.processes + RESERVE)
                    group.add(first_pid)
                os.write(block_in, b"x")
                control.setblocking(False)
                await anyio.wait_readable(control)
                if not control.recv(4096):
                    raise _Ended
            keeper.ready()
            on_failure.pop_all()
        except BaseException as error:
            # With its child, which until it is set up waits for bubblewrap and would do so for ever.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            control.close()
            with anyio.CancelScope(shield=True):
                await _remove(group)
            if isinstance(error, _Ended | ConnectionError | ProcessLookupError | TimeoutError):
                raise CannotSandbox(explain(os.pread(words, 4000, 0).decode(errors="replace").strip())) from error
            raise
    return Launched(process, first_pid, control, group, keeper)


def explain(words: str) -> str:
    """Say what bubblewrap's last words mean and what to do."""
    said = f"bubblewrap did not start a sandbox: {words or 'it said nothing'}."
    if "namespace" in words.lower() or "uid map" in words.lower() or "Operation not permitted" in words:
        return (
            f"{said} This user may not create user namespaces. On Ubuntu: "
            "`sysctl kernel.apparmor_restrict_unprivileged_userns=0`; on older Debian: "
            "`sysctl kernel.unprivileged_userns_clone=1`; elsewhere see that `sysctl user.max_user_namespaces` is not "
            "0. Inside a container, start that container with a seccomp profile that allows them, or use its isolation."
        )
    return f"{said} Try `--sandbox docker`, and report this with the output of `bwrap --version` and `uname -a`."


async def end(launched: Launched) -> None:
    """End every process of a sandbox and remove its group; returns when nothing is left."""
    with anyio.CancelScope(shield=True):
        launched.control.close()
        if launched.process.poll() is None:
            # Unreaped until bubblewrap, which is alive, collects it: the number cannot belong to another.
            with suppress(ProcessLookupError):
                os.kill(launched.first_pid, signal.SIGKILL)
        with anyio.move_on_after(START_SECONDS):
            while launched.process.poll() is None:
                await anyio.sleep(0.002)
        if launched.process.poll() is None:
            launched.process.kill()
            launched.process.wait()
        await _remove(launched.cgroup)
        launched.keeper.close()


async def _remove(group: Cgroup | None) -> None:
    if group is None:
        return
    with anyio.move_on_after(START_SECONDS):
        while not group.remove():
            await anyio.sleep(0.002)


class _Ended(Exception):
    """Bubblewrap ended before the sandbox was ready."""


async def _first_pid(info: int) -> int:
    told = b""
    while True:
        await anyio.wait_readable(info)
        part = os.read(info, 4096)
        told += part
        if not part:
            raise _Ended
        if b"}" in told:
            return int(json.loads(told)["child-pid"])


def _arguments(plan: Plan, pipe: "_Pipes") -> tuple[list[str], list[int]]:
    """Give bubblewrap's arguments and the descriptors they name."""
    inherited: list[int] = []
    arguments = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
    arguments += ["--unshare-net", "--disable-userns", "--uid", str(UID), "--gid", str(UID), "--hostname", "sandbox"]
    arguments += ["--die-with-parent", "--new-session", "--as-pid-1", "--clearenv", "--cap-drop", "ALL"]
    if plan.interpreter.libraries is not None:
        arguments += ["--setenv", "LD_LIBRARY_PATH", plan.interpreter.libraries]
    arguments += plan.view.arguments
    for outside, inside in plan.view.shown:
        arguments += ["--ro-bind", str(outside), inside]
    for inside, text in {**WRITTEN, **_program()}.items():
        descriptor = pipe.memory(text.encode())
        inherited.append(descriptor)
        arguments += ["--perms", "0444", "--ro-bind-data", str(descriptor), inside]
    for masked in plan.view.masked:
        arguments += ["--size", "4096", "--perms", "0555", "--tmpfs", masked, "--remount-ro", masked]
    if plan.filter is not None:
        descriptor = pipe.memory(plan.filter)
        inherited.append(descriptor)
        arguments += ["--seccomp", str(descriptor)]
    return [*arguments, "--remount-ro", "/", "--chdir", HOME], inherited


def _program() -> dict[str, str]:
    """The files of the supervisor, by their paths inside."""
    found = {f"{SUPERVISOR}/__main__.py": "from inside.supervisor import main\n\nmain()\n"}
    for file in sorted(Path(__file__).with_name("inside").glob("*.py")):
        found[f"{SUPERVISOR}/inside/{file.name}"] = file.read_text(encoding="utf-8")
    return found


class _Pipes:
    """Descriptors that are closed when the launch is over, whichever way it ends."""

    def __init__(self, stack: ExitStack) -> None:
        self._open: set[int] = set()
        stack.callback(self._close_all)

    def keep(self, descriptor: int) -> int:
        self._open.add(descriptor)
        return descriptor

    def open(self) -> tuple[int, int]:
        reading, writing = os.pipe()
        return self.keep(reading), self.keep(writing)

    def memory(self, content: bytes) -> int:
        descriptor = self.keep(os.memfd_create("kwsuite", os.MFD_CLOEXEC))
        os.write(descriptor, content)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def close(self, descriptor: int) -> None:
        self._open.discard(descriptor)
        os.close(descriptor)

    def _close_all(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
