"""Reading and writing one file, as the sandbox sees it."""

from __future__ import annotations

import errno
import os
import stat
from typing import Any

from .streams import CHUNK, tell, write_all


def read_file(arguments: dict[str, Any], sink: int, report: int) -> None:
    """Send a regular file's bytes, and no more than one chunk over the limit."""
    # Non-blocking, so that a FIFO or a device cannot hold us; the descriptor that was checked is the one that is read.
    source = os.open(arguments["path"], os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    found = os.fstat(source)
    require_regular(found)
    if found.st_size > arguments["limit"]:
        raise OSError(errno.EFBIG, "too large")
    sent = 0
    while sent <= arguments["limit"]:
        chunk = os.read(source, CHUNK)
        if not chunk:
            tell(report, {"size": sent})
            return
        sent += len(chunk)
        write_all(sink, chunk)
    raise OSError(errno.EFBIG, "too large")


def write_file(arguments: dict[str, Any], source: int, report: int) -> None:
    """Replace a regular file's content, making its parent directories."""
    parent = os.path.dirname(arguments["path"])
    if parent:
        os.makedirs(parent, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    target = os.open(arguments["path"], flags, 0o644)
    require_regular(os.fstat(target))
    os.ftruncate(target, 0)
    size = 0
    while True:
        chunk = os.read(source, CHUNK)
        if not chunk:
            break
        write_all(target, chunk)
        size += len(chunk)
    os.close(target)
    tell(report, {"size": size})


def require_regular(found: os.stat_result) -> None:
    """Refuse what is no plain file."""
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, "is a directory")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
