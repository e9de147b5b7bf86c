"""The artefact of a gated task: a template over its conventions."""

import json
import re
from collections.abc import Mapping
from typing import Any

from kwsuite.datasets.data_error import DataError

_SLOT = re.compile(r"\{\{\s*([^{}]+?)\s*\}\}")


def render(template: str, values: Mapping[str, Any], place: str) -> str:
    """Fill a template.

    Args:
        template: Text with slots: `{{ id }}`, `{{ id.key }}` or `{{ id.0 }}`. A list as a whole is joined by commas.
        values: The value of each convention.
        place: The file, for errors.

    Raises:
        DataError: A slot names nothing that there is, or a whole mapping.
    """
    return _SLOT.sub(lambda slot: _text(slot[1], values, place), template)


def slots(template: str) -> set[str]:
    """Name the conventions that a template has slots for."""
    return {re.split(r"[.]", slot, maxsplit=1)[0] for slot in _SLOT.findall(template)}


def _text(slot: str, values: Mapping[str, Any], place: str) -> str:
    name, *path = slot.split(".")
    current: Any = values.get(name)
    for part in path:
        if isinstance(current, Mapping):
            current = current.get(part)
        elif isinstance(current, list) and part.isdigit() and int(part) < len(current):
            current = current[int(part)]
        else:
            current = None
    if current is None or isinstance(current, Mapping):
        raise DataError(f"{place}: slot {slot!r} names no value of the conventions. Correct it, or add the value.")
    if isinstance(current, list):
        return ", ".join(_scalar(one) for one in current)
    return _scalar(current)


def _scalar(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
