"""Who the sandbox is on the host."""

import os
from pathlib import Path

FIRST = 0x70000000
"""First of the user ids a root host lends to its sandboxes; above what is given to people, services and containers."""

PER_PROCESS = 64
"""Ids for one evaluating process; more sandboxes than that share them, which only makes their limits common."""

NOBODY = 65534


def host_identity(uid: int, pid: int, serial: int, uid_map: str) -> int | None:
    """Choose the host user id that a sandbox runs under; None to stay who we are.

    Root never runs a sandbox as root, whatever it looks like inside: root's limits on processes do not hold, and root
    owns the kernel's settings. It lends an id of its own to each sandbox instead.

    Args:
        uid: Our effective user id.
        pid: Our process id.
        serial: Counts the sandboxes of this process.
        uid_map: Text of `/proc/self/uid_map`; in a container the high ids may not exist.
    """
    if uid != 0:
        return None
    wanted = FIRST + (pid % (1 << 22)) * PER_PROCESS + serial % PER_PROCESS
    ranges = [tuple(int(part) for part in line.split()) for line in uid_map.splitlines() if line.strip()]
    return wanted if any(first <= wanted < first + count for first, _, count in ranges) else NOBODY


def lend_identity(serial: int) -> int | None:
    """Choose for this process; see `host_identity`."""
    uid_map = Path("/proc/self/uid_map").read_text(encoding="ascii")
    return host_identity(os.geteuid(), os.getpid(), serial, uid_map)
