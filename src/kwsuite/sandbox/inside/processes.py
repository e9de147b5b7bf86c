"""Looking at the sandbox's processes, and ending them."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal

PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36


def kill(pid: int) -> None:
    """Kill, if it is there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def lower(limits: dict[str, int]) -> None:
    """Set limits, soft and hard, where the host has not set lower ones."""
    for name, value in limits.items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (bound, bound))


def prctl(option: int, value: int) -> None:
    """Set an attribute of this process."""
    ctypes.CDLL(None).prctl(option, ctypes.c_ulong(value), 0, 0, 0)


def processes() -> list[int]:
    """All processes of the sandbox."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def parent_and_state(pid: int) -> tuple[int, str]:
    """Parent and state letter of a process; (0, "X") when it has gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            # The name is in parentheses and may hold anything, so count from the last one.
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0, "X"
    return int(fields[1]), fields[0].decode("ascii")


def running(pid: int) -> bool:
    """Whether it is there and not a zombie."""
    return parent_and_state(pid)[1] not in ("Z", "X")


def children_of(parent: int) -> list[int]:
    """Direct children, zombies included."""
    return [pid for pid in processes() if parent_and_state(pid)[0] == parent]


def descendants(root: int) -> list[int]:
    """Running processes below `root`, without `root` itself."""
    table = {pid: parent_and_state(pid) for pid in processes()}
    family = {root}
    grew = True
    while grew:
        grew = False
        for pid, (parent, _) in table.items():
            if parent in family and pid not in family:
                family.add(pid)
                grew = True
    return [pid for pid in family - {root} if table[pid][1] not in ("Z", "X")]
