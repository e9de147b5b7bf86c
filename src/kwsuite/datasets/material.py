"""Reference files and deliverables as text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Literal, assert_never

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.file_fault import FileFault
from kwsuite.datasets.pdf import pdf_text
from kwsuite.datasets.regular_file import read_inside
from kwsuite.datasets.word import word_text
from kwsuite.datasets.workbook import workbook_text

MAX_FILE = 20_000_000
"""Largest file that is read, in bytes."""

MAX_CHARACTERS = 2_000_000
"""Longest text of one file; a longer one is refused, because nothing is ever cut."""

Kind = Literal["md", "txt", "csv", "tsv", "json", "yaml", "xlsx", "docx", "pdf"]

_SUFFIXES: dict[Kind, str] = {
    "md": ".md .markdown",
    "txt": ".txt .log .toml .ini .cfg .jsonl .xml .html .tex .sql .py",
    "csv": ".csv",
    "tsv": ".tsv",
    "json": ".json",
    "yaml": ".yaml .yml",
    "xlsx": ".xlsx .xlsm",
    "docx": ".docx",
    "pdf": ".pdf",
}
_KINDS = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}


@dataclass(frozen=True)
class Material:
    """A file as a candidate or a grader is shown it.

    Attributes:
        name: The file's path as the item, or the candidate, names it.
        text: All of its text; never empty, never cut.
        kind: What the text was read from.
    """

    name: str
    text: str
    kind: Kind


@dataclass(frozen=True)
class Unreadable:
    """A file that a candidate produced and that cannot be read.

    Attributes:
        name: The file's path as the candidate names it.
        reason: Why it cannot be read, as the end of a sentence that starts with the name.
    """

    name: str
    reason: str


def read_material(root: Path, names: Sequence[str], item: str) -> tuple[Material, ...]:
    """Read an item's reference files, in the order given; no names give no material.

    Args:
        root: The item's folder; nothing outside it is read.
        names: Paths of files relative to `root`, with `/`.
        item: The item's id, for errors.

    Raises:
        DataError: A file is missing, named twice, outside `root`, empty, over a size limit, of a kind that cannot be
            read, damaged or encrypted, or the extra that reads it is not installed. Names the item and the file.
    """
    materials: list[Material] = []
    for name in names:
        place = f"item {item}: reference file {name!r}"
        try:
            if PurePosixPath(name) in {PurePosixPath(material.name) for material in materials}:
                raise FileFault("is listed twice. Delete one.")
            materials.append(_read(name, read_inside(root, name, MAX_FILE), whole=True))
        except FileFault as fault:
            raise DataError(f"{place}: {fault}") from fault
        except DataError as error:
            raise DataError(f"{place}: {error}") from error
    return tuple(materials)


def read_deliverable(name: str, data: bytes) -> Material | Unreadable:
    """Read a file that a candidate produced; a fault of the file is an answer, not an error.

    Args:
        name: The file's path in the sandbox; only its suffix is used, no path is opened.
        data: The file's bytes.

    Raises:
        DataError: The extra that reads this kind of file is not installed, which is no fault of the candidate.
    """
    label = name if name.isprintable() else ascii(name)
    try:
        if len(data) > MAX_FILE:
            raise FileFault(f"{len(data):,} bytes is over the limit of {MAX_FILE:,}.")
        return _read(label, data, whole=False)
    except FileFault as fault:
        return Unreadable(label, str(fault))


def _read(name: str, data: bytes, *, whole: bool) -> Material:
    kind = _kind(name)
    if not data:
        raise FileFault("is empty. Fill it.")
    text = _reader(kind, whole)(data)
    if not text.strip():
        raise FileFault("has no text. Fill it.")
    if len(text) > MAX_CHARACTERS:
        raise FileFault(f"its text has {len(text):,} characters, over the limit of {MAX_CHARACTERS:,}. Split the file.")
    return Material(name, text, kind)


def _kind(name: str) -> Kind:
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in _KINDS:
        told = f"the suffix {suffix}" if suffix else "a name without a suffix"
        raise FileFault(f"{told} cannot be read. Save it as one of {', '.join(_KINDS)}.")
    return _KINDS[suffix]


def _reader(kind: Kind, whole: bool) -> Callable[[bytes], str]:
    match kind:
        case "md" | "txt" | "csv" | "tsv" | "json" | "yaml":
            return _plain_text
        case "xlsx":
            return workbook_text
        case "docx":
            return word_text
        case "pdf":
            return partial(pdf_text, whole=whole)
    assert_never(kind)


def _plain_text(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileFault(f"is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from error
    if "\x00" in text:
        raise FileFault(f"is not text: it has a NUL at character {text.index(chr(0))}. Save it as UTF-8 text.")
    # One line end, so that a checkout on another system shows and hashes the same.
    return text.replace("\r\n", "\n").replace("\r", "\n")
