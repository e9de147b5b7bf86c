"""Sheets on which people say whether two descriptions name the same problem."""

import csv
import io
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

from kwsuite.datasets.file_fault import FileFault
from kwsuite.datasets.regular_file import read_regular
from kwsuite.matching.pair_record import PairRecord

SheetLabel = Literal["same", "different"]

_COLUMNS = ("pair", "document", "language", "problem", "finding", "label", "note")
_KEY_COLUMNS = ("pair", "match", "similarity", "iou", "weight")
_MAX_BYTES = 50_000_000
_MOST_PAIRS = 1e9
_LABELS: dict[str, SheetLabel] = {
    **dict.fromkeys(("same", "yes", "y", "1", "相同", "是", "一样"), "same"),
    **dict.fromkeys(("different", "no", "n", "0", "不同", "否", "不一样"), "different"),
}


class SheetError(ValueError):
    """A sheet that cannot be used; the message says where and what to do."""


class DrawnPair(NamedTuple):
    """A pair for a sheet."""

    record: PairRecord
    """The pair."""
    weight: float
    """How many pairs of the logs it stands for, at least 1: those of its stratum for each one drawn from it."""


class LabelledPair(BaseModel):
    """A pair with a person's label."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pair: str
    """Its name."""
    language: str
    """Language of the document."""
    problem: str
    """The planted problem's description."""
    finding: str
    """The finding's description."""
    label: SheetLabel
    """What the person says."""
    recorded: float | None = None
    """What the log's own comparison gave, from the key file; None without one."""
    weight: float | None = None
    """How many pairs of the logs it stands for, from the key file; None where none says so."""


def sample_pairs(records: Sequence[PairRecord], size: int, seed: int = 0) -> list[DrawnPair]:
    """Draw pairs to label, spread over languages, outcomes and similarities, near misses included.

    Every stratum gives one pair in turn, so that rare kinds are in the sheet, far more often than in the logs; their
    weights undo that. Only seed and content decide the draw.

    Args:
        records: Pairs from logs; one that stands twice counts once.
        size: How many to draw; fewer come back where there are fewer.
        seed: Seed of the draw.
    """
    strata: dict[tuple[str, bool, bool, int], list[PairRecord]] = defaultdict(list)
    for record in sorted({record.name: record for record in records}.values(), key=lambda record: record.name):
        level = -1 if record.similarity is None else int(record.similarity * 10)
        strata[(record.language, record.matched, record.iou > 0, level)].append(record)
    draw = random.Random(seed)
    queues = [draw.sample(strata[key], len(strata[key])) for key in sorted(strata)]
    taken = [0] * len(queues)
    while sum(taken) < min(size, sum(map(len, queues))):
        for number, queue in enumerate(queues):
            if taken[number] < len(queue) and sum(taken) < size:
                taken[number] += 1
    chosen = [
        DrawnPair(record, len(queue) / count)
        for queue, count in zip(queues, taken, strict=True)
        for record in queue[:count]
    ]
    return draw.sample(chosen, len(chosen))


def key_path(sheet: Path) -> Path:
    """Give the path of the file beside a sheet that keeps what the machine said, so that labels are given blind."""
    return sheet.with_name(f"{sheet.stem}.key.csv")


def write_sheet(sheet: Path, drawn: Sequence[DrawnPair]) -> None:
    """Write a sheet to label, and its key beside it, with what the machine said and each pair's weight.

    Raises:
        SheetError: One of the files exists already, as it may hold somebody's labels; or it cannot be written.
    """
    for path in (sheet, key_path(sheet)):
        if path.exists():
            raise SheetError(f"{path}: exists already and may hold labels. Move it or name another file.")
    records = [one.record for one in drawn]
    rows = [(one.name, one.document, one.language, _safe(one.problem), _safe(one.finding), "", "") for one in records]
    keys = [
        (one.name, one.match, "" if one.similarity is None else one.similarity, one.iou, weight)
        for one, weight in drawn
    ]
    for path, columns, lines in ((sheet, _COLUMNS, rows), (key_path(sheet), _KEY_COLUMNS, keys)):
        try:
            # The byte order mark makes spreadsheet programs read Chinese right.
            with path.open("w", encoding="utf-8-sig", newline="") as file:
                csv.writer(file).writerows([columns, *lines])
        except OSError as error:
            raise SheetError(f"{path}: cannot be written ({error.strerror}). Name another file.") from error


def read_sheet(sheet: Path) -> tuple[list[LabelledPair], int]:
    """Read a labelled sheet, with the machine's answers if its key file is there.

    Returns:
        The labelled pairs, and the number of rows without a label.

    Raises:
        SheetError: A column is missing, the key mixes ways of matching, or a label is not known.
    """
    rows = _rows(sheet, ("problem", "finding", "label"))
    key: dict[str, dict[str, str]] = {}
    if key_path(sheet).exists():
        keys = [row for _, row in _rows(key_path(sheet), ("pair", "match", "similarity"))]
        methods = sorted({row["match"] for row in keys})
        if len(methods) > 1:
            raise SheetError(
                f"{key_path(sheet)}: mixes {' and '.join(methods)}. Sample the logs of one way of matching."
            )
        key = {row["pair"]: row for row in keys}
    pairs, empty = [], 0
    for line, row in rows:
        written = row["label"].strip().casefold()
        if not written:
            empty += 1
            continue
        if written not in _LABELS:
            raise SheetError(f"{sheet}:{line}: label {row['label']!r} is unknown. Write same or different.")
        name = row.get("pair") or f"row {line}"
        pairs.append(
            LabelledPair(
                pair=name,
                language=row.get("language") or "",
                problem=_plain(row["problem"]),
                finding=_plain(row["finding"]),
                label=_LABELS[written],
                recorded=_number(key.get(name, {}), "similarity", key_path(sheet), most=1),
                weight=_number(key.get(name, {}), "weight", key_path(sheet), most=_MOST_PAIRS),
            )
        )
    return pairs, empty


def _rows(path: Path, needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    try:
        text = read_regular(path, _MAX_BYTES).decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
        rows = [(reader.line_num, {k: v for k, v in row.items() if isinstance(v, str)}) for row in reader]
        columns = reader.fieldnames or []
    except FileFault as fault:
        raise SheetError(f"{path}: {fault}") from fault
    except (UnicodeDecodeError, csv.Error) as error:
        raise SheetError(f"{path}: cannot be read ({error}). Save it as CSV in UTF-8.") from error
    missing = [column for column in needed if column not in columns]
    if missing:
        raise SheetError(f"{path}:1: column {', '.join(missing)} is missing. Keep the header of the sheet as written.")
    twice = [column for column in dict.fromkeys(columns) if column and columns.count(column) > 1]
    if twice:
        raise SheetError(f"{path}:1: column {', '.join(twice)} stands twice. Delete one.")
    return rows


def _number(row: Mapping[str, str], column: str, path: Path, most: float) -> float | None:
    text = row.get(column, "")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError as error:
        raise SheetError(f"{path}: {column} {text!r} is not a number. Write the sheet again.") from error
    # NaN fails the comparison too.
    if not 0 <= number <= most:
        raise SheetError(f"{path}: {column} {text!r} is not between 0 and {most:g}. Write the sheet again.")
    return number


def _safe(text: str) -> str:
    # A model's text that opens like a formula would be run by a spreadsheet program.
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _plain(text: str) -> str:
    return text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@", "\t", "\r") else text
