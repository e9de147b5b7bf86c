"""A YAML file as plain data that still knows where everything stood."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

Key = str | int


class Mark(NamedTuple):
    """A position in a file, both numbers counted from 1."""

    line: int
    column: int


@dataclass(frozen=True)
class Document:
    """A YAML file as plain data, with the position of every value.

    Attributes:
        path: The file, as the reader was given it.
        data: Dicts with text keys, lists, text, finite numbers, booleans and None: JSON-safe.
        marks: The line and column of values by their place in `data`; for a field, of its key. A reader of JSON lines
            knows the root's only.
        raw: The spelling in the file of every plain scalar that was not read as text (`3.10`, `true`, ``).
    """

    path: Path
    data: Any
    marks: Mapping[tuple[Key, ...], tuple[int, int]]
    raw: Mapping[tuple[Key, ...], str] = field(default_factory=dict)

    def where(self, location: Sequence[Key] = ()) -> str:
        """Give `file:line:column` of a value, or of its nearest ancestor whose position is known."""
        line, column = self.mark(location)
        return f"{self.path}:{line}:{column}"

    def mark(self, location: Sequence[Key] = ()) -> Mark:
        """Give the position that `where` tells."""
        key = self.place(location)
        while key and key not in self.marks:
            key = key[:-1]
        return Mark(*self.marks.get(key, (1, 1)))

    def place(self, location: Sequence[Key]) -> tuple[Key, ...]:
        """Keep the parts of a location that are in the data; pydantic adds names of union members to its own."""
        found: list[Key] = []
        value = self.data
        for part in location:
            is_key = isinstance(value, dict) and part in value
            if is_key or (isinstance(value, list) and isinstance(part, int) and part < len(value)):
                value = value[part]
                found.append(part)
        return tuple(found)
