"""What the host is told of a request."""

from __future__ import annotations

import contextlib
import json
import os
import socket

from .streams import CHUNK

KILLED = b'{"exit": 137}'


def told(status: int) -> bytes:
    """The first thing a shepherd reported; that it was killed, if it never did."""
    try:
        return os.read(status, CHUNK).split(b"\n")[0] or KILLED
    except BlockingIOError:
        return KILLED


def send(channel: socket.socket, message: dict[str, object]) -> None:
    """Answer a request that never became a job."""
    with contextlib.suppress(OSError):
        channel.send(json.dumps(message).encode("ascii"))
