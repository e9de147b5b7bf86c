"""Where gated tasks come from: what ships, or a folder."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import PROGRAMS, GatedItem, read_gated

BUNDLED = "bundled"
"""The name of the set that ships."""


@dataclass(frozen=True)
class GatedSet:
    """Tasks loaded together, ordered by id."""

    source: str
    """`bundled`, or the folder's absolute path, so that a log finds it from any directory."""
    items: tuple[GatedItem, ...]
    """At least one."""

    def digest(self) -> str:
        """Identify the set by content: 12 hex digits."""
        return hashlib.sha256("".join(item.digest() for item in self.items).encode()).hexdigest()[:12]

    def chosen(self, names: Iterable[str]) -> "GatedSet":
        """Keep the named tasks.

        Raises:
            DataError: A name is none of the set's.
        """
        wanted = list(names)
        known = [item.task.id for item in self.items]
        for name in wanted:
            if name not in known:
                raise DataError(f"there is no gated task {name!r}; there are {', '.join(known)}.")
        return GatedSet(self.source, tuple(item for item in self.items if item.task.id in wanted))


def bundled_gated_folder() -> Path:
    """Give the folder of the tasks that ship."""
    return Path(str(files("kwsuite.datasets") / "data" / "gated"))


def looks_like_gated(path: Path) -> bool:
    """Say whether a path is a task's folder, or a folder that holds one."""
    return any((folder / name).exists() for folder in task_folders(path) for name in ("artefact", *PROGRAMS))


def task_folders(folder: Path) -> list[Path]:
    """Give the folders of tasks: the folder itself, or those in it; empty if there are none."""
    return [folder] if (folder / "task.yaml").is_file() else sorted(one.parent for one in folder.glob("*/task.yaml"))


def load_gated_set(dataset: str = BUNDLED) -> GatedSet:
    """Load `bundled`, one task's folder, or a folder of such folders.

    Raises:
        DataError: Nothing is there, or a task is broken.
    """
    folder = bundled_gated_folder() if dataset == BUNDLED else Path(dataset).expanduser().resolve()
    if (folder / "task.yaml").is_file():
        return GatedSet(str(folder), (read_gated(folder),))
    found = task_folders(folder)
    if not found:
        raise DataError(
            f"{folder}: holds no gated tasks. One is a folder with a task.yaml, or a folder of such folders."
        )
    return GatedSet(BUNDLED if dataset == BUNDLED else str(folder), tuple(read_gated(path) for path in found))
