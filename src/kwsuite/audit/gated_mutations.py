"""Changes to a right deliverable: harmless ones, which a verifier must accept, and faults, which it must reject."""

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, NamedTuple


class Mutation(NamedTuple):
    """One changed file."""

    name: str
    """What was done."""
    data: bytes
    """The file after it."""


def harmless(path: str, data: bytes) -> Iterator[Mutation]:
    """Change how a file is written and not what it says."""
    text = data.decode()
    yield Mutation("byte order mark", b"\xef\xbb\xbf" + data)
    yield Mutation("CRLF line ends", text.replace("\n", "\r\n").encode())
    yield Mutation("no final newline", text.rstrip("\n").encode())
    if path.endswith(".csv"):
        header, *rows = _rows(text)
        turned = [list(reversed(row)) for row in (header, *rows)]
        yield Mutation("columns in another order", _csv(turned))
        yield Mutation("spaces around cells", _csv([[f" {cell} " for cell in row] for row in (header, *rows)]))
    if path.endswith(".json"):
        value = json.loads(text)
        yield Mutation("keys in another order", json.dumps(_turned(value)).encode())
        yield Mutation("indented otherwise", json.dumps(value, indent=7, ensure_ascii=False).encode())


def faulty(path: str, data: bytes) -> Iterator[Mutation]:
    """Break a file in one way each."""
    yield Mutation("empty", b"")
    yield Mutation("not UTF-8", b"\xff\xfe\x00" + data)
    if path.endswith(".csv"):
        yield from _faulty_table(_rows(data.decode()))
    if path.endswith(".json"):
        yield from _faulty_json(json.loads(data))


def _faulty_table(table: list[list[str]]) -> Iterator[Mutation]:
    header, *rows = table
    yield Mutation("header only", _csv([header]))
    yield Mutation("last row missing", _csv([header, *rows[:-1]]))
    yield Mutation("first row twice", _csv([header, rows[0], *rows]))
    yield Mutation("unknown row", _csv([header, *rows, ["X-unknown", *rows[-1][1:]]]))
    yield Mutation("rows reversed", _csv([header, *reversed(rows)]))
    yield Mutation("column renamed", _csv([[f"{header[0]}_", *header[1:]], *rows]))
    yield Mutation("column missing", _csv([row[:-1] for row in table]))
    yield Mutation("cell too many", _csv([header, [*rows[0], "0"], *rows[1:]]))
    for column, title in enumerate(header):
        at = next((number for number, row in enumerate(rows) if _is_number(row[column])), None)
        if at is None:
            continue
        for what, cell in (("text", "n/a"), ("NaN", "nan"), ("blank", ""), ("off by one", _bumped(rows[at][column]))):
            changed = [list(row) for row in rows]
            changed[at][column] = cell
            yield Mutation(f"{title}: {what}", _csv([header, *changed]))


def _faulty_json(value: Any) -> Iterator[Mutation]:
    yield Mutation("cut off", json.dumps(value).encode()[:-2])
    yield Mutation("null", b"null")
    yield Mutation("wrapped in a list", json.dumps([value]).encode())
    if isinstance(value, list) and len(value) > 1:
        yield Mutation("last entry missing", json.dumps(value[:-1]).encode())
        yield Mutation("first entry twice", json.dumps([value[0], *value]).encode())
        yield Mutation("entries reversed", json.dumps(value[::-1]).encode())
    record = value[0] if isinstance(value, list) and value else value
    if not isinstance(record, dict):
        return
    for key, held in record.items():
        if isinstance(held, bool) or not isinstance(held, int | float):
            continue
        wrong = (
            ("text", json.dumps(str(held))),
            ("flag", "true"),
            ("NaN", "NaN"),
            ("off by one", json.dumps(held + 1)),
        )
        for what, spelt in wrong:
            changed = json.dumps(
                [{**record, key: "@@"}, *value[1:]] if isinstance(value, list) else {**record, key: "@@"}
            )
            yield Mutation(f"{key}: {what}", changed.replace('"@@"', spelt).encode())


def _turned(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _turned(value[key]) for key in reversed(value)}
    return [_turned(one) for one in value] if isinstance(value, list) else value


def _rows(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def _csv(rows: list[list[str]]) -> bytes:
    made = io.StringIO()
    csv.writer(made, lineterminator="\n").writerows(rows)
    return made.getvalue().encode()


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _bumped(cell: str) -> str:
    """Add one, written with as many decimals."""
    decimals = len(cell.partition(".")[2])
    return f"{float(cell) + 1:.{decimals}f}"
