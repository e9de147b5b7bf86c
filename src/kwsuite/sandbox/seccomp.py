"""The system call filter, as a classic BPF program for bubblewrap's `--seccomp`."""

import errno
import struct
from typing import NamedTuple


class Architecture(NamedTuple):
    """What a filter must know of a machine: the kernel's audit number and system call numbers."""

    audit: int
    calls: dict[str, int]
    highest: int
    """Largest number of the native call table; above it may lie another table (x32)."""


REFUSED = (
    "add_key", "bpf", "fanotify_init", "io_uring_enter", "io_uring_register", "io_uring_setup", "kexec_load", "keyctl",
    "move_pages", "name_to_handle_at", "open_by_handle_at", "perf_event_open", "quotactl", "request_key", "syslog",
    "userfaultfd",
)  # fmt: skip
"""Calls that reach parts of the kernel which namespaces do not separate, or that only attackers miss."""

FAMILIES = (1, 2, 10, 16)
"""Socket families allowed: unix, IPv4, IPv6, netlink. Others, vsock above all, ignore network namespaces."""

TERMINAL_REQUESTS = (0x5412, 0x541C)
"""TIOCSTI and TIOCLINUX: typing into a terminal that someone else reads."""

ARCHITECTURES = {
    "x86_64": Architecture(
        0xC000003E,
        {
            "add_key": 248, "bpf": 321, "fanotify_init": 300, "io_uring_enter": 426, "io_uring_register": 427,
            "io_uring_setup": 425, "ioctl": 16, "kexec_load": 246, "keyctl": 250, "move_pages": 279,
            "name_to_handle_at": 303, "open_by_handle_at": 304, "perf_event_open": 298, "quotactl": 179,
            "request_key": 249, "socket": 41, "socketpair": 53, "syslog": 103, "userfaultfd": 323,
        },
        0x3FFFFFFF,
    ),
    "aarch64": Architecture(
        0xC00000B7,
        {
            "add_key": 217, "bpf": 280, "fanotify_init": 262, "io_uring_enter": 426, "io_uring_register": 427,
            "io_uring_setup": 425, "ioctl": 29, "kexec_load": 104, "keyctl": 219, "move_pages": 239,
            "name_to_handle_at": 264, "open_by_handle_at": 265, "perf_event_open": 241, "quotactl": 60,
            "request_key": 218, "socket": 198, "socketpair": 199, "syslog": 116, "userfaultfd": 282,
        },
        0x3FFFFFFF,
    ),
}  # fmt: skip

_LOAD, _EQUAL, _GREATER, _RETURN = 0x20, 0x15, 0x25, 0x06
_NUMBER, _AUDIT, _ARGUMENT_0, _ARGUMENT_1 = 0, 4, 16, 24
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_REFUSE = 0x00050000 | errno.EPERM
_UNKNOWN = 0x00050000 | errno.EAFNOSUPPORT


def build_filter(machine: str) -> bytes | None:
    """Assemble the filter for a machine, as `uname -m` names it; None for one whose numbers are not known here.

    A call made through another architecture's table kills the process; a refused call fails with EPERM, a refused
    socket family with EAFNOSUPPORT; all else is allowed.
    """
    if machine not in ARCHITECTURES:
        return None
    audit, calls, highest = ARCHITECTURES[machine]
    program = [_load(_AUDIT), _jump(_EQUAL, audit, 1, 0), _give(_KILL), _load(_NUMBER)]
    program += [_jump(_GREATER, highest, 0, 1), _give(_REFUSE)]
    for name in REFUSED:
        program += [_jump(_EQUAL, calls[name], 0, 1), _give(_REFUSE)]
    for name in ("socket", "socketpair"):
        allowed = [_jump(_EQUAL, family, len(FAMILIES) - index, 0) for index, family in enumerate(FAMILIES)]
        body = [_load(_ARGUMENT_0), *allowed, _give(_UNKNOWN), _give(_ALLOW)]
        program += [_jump(_EQUAL, calls[name], 0, len(body)), *body]
    refused = [_jump(_EQUAL, request, len(TERMINAL_REQUESTS) - i, 0) for i, request in enumerate(TERMINAL_REQUESTS)]
    body = [_load(_ARGUMENT_1), *refused, _give(_ALLOW), _give(_REFUSE)]
    program += [_jump(_EQUAL, calls["ioctl"], 0, len(body)), *body, _give(_ALLOW)]
    return b"".join(program)


def _load(offset: int) -> bytes:
    return struct.pack("=HBBI", _LOAD, 0, 0, offset)


def _jump(kind: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("=HBBI", kind, if_true, if_false, value)


def _give(verdict: int) -> bytes:
    return struct.pack("=HBBI", _RETURN, 0, 0, verdict)
