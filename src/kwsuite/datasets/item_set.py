"""Where kwbench items come from: the bundle, a folder, a JSONL file, or the Hub."""

import hashlib
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document, Mark
from kwsuite.datasets.hub import fetch_snapshot
from kwsuite.datasets.kwbench import KwbenchItem
from kwsuite.datasets.material import Material, read_material
from kwsuite.datasets.strict_json import parse_json
from kwsuite.datasets.strict_yaml import load_model, read_yaml

logger = logging.getLogger(__name__)

BUNDLED = "bundled"
"""The name of the set that ships."""

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*(@[\w.-]+)?")
_ROW_ALIASES = {"artifact_paths": "outputs"}


@dataclass(frozen=True)
class LoadedItem:
    """An item with its material read."""

    item: KwbenchItem
    """The item."""
    material: tuple[Material, ...]
    """Its reference files as text, in the item's order; empty if it has none."""
    folder: Path | None
    """The authored folder; None for a row of a JSONL file."""


@dataclass(frozen=True)
class ItemSet:
    """Items loaded together, ids unique."""

    source: str
    """`bundled`, the name of a folder or file, or a Hub id."""
    revision: str | None
    """The commit of a Hub set; None elsewhere."""
    items: tuple[LoadedItem, ...]
    """At least one, ordered by id for folders and as published for rows."""

    def digest(self) -> str:
        """Identify the set by content: 12 hex digits of SHA-256 over every item and its material."""
        sha = hashlib.sha256()
        for loaded in self.items:
            sha.update(loaded.item.model_dump_json().encode())
            for part in loaded.material:
                sha.update(f"\0{part.name}\0{part.text}".encode())
        return sha.hexdigest()[:12]


def bundled_folder() -> Path:
    """Give the folder of the items that ship with the package."""
    return Path(str(files("kwsuite.datasets") / "data" / "kwbench"))


def load_items(dataset: str = BUNDLED) -> ItemSet:
    """Load a set of items.

    Args:
        dataset: `bundled`; a path to an item's folder, to a folder of such folders, to a `.jsonl` file in the published
            format or to a folder with a `dataset.jsonl`; or a Hub id `owner/name`, optionally `owner/name@revision`.

    Raises:
        DataError: Nothing is there, an item is broken, or two share an id.
    """
    if not isinstance(dataset, str) or not dataset.strip():
        raise DataError(f"dataset is {dataset!r}. Use {BUNDLED!r}, a path, or a Hub id.")
    if dataset == BUNDLED:
        return _unique(ItemSet(BUNDLED, None, _authored(bundled_folder())))
    path = Path(dataset).expanduser()
    if path.is_dir() and (path / "dataset.jsonl").is_file():
        return _unique(ItemSet(path.name, None, _rows(path / "dataset.jsonl")))
    if path.is_dir():
        return _unique(ItemSet(path.name, None, _authored(path)))
    if path.is_file():
        if path.suffix != ".jsonl":
            raise DataError(f"{path}: not a dataset. Give a .jsonl file, an item's folder, or a folder of items.")
        return _unique(ItemSet(path.name, None, _rows(path)))
    if _HUB_ID.fullmatch(dataset):
        name, _, revision = dataset.partition("@")
        snapshot = fetch_snapshot(name, revision or None)
        return _unique(ItemSet(name, snapshot.revision, _rows(snapshot.folder / "dataset.jsonl")))
    raise DataError(
        f"dataset {dataset!r}: there is no such file or folder, and it is not a Hub id (owner/name). "
        f"Use {BUNDLED!r}, a path, or a Hub id."
    )


def read_item(folder: Path) -> LoadedItem:
    """Read one authored item from its folder.

    Raises:
        DataError: `task.yaml` or a reference file is missing or broken, or the id is not the folder's name.
    """
    document = read_yaml(folder / "task.yaml")
    item = load_model(KwbenchItem, document, folder.name)
    if item.id != folder.resolve().name:
        raise DataError(
            f"{document.where(('id',))}: item {item.id}: id differs from its folder {folder.name!r}. Rename one."
        )
    return LoadedItem(item, read_material(folder, item.reference_files or (), item.id), folder)


def _authored(folder: Path) -> tuple[LoadedItem, ...]:
    if (folder / "task.yaml").is_file():
        return (read_item(folder),)
    found = sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith((".", "_")))
    if not found:
        raise DataError(f"{folder}: holds no items. An item is a folder with a task.yaml.")
    return tuple(read_item(child) for child in found)


def _rows(path: Path) -> tuple[LoadedItem, ...]:
    loaded: list[LoadedItem] = []
    # Only \n ends a row: str.splitlines would also break inside a row at U+2028 and its like.
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            loaded.append(_row(line, path, number))
    if not loaded:
        raise DataError(f"{path}: holds no rows.")
    return tuple(loaded)


def _row(line: str, path: Path, number: int) -> LoadedItem:
    try:
        row = parse_json(line)
    except ValueError as error:
        raise DataError(f"{path}:{number}:1: not a JSON row ({error}).") from error
    if not isinstance(row, dict):
        raise DataError(f"{path}:{number}:1: a row must be a JSON object.")
    fields = _published_fields(row, f"{path}:{number}:1")
    document = Document(path, fields, {(): Mark(number, 1)})
    item = load_model(KwbenchItem, document, str(row.get("id", f"row {number}")))
    names = tuple(_published_name(path.parent, name) for name in item.reference_files or ())
    return LoadedItem(item, read_material(path.parent, names, item.id), None)


def _published_fields(row: dict[str, Any], place: str) -> dict[str, Any]:
    """Keep what we know, move fields we do not know into the metadata (with a warning), and drop the nulls."""
    for alias, name in _ROW_ALIASES.items():
        if row.get(alias) is not None and row.get(name) is not None:
            raise DataError(f"{place}: item {row.get('id')}: {alias} and {name} say the same thing. Delete one.")
    named = {_ROW_ALIASES.get(key, key): value for key, value in row.items() if value is not None}
    known = {key: value for key, value in named.items() if key in KwbenchItem.model_fields}
    unknown = {key: value for key, value in named.items() if key not in KwbenchItem.model_fields}
    if unknown:
        logger.warning(f"{place}: fields kept as metadata only, for they are not known: {', '.join(sorted(unknown))}")
        notes = known.get("metadata", {})
        if not isinstance(notes, dict):
            raise DataError(f"{place}: item {row.get('id')}: metadata: must be an object. Put it under a key of one.")
        known["metadata"] = {**notes, "unknown_fields": unknown}
    return {"normalise": False, **known}


def _published_name(root: Path, name: str) -> str:
    """Published rows name a file relative to the repository or to its `reference_files` folder."""
    inner = f"reference_files/{name}"
    try:
        return inner if not (root / name).exists() and (root / inner).exists() else name
    except (OSError, ValueError):  # a name that no file can have; reading it says so
        return name


def _unique(items: ItemSet) -> ItemSet:
    seen: set[str] = set()
    for loaded in _all(items):
        if loaded.id in seen:
            raise DataError(f"{items.source}: two items have the id {loaded.id!r}. Rename one.")
        seen.add(loaded.id)
    return items


def _all(items: ItemSet) -> Iterable[KwbenchItem]:
    return (loaded.item for loaded in items.items)
