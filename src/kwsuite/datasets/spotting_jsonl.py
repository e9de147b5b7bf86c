"""The JSONL of annotated spans: `doc_id`, `text`, `annotations[{span_start, span_end, problem_type, description}]`."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.spotting import LoadedDocument, Problem, SpottingDocument
from kwsuite.datasets.strict_yaml import MAX_BYTES, Document, Key, load_model
from kwsuite.matching.normalised import is_cjk
from kwsuite.matching.problem_types import PROBLEM_TYPES, Language, ProblemType, read_type

_MODEL = ConfigDict(frozen=True, extra="forbid")


class Annotation(BaseModel):
    """One problem by offsets."""

    model_config = _MODEL

    span_start: int = Field(ge=0, strict=True)
    """First code point, from 0."""
    span_end: int = Field(ge=1, strict=True)
    """One past the last code point."""
    problem_type: str = Field(min_length=1)
    """One of the six types, by name or in common wording of either language."""
    description: str = Field(min_length=1)
    """What is wrong."""
    quote: str | None = None
    """The words at the span, if the file carries them: offsets that count bytes or UTF-16 are then noticed."""


class Row(BaseModel):
    """One line."""

    model_config = _MODEL

    doc_id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    """Name, unique in the dataset."""
    text: str = Field(min_length=1)
    """The document."""
    annotations: tuple[Annotation, ...]
    """Its problems; empty for a clean document."""
    language: Language | None = None
    """Language; told from the text where it is missing."""
    domain: str = Field(default="other", pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")
    """Kind of document."""


def read_jsonl(path: Path) -> tuple[LoadedDocument, ...]:
    """Read documents, one a line; blank lines are passed over.

    Raises:
        DataError: Lists every fault with file and line.
    """
    try:
        raw = path.read_bytes()
        lines = raw.decode("utf-8-sig").split("\n")
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror}). Check the path and its permissions.") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
    loaded, faults = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            loaded.append(_document(_row(line, path, number), path, number))
        except DataError as error:
            faults.append(str(error))
    if not loaded and not faults:
        faults.append(f"{path}:1:1: no documents. Put one JSON object on each line.")
    if faults:
        raise DataError("\n".join(faults))
    return tuple(loaded)


def _row(line: str, path: Path, number: int) -> Row:
    if len(line) > MAX_BYTES:
        raise DataError(f"{path}:{number}:1: a line of {len(line):,} characters. Split the document.")
    try:
        data = json.loads(line, object_pairs_hook=_unique, parse_constant=_finite)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{path}:{number}:1: not JSON ({error}). Put one object on each line.") from error
    name = data.get("doc_id", "?") if isinstance(data, dict) else "?"
    return load_model(Row, Document(path, data, {(): (number, 1)}), str(name))


def _document(row: Row, path: Path, number: int) -> LoadedDocument:
    faults, problems = [], []
    for position, annotation in enumerate(row.annotations, start=1):
        place = f"{path}:{number}:1: document {row.doc_id}: annotation {position}:"
        problem = _problem(annotation, row.text)
        if isinstance(problem, str):
            faults.append(f"{place} {problem}")
        else:
            problems.append(problem)
    if faults:
        raise DataError("\n".join(faults))
    document = SpottingDocument(
        id=row.doc_id,
        language=row.language or _language(row.text),
        domain=row.domain,
        text=row.text,
        problems=tuple(problems),
    )

    def where(field: Sequence[Key]) -> str:
        return f"{path}:{number}:1"

    return LoadedDocument(document, where)


def _problem(annotation: Annotation, text: str) -> Problem | str:
    start, end = annotation.span_start, annotation.span_end
    if not start < end <= len(text):
        return f"span {start}:{end} is not inside the text of {len(text)} code points. Count code points, not bytes."
    quote = text[start:end]
    if annotation.quote is not None and annotation.quote != quote:
        return (
            f"span {start}:{end} holds {quote[:40]!r}, not {annotation.quote[:40]!r}. {_other_count(annotation, text)}"
        )
    known: ProblemType | None = read_type(annotation.problem_type)
    if known is None:
        return f"problem_type {annotation.problem_type!r} is unknown. Use one of: {', '.join(PROBLEM_TYPES)}."
    occurrence, found = 0, -1
    while found < start:
        found = text.find(quote, found + 1)
        occurrence += 1
    return Problem(quote=quote, occurrence=occurrence, type=known, description=annotation.description)


def _other_count(annotation: Annotation, text: str) -> str:
    """Say which other way of counting the offsets fit, if one does."""
    for name, encoding, width in (("bytes", "utf-8", 1), ("UTF-16 units", "utf-16-le", 2)):
        raw = text.encode(encoding)[annotation.span_start * width : annotation.span_end * width]
        if raw.decode(encoding, errors="replace") == annotation.quote:
            return f"The offsets count {name}; count code points."
    return "Mend the offsets."


def _language(text: str) -> Language:
    letters = [character for character in text if character.isalpha()]
    return "zh" if sum(map(is_cjk, letters)) * 4 > len(letters) else "en"


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    built = dict(pairs)
    if len(built) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"key {twice!r} stands twice")
    return built


def _finite(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
