"""One strict reader of JSON: what it gives can be written back, and no key is lost."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document, Key
from kwsuite.datasets.strict_yaml import parse_yaml, read_text, read_yaml

_MAX_DEPTH = 64
_TOO_DEEP = f"objects and lists stand in one another more than {_MAX_DEPTH} deep"


def read_yaml_or_json(path: Path) -> Document:
    """Read a file as its suffix says: `.json` as JSON, all else as YAML (see `read_yaml`).

    Raises:
        DataError: The file cannot be read, or is not what its suffix says.
    """
    if path.suffix.lower() != ".json":
        return read_yaml(path)
    text = read_text(path)
    try:
        data = parse_json(text)
    except json.JSONDecodeError as error:
        place = f"{path}:{error.lineno}:{error.colno}"
        raise DataError(f"{place}: not JSON ({error.msg}). Correct it, or name the file .yaml.") from error
    except ValueError as error:
        raise DataError(f"{path}: {error}.") from error
    return Document(path, data, _marks(text, path, data))


def parse_json(text: str) -> Any:
    """Parse JSON that can be written back.

    Raises:
        ValueError: It is no JSON (a `JSONDecodeError` then), a key stands twice, a text holds half a surrogate pair, or
            values stand in one another too deep.
    """
    try:
        data = json.loads(text, object_pairs_hook=_no_repeated_key)
    except RecursionError as error:
        raise ValueError(_TOO_DEEP) from error
    if fault := _unusual(data):
        raise ValueError(fault)
    return data


def _unusual(value: Any, depth: int = 1) -> str | None:
    if isinstance(value, str):
        return "text holds half a surrogate pair" if any("\ud800" <= char <= "\udfff" for char in value) else None
    if not isinstance(value, dict | list):
        return None
    if depth > _MAX_DEPTH:
        return _TOO_DEEP
    parts = [*value, *value.values()] if isinstance(value, dict) else value
    return next((fault for part in parts if (fault := _unusual(part, depth + 1))), None)


def _no_repeated_key(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"key {key!r} stands twice")
    return dict(pairs)


def _marks(text: str, path: Path, data: Any) -> Mapping[tuple[Key, ...], tuple[int, int]]:
    """Place the values by reading the text as YAML, of which most JSON is a part; no marks where it is none."""
    try:
        read = parse_yaml(text, path)
    except DataError:
        return {}
    return read.marks if read.data == data else {}
