"""Reading what a candidate delivered: tolerant of harmless formatting, strict about what it says."""

import csv
import io
import json
from typing import Any


class Unreadable(Exception):
    """An output that is not what it should be; the message says what is wrong with it."""


def plain_text(data: bytes) -> str:
    """Decode UTF-8, without a byte order mark and with a single line feed for every line end.

    Raises:
        Unreadable: It is not UTF-8.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not UTF-8 (byte {error.start})") from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(data: bytes) -> Any:
    """Parse JSON; numbers that JSON does not have and keys that stand twice are refused.

    Raises:
        Unreadable: It is not JSON.
    """
    try:
        return json.loads(plain_text(data), parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not JSON ({error})") from error


def read_table(data: bytes, columns: tuple[str, ...]) -> list[dict[str, str]]:
    """Parse CSV with a header; spaces around cells, blank lines at the end and the order of columns do not matter.

    Returns:
        A row per line, in order, with exactly `columns` as keys; empty for a header alone.

    Raises:
        Unreadable: A column is missing, stands twice or is not asked for, or a row has another number of cells.
    """
    try:
        lines = [
            row for row in csv.reader(io.StringIO(plain_text(data)), strict=True) if any(cell.strip() for cell in row)
        ]
    except csv.Error as error:
        raise Unreadable(f"is not CSV ({error})") from error
    if not lines:
        raise Unreadable("is empty")
    header = [cell.strip() for cell in lines[0]]
    if sorted(header) != sorted(columns):
        raise Unreadable(f"has the columns {', '.join(header)} instead of {', '.join(columns)}")
    rows = []
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(header):
            raise Unreadable(f"row {number} has {len(line)} cells instead of {len(header)}")
        rows.append({name: cell.strip() for name, cell in zip(header, line, strict=True)})
    return rows


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built: dict[str, Any] = {}
    for key, value in pairs:
        if key in built:
            raise ValueError(f"key {key!r} stands twice")
        built[key] = value
    return built
