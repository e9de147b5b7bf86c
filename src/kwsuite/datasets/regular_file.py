"""Bytes of a regular file, and nothing else that has a path."""

import os
import stat
from pathlib import Path, PurePosixPath, PureWindowsPath

from kwsuite.datasets.file_fault import FileFault


def read_regular(path: Path, limit: int) -> bytes:
    """Read a regular file of at most `limit` bytes.

    Raises:
        FileFault: The file is missing, is no regular file (folder, device, pipe, socket), cannot be read or is larger.
    """
    try:
        # A look before the open, because opening a device can already act and opening a pipe waits for a writer.
        _check_regular(path.stat())
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            _check_regular(os.fstat(file.fileno()))
            data = file.read(limit + 1)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        raise FileFault(f"cannot be read ({error.strerror}). Check the path and its permissions.") from error
    if len(data) > limit:
        raise FileFault(f"{size:,} bytes is over the limit of {limit:,}. Split the file.")
    return data


def read_inside(root: Path, name: str, limit: int) -> bytes:
    """Read the regular file `name`, a relative path with `/`, inside the folder `root`; see `read_regular`.

    Raises:
        FileFault: As for `read_regular`; or the name is empty, absolute, climbs with `..`, or leads out of `root`
            through a symlink.
    """
    return read_regular(_inside(root, name), limit)


def _check_regular(status: os.stat_result) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise FileFault("is a folder. Name the files in it.")
    if not stat.S_ISREG(status.st_mode):
        raise FileFault("is not a regular file (a device, pipe or socket). Put a plain file in its place.")


def _inside(root: Path, name: str) -> Path:
    advice = "Name a file inside the item's folder by its path from there, as in data/plan.csv."
    if not name.strip() or not name.isprintable():
        raise FileFault(f"the name is empty or has control characters. {advice}")
    if PurePosixPath(name).is_absolute() or PureWindowsPath(name).anchor:
        raise FileFault(f"an absolute path is refused. {advice}")
    if "\\" in name or ".." in PurePosixPath(name).parts:
        raise FileFault(f"'..' and backslashes are refused. {advice}")
    try:
        folder = root.resolve(strict=True)
        path = (folder / name).resolve(strict=True)
    except FileNotFoundError as error:
        raise FileFault(f"not found in {root}. Add the file or correct the name.") from error
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symlinks, before Python 3.13
        raise FileFault(f"cannot be read ({error}). Check the path and its permissions.") from error
    if not path.is_relative_to(folder):
        raise FileFault(f"leads out of {root} through a symlink. Copy the file into the folder.")
    return path
