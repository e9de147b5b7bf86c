"""Where scenarios come from: the bundle, a file, or a folder of files."""

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.worlds import WorldItem, load_worlds

BUNDLED = "bundled"
"""The name of the set that ships."""


@dataclass(frozen=True)
class WorldSet:
    """Scenarios loaded together, ids unique."""

    source: str
    """`bundled`, or the name of a folder or file."""
    items: tuple[WorldItem, ...]
    """At least one, ordered by id."""

    def digest(self) -> str:
        """Identify the set by content: 12 hex digits of SHA-256 over every scenario as written, comments left out."""
        sha = hashlib.sha256()
        for item in self.items:
            sha.update(json.dumps(item.document.data, sort_keys=True, ensure_ascii=False).encode())
        return sha.hexdigest()[:12]


def bundled_world_folder() -> Path:
    """Give the folder of the scenarios that ship with the package."""
    return Path(str(files("kwsuite.datasets") / "data" / "worlds"))


def load_world_set(dataset: str = BUNDLED) -> WorldSet:
    """Load a set of scenarios.

    Args:
        dataset: `bundled`, a path to a scenario's file, or a path to a folder of such files.

    Raises:
        DataError: Nothing is there, a scenario is broken, or two share an id.
    """
    if not isinstance(dataset, str) or not dataset.strip():
        raise DataError(f"dataset is {dataset!r}. Use {BUNDLED!r}, a scenario's file, or a folder of them.")
    if dataset == BUNDLED:
        return WorldSet(BUNDLED, load_worlds(world_files(bundled_world_folder())))
    path = Path(dataset).expanduser()
    if not path.exists():
        raise DataError(
            f"dataset {dataset!r}: there is no such file or folder. Use {BUNDLED!r}, a scenario's file, or a folder."
        )
    return WorldSet(path.name, load_worlds(world_files(path)))


def world_files(path: Path) -> list[Path]:
    """List the scenario files that a path stands for, in order of name.

    Raises:
        DataError: There are none.
    """
    found = [path] if path.is_file() else sorted(path.glob("*.yaml"))
    if not found:
        raise DataError(f"{path}: holds no scenarios. A scenario is one .yaml file; kwsuite new world NAME writes one.")
    return found
