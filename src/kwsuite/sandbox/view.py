"""What a sandbox sees of the host, as bubblewrap's arguments."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kwsuite.sandbox.config import HOME, BwrapConfig
from kwsuite.sandbox.interpreter import SHOWN_AT, Interpreter

UID = 1000
"""User and group id inside. Not root, so that tools do not believe they may do what they may not."""

USER = "agent"

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

SUPERVISOR = "/run/supervisor"
"""Directory that holds the program of `inside/`."""

SHARED_MEMORY = 64 << 20
"""Size of /dev/shm, in bytes."""

SYSTEM_ALIASES = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""Names in / that are links into /usr on most systems and directories on some."""

ETC = ("alternatives", "debian_version", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "os-release")
"""All that is shown of /etc: what finds programs and libraries, and the name of the distribution."""

NEVER_MASKED = frozenset(
    ("/", "/usr", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/usr/share",
     "/usr/local", "/usr/local/bin", "/usr/local/lib", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
)  # fmt: skip
"""Directories without which nothing runs inside."""

PROC_MASKED = ("kallsyms", "kcore", "keys", "latency_stats", "sched_debug", "timer_list", "timer_stats")
"""Files of /proc that tell about the host and not about the sandbox."""

WRITTEN = {
    "/etc/passwd": f"root:x:0:0:root:/nonexistent:/bin/false\n{USER}:x:{UID}:{UID}::{HOME}:/bin/bash\n"
    "nobody:x:65534:65534::/nonexistent:/bin/false\n",
    "/etc/group": f"root:x:0:\n{USER}:x:{UID}:\nnogroup:x:65534:\n",
    "/etc/hosts": "127.0.0.1 localhost sandbox\n::1 localhost\n",
    "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}
"""Files written afresh inside, with their text."""


@dataclass(frozen=True)
class View:
    """The file systems of a sandbox."""

    arguments: tuple[str, ...]
    """For bubblewrap, up to the things below."""

    shown: tuple[tuple[Path, str], ...]
    """More of the host: directory there, path inside."""

    masked: tuple[str, ...]
    """Directories inside that are covered by an empty one, after all is shown."""


def plan_view(config: BwrapConfig, interpreter: Interpreter, hidden: Iterable[Path], root: Path = Path("/")) -> View:
    """Plan the view.

    Args:
        config: Sizes of the writable parts, and what else to show.
        interpreter: The supervisor's Python.
        hidden: Directories of the host that must not be seen: homes, projects, installed packages.
        root: The host's root; another one in tests.
    """
    shown = [(Path(more.host), more.inside) for more in config.read_only]
    if interpreter.installation is not None:
        shown.append((interpreter.installation, SHOWN_AT))
    size = str(config.disk_mb << 20)
    arguments = [*_system(root), "--proc", "/proc", "--dev", "/dev"]
    arguments += ["--size", str(SHARED_MEMORY), "--perms", "1777", "--tmpfs", "/dev/shm", "--remount-ro", "/dev"]
    for name in PROC_MASKED:
        if (root / "proc" / name).exists():
            arguments += ["--ro-bind", "/dev/null", f"/proc/{name}"]
    arguments += ["--size", size, "--perms", "0755", "--tmpfs", HOME]
    for directory in ("/tmp", "/var/tmp"):
        arguments += ["--size", size, "--perms", "1777", "--tmpfs", directory]
    places = [(Path("/usr"), "/usr"), *((root / n, f"/{n}") for n in SYSTEM_ALIASES if _plain(root / n)), *shown]
    return View(tuple(arguments), tuple(shown), tuple(_masks(places, hidden)))


def _system(root: Path) -> list[str]:
    arguments = ["--ro-bind", "/usr", "/usr"]
    for directory in ("/etc", "/home", "/run", SUPERVISOR, f"{SUPERVISOR}/inside", "/var"):
        arguments += ["--perms", "0755", "--dir", directory]
    for name in SYSTEM_ALIASES:
        path = root / name
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), f"/{name}"]
        elif path.is_dir():
            arguments += ["--ro-bind", f"/{name}", f"/{name}"]
    for name in ETC:
        if (root / "etc" / name).exists():
            arguments += ["--ro-bind", f"/etc/{name}", f"/etc/{name}"]
    return arguments


def _plain(path: Path) -> bool:
    return path.is_dir() and not path.is_symlink()


def _masks(places: Sequence[tuple[Path, str]], hidden: Iterable[Path]) -> list[str]:
    """Where the hidden directories would appear inside, outermost first."""
    found: set[str] = set()
    for directory in hidden:
        for outside, inside in places:
            if directory.is_relative_to(outside):
                seen = str(Path(inside) / directory.relative_to(outside))
                if seen not in NEVER_MASKED and directory != outside:
                    found.add(seen)
    return [
        mask for mask in sorted(found) if not any(mask != other and Path(mask).is_relative_to(other) for other in found)
    ]
