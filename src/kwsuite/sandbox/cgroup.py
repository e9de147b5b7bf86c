"""Control groups: the kernel's own limits on the memory and the processes of a whole tree.

Version 2 is used where this process may create a group under its own or its parent's; version 1 where that is what
the machine has. Nothing that already runs is moved.
"""

import errno
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

CONTROLLERS = ("memory", "pids")
PREFIX = "bwrap-sandbox"


@dataclass(frozen=True)
class CgroupPlaces:
    """Where groups can be made: one directory for version 2, one a controller for version 1."""

    version: int
    parents: tuple[Path, ...]


@dataclass
class Cgroup:
    """A group of one sandbox."""

    directories: tuple[Path, ...]

    def add(self, pid: int) -> None:
        """Move a process, which has no children yet, into the group."""
        for directory in self.directories:
            (directory / "cgroup.procs").write_text(str(pid), encoding="ascii")

    def remove(self) -> bool:
        """Remove the group; False while processes are still in it."""
        for directory in self.directories:
            try:
                directory.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                return False
        return True


def find_places(mounts: str, own: str) -> CgroupPlaces | None:
    """Find where this process may create groups with both controllers; None where it may not.

    Args:
        mounts: Text of `/proc/self/mountinfo`.
        own: Text of `/proc/self/cgroup`.
    """
    for version, groups in ((2, _unified(mounts, own)), (1, _legacy(mounts, own))):
        if groups and all(_accepts(group) for group in groups):
            return CgroupPlaces(version, tuple(groups))
    return None


def find_own_places() -> CgroupPlaces | None:
    """Find for this process; see `find_places`."""
    process = Path("/proc/self")
    return find_places(
        (process / "mountinfo").read_text(encoding="utf-8"), (process / "cgroup").read_text(encoding="utf-8")
    )


def group_directories(places: CgroupPlaces, name: str) -> tuple[Path, ...]:
    """The directories of the group of this name."""
    return tuple(parent / f"{PREFIX}-{name}" for parent in places.parents)


def create_cgroup(places: CgroupPlaces, name: str, memory_bytes: int, processes: int) -> Cgroup:
    """Create a group with limits on memory (no swap) and on processes.

    Raises:
        OSError: The kernel refuses; nothing is left behind.
    """
    group = Cgroup(group_directories(places, name))
    try:
        for directory in group.directories:
            directory.mkdir()
        _limit(group.directories, memory_bytes, processes)
    except OSError:
        group.remove()
        raise
    return group


def remove_stale(places: CgroupPlaces) -> list[Path]:
    """Remove the empty groups of evaluating processes that are gone; gives what was removed."""
    removed = []
    for parent in places.parents:
        for directory in parent.glob(f"{PREFIX}-*"):
            owner = directory.name.removeprefix(f"{PREFIX}-").split("-")[0]
            if owner.isdigit() and not Path(f"/proc/{owner}").exists():
                try:
                    directory.rmdir()
                except OSError:
                    continue
                removed.append(directory)
    return removed


def _limit(directories: Sequence[Path], memory_bytes: int, processes: int) -> None:
    # In version 2 one directory takes all; in version 1 each takes the files of its own controller. Swap comes second:
    # version 1 wants memory and swap together to be no less than memory alone.
    settings = {
        "pids.max": processes,
        "memory.max": memory_bytes,
        "memory.swap.max": 0,
        "memory.limit_in_bytes": memory_bytes,
        "memory.memsw.limit_in_bytes": memory_bytes,
    }
    written = set()
    for directory in directories:
        for file, value in settings.items():
            if (directory / file).exists():
                (directory / file).write_text(str(value), encoding="ascii")
                written.add(file)
    if "pids.max" not in written or not written & {"memory.max", "memory.limit_in_bytes"}:
        raise OSError(errno.ENOTSUP, "the memory or pids controller is missing", str(directories[0]))


def _unified(mounts: str, own: str) -> list[Path]:
    """The version 2 group to create in: our own or its parent, whichever already hands both controllers down."""
    mount = next((mount for mount in _cgroup_mounts(mounts) if mount.kind == "cgroup2"), None)
    path = next((line[3:] for line in own.splitlines() if line.startswith("0::")), None)
    if mount is None or path is None or ".." in path:
        return []
    group = mount.directory(path)
    for place in (group, group.parent) if group != mount.point else (group,):
        if _hands_down(place):
            return [place]
    return []


def _hands_down(group: Path) -> bool:
    control = group / "cgroup.subtree_control"
    try:
        if set(CONTROLLERS) <= set(control.read_text(encoding="ascii").split()):
            return os.access(group, os.W_OK)
        control.write_text(" ".join(f"+{name}" for name in CONTROLLERS), encoding="ascii")
    except OSError:
        # No controllers to hand down, not ours to write, or processes live in it.
        return False
    return os.access(group, os.W_OK)


def _legacy(mounts: str, own: str) -> list[Path]:
    """The version 1 groups of this process, one a controller; empty unless all are there."""
    paths = {
        name: path for _, names, path in (line.split(":", 2) for line in own.splitlines()) for name in names.split(",")
    }
    groups = []
    for controller in CONTROLLERS:
        of_controller = (m for m in _cgroup_mounts(mounts) if m.kind == "cgroup" and controller in m.options)
        mount = next(of_controller, None)
        if mount is None or controller not in paths or ".." in paths[controller]:
            return []
        groups.append(mount.directory(paths[controller]))
    return groups


class _Mount(NamedTuple):
    root: str
    point: Path
    kind: str
    options: list[str]

    def directory(self, group: str) -> Path:
        """Where a group of `/proc/self/cgroup` is under this mount, which in a container may show a part only."""
        inside = group.removeprefix(self.root) if self.root != "/" else group
        return self.point / inside.lstrip("/")


def _cgroup_mounts(mounts: str) -> list[_Mount]:
    """The control group file systems in a mountinfo text."""
    found = []
    for line in mounts.splitlines():
        left, _, right = line.partition(" - ")
        fields, kinds = left.split(), right.split()
        if len(fields) > 4 and kinds and kinds[0] in ("cgroup", "cgroup2"):
            found.append(_Mount(fields[3], Path(fields[4]), kinds[0], kinds[-1].split(",")))
    return found


def _accepts(group: Path) -> bool:
    return group.is_dir() and os.access(group, os.W_OK) and os.access(group / "cgroup.procs", os.W_OK)
