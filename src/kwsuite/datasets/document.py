"""A YAML file as plain data that still knows where everything stood."""

from collections.abc import Sequence
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
        marks: The position of every value by its place in `data`; for a field, of its key.
        raw: The spelling in the file of every plain scalar that was not read as text (`3.10`, `true`, ``).
    """

    path: Path
    data: Any
    marks: dict[tuple[Key, ...], Mark]
    raw: dict[tuple[Key, ...], str] = field(default_factory=dict)

    def where(self, location: Sequence[Key] = ()) -> str:
        """Give `file:line:column` of a value, or of its nearest ancestor that stands in the file."""
        mark = self.marks.get(self.place(location), Mark(1, 1))
        return f"{self.path}:{mark.line}:{mark.column}"

    def place(self, location: Sequence[Key]) -> tuple[Key, ...]:
        """Keep the parts of a location that stand in the file; pydantic adds names of union members to its own."""
        found: tuple[Key, ...] = ()
        for part in location:
            if (*found, part) in self.marks:
                found = (*found, part)
        return found
