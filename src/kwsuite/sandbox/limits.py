"""Which limits this machine enforces, and how."""

import re
from typing import NamedTuple

from kwsuite.sandbox.config import BwrapConfig

RESERVE = 64
"""Processes that the supervisor may have on top of the commands' own, so that it is never locked out by them."""

COUNTED_PER_NAMESPACE = (5, 14)
"""First kernel that counts RLIMIT_NPROC in each user namespace and not over all of a user's processes."""


class Machine(NamedTuple):
    """What decides which limits hold."""

    cgroup: bool
    """Whether groups with memory and process limits can be created."""

    kernel: tuple[int, int]
    """Version of the kernel."""

    own_identity: bool
    """Whether the sandbox runs under a host user id that nothing else uses."""

    filtered: bool
    """Whether there is a system call filter for this processor."""


class Weakness(NamedTuple):
    """A limit that does not hold, and what is missing."""

    limit: str
    missing: str


class Limits(NamedTuple):
    """Resource limits by their names in Python's `resource`, and what they do not cover."""

    everywhere: dict[str, int]
    """For every process inside."""

    commands: dict[str, int]
    """For commands only."""

    weak: tuple[Weakness, ...]
    """Empty when all that was asked for is enforced."""


def kernel_version(release: str) -> tuple[int, int]:
    """Read `uname -r`; (0, 0) where it does not start with two numbers."""
    match = re.match(r"(\d+)\.(\d+)", release)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def plan_limits(config: BwrapConfig, machine: Machine) -> Limits:
    """Decide what enforces each limit on this machine.

    Wall time, output, file size and disk hold everywhere: the supervisor, the host's reader, RLIMIT_FSIZE and the size
    of the writable file systems see to them.
    """
    everywhere = {
        "RLIMIT_CORE": 0,
        "RLIMIT_FSIZE": config.file_mb << 20,
        "RLIMIT_MEMLOCK": 1 << 20,
        "RLIMIT_MSGQUEUE": 1 << 20,
        "RLIMIT_NOFILE": 4096,
    }
    commands: dict[str, int] = {}
    weak: list[Weakness] = []
    counted = machine.own_identity or machine.kernel >= COUNTED_PER_NAMESPACE
    if counted:
        commands["RLIMIT_NPROC"] = config.processes
    elif not machine.cgroup:
        weak.append(
            Weakness(
                "processes", "a control group with the pids controller, or Linux 5.14, to count them in the sandbox"
            )
        )
    if not machine.cgroup:
        # Caps one process at what all should share: better than nothing, and no more than that.
        commands["RLIMIT_AS"] = config.memory_mb << 20
        weak.append(Weakness("memory", "a control group with the memory controller that this user may write to"))
    if not machine.filtered:
        weak.append(Weakness("system calls", "a filter for this processor, which is neither x86_64 nor aarch64"))
    return Limits(everywhere, commands, tuple(weak))


def refusal(weak: tuple[Weakness, ...]) -> str:
    """Say why the sandbox will not start, and the ways out. `weak` is not empty."""
    missing = "; ".join(f"{limit} needs {missing}" for limit, missing in weak)
    return (
        f"the bwrap sandbox cannot enforce these limits here: {missing}. "
        "Ways out: run as root; or start the evaluation under `systemd-run --user --scope -p Delegate=yes`; or accept "
        "it with `allow_weak_limits: true` in a file given as `--sandbox bwrap:FILE`, which every sample's log records."
    )
