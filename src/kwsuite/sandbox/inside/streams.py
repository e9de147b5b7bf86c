"""Bytes through descriptors."""

from __future__ import annotations

import contextlib
import json
import os

CHUNK = 65536


def write_all(descriptor: int, data: bytes) -> None:
    """Write to the end."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def read_all(descriptor: int) -> bytes:
    """Read a memory file from its start, wherever its offset is."""
    parts: list[bytes] = []
    offset = 0
    while True:
        part = os.pread(descriptor, CHUNK, offset)
        if not part:
            return b"".join(parts)
        parts.append(part)
        offset += len(part)


def discard(descriptor: int) -> bool:
    """Throw away what is there; False at the end of the stream."""
    try:
        return bool(os.read(descriptor, CHUNK))
    except BlockingIOError:
        return True


def tell(report: int, message: dict[str, object]) -> None:
    """Report to the supervisor, one line."""
    os.write(report, json.dumps(message).encode("ascii") + b"\n")


def close_quietly(descriptor: int) -> None:
    """Close, if it is open."""
    with contextlib.suppress(OSError):
        os.close(descriptor)
