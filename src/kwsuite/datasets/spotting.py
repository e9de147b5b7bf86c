"""Documents for problem spotting: one YAML file each, or the JSONL of annotated spans."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from kwsuite.datasets.strict_yaml import DataError, Key, load_model, read_yaml
from kwsuite.matching.match import Planted
from kwsuite.matching.problem_types import Language, ProblemType
from kwsuite.matching.spans import Span

ReferenceName = Literal["expert", "surface", "null"]

SHIPPED = Path(__file__).parent / "data" / "spotting"
"""Folder of the documents that ship."""

_MODEL = ConfigDict(frozen=True, extra="forbid")
_NAME = r"^[a-z0-9][a-z0-9_-]{0,63}$"


class Passage(BaseModel):
    """A place in the text, named by its words."""

    model_config = _MODEL

    quote: str = Field(min_length=1)
    """The words, copied character by character."""
    occurrence: int = Field(default=1, ge=1, strict=True)
    """Which of the places with these words, counted from 1."""


class Problem(Passage):
    """One planted problem; `quote` and `occurrence` say where it is best named."""

    type: ProblemType
    """Its type."""
    description: str = Field(min_length=1)
    """What is wrong and why, in the document's language: what a finding has to say to match."""
    also: tuple[Passage, ...] = ()
    """Other places where naming it is equally right, such as the other end of a contradiction."""
    overlaps: bool = False
    """Whether it shares a sentence with another problem on purpose."""

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All its places, the best one first."""
        return (Passage(quote=self.quote, occurrence=self.occurrence), *self.also)


class ReferenceFinding(BaseModel):
    """A finding of a reference candidate, in the fields of a reply."""

    model_config = _MODEL

    location: str = Field(min_length=1)
    """A quote, or a reference such as "paragraph 3, sentence 2"."""
    type: str = Field(min_length=1)
    """The type as a model would write it."""
    description: str = Field(min_length=1)
    """What is wrong, in other words than the planted problem's."""


class References(BaseModel):
    """What the three reference candidates answer."""

    model_config = _MODEL

    expert: tuple[ReferenceFinding, ...]
    """Finds every planted problem and nothing else; empty for a clean document."""
    surface: tuple[ReferenceFinding, ...]
    """The obvious problems and some false alarms."""
    null: str
    """A reply of no substance that lists nothing, as prose."""


class SpottingDocument(BaseModel):
    """A document with its planted problems."""

    model_config = _MODEL

    id: str = Field(pattern=_NAME)
    """Name, unique in the dataset; also the file's name."""
    language: Language
    """Language of text and descriptions."""
    domain: str = Field(pattern=_NAME)
    """Kind of document, such as contract, report, paper, manual, minutes or code_review."""
    text: str = Field(min_length=1)
    """The document as the candidate sees it. All offsets are code points of this string."""
    problems: tuple[Problem, ...]
    """The planted problems; an empty list for a clean document."""
    reference: References | None = None
    """Answers of the reference candidates; None where a team brings none."""

    @field_validator("text")
    @classmethod
    def _not_blank(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("the document has no text")
        return text

    @property
    def clean(self) -> bool:
        """Whether nothing is planted."""
        return not self.problems

    def digest(self) -> str:
        """Identify what is scored against: 16 hex digits of SHA-256 over text and problems."""
        return hashlib.sha256(self.model_dump_json(include={"text", "problems"}).encode()).hexdigest()[:16]

    def planted(self) -> tuple[Planted, ...]:
        """Give the problems with their spans, named p1, p2 and so on in the order of the file.

        Raises:
            DataError: A quote is not in the text so often as its occurrence says.
        """
        return tuple(
            Planted(
                id=f"p{number}",
                type=problem.type,
                description=problem.description,
                spans=tuple(span_of(passage, self.text) for passage in problem.passages),
            )
            for number, problem in enumerate(self.problems, start=1)
        )


@dataclass(frozen=True)
class LoadedDocument:
    """A document with the way back to its source."""

    document: SpottingDocument
    """The document."""
    where: Callable[[Sequence[Key]], str]
    """Gives `file:line:column` of a field, such as `("problems", 0, "quote")`."""


def load_documents(path: Path) -> tuple[SpottingDocument, ...]:
    """Load the documents of a file (.yaml, .jsonl) or of every such file in a folder, by name.

    Raises:
        DataError: Lists every fault with file and line: not readable, unknown fields or types, a quote or offset that
            is not in the text, an id that stands twice, no documents at all.
    """
    loaded = [one for file in files_of(path) for one in read_file(file)]
    faults = [fault for one in loaded for fault in quote_faults(one)]
    seen: dict[str, str] = {}
    for one in loaded:
        place = one.where(("id",))
        if one.document.id in seen:
            faults.append(f"{place}: document {one.document.id} stands twice, first at {seen[one.document.id]}.")
        seen.setdefault(one.document.id, place)
    if faults:
        raise DataError("\n".join(faults))
    return tuple(one.document for one in loaded)


def files_of(path: Path) -> tuple[Path, ...]:
    """Give the document files at a path, sorted by name.

    Raises:
        DataError: There are none.
    """
    kinds = (".yaml", ".yml", ".jsonl")
    files = sorted(file for file in path.iterdir() if file.suffix in kinds) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path}: no documents here. Put .yaml or .jsonl files into the folder.")
    return tuple(files)


def read_file(path: Path) -> tuple[LoadedDocument, ...]:
    """Read one file without looking for its quotes in the text.

    Raises:
        DataError: See `load_documents`.
    """
    if path.suffix == ".jsonl":
        # Imported here because the JSONL reader builds these models.
        from kwsuite.datasets.spotting_jsonl import read_jsonl  # noqa: PLC0415

        return read_jsonl(path)
    source = read_yaml(path)
    document = load_model(SpottingDocument, source, path.stem)
    if document.id != path.stem:
        raise DataError(f"{source.where(('id',))}: id {document.id!r} in a file named {path.name}. Make them the same.")
    return (LoadedDocument(document, source.where),)


def quote_faults(loaded: LoadedDocument) -> list[str]:
    """List the quotes that are not in the text, or not so often, one line each with its place."""
    faults = []
    for number, problem in enumerate(loaded.document.problems):
        for position, passage in enumerate(problem.passages):
            field = ("problems", number, "also", position - 1) if position else ("problems", number, "quote")
            try:
                span_of(passage, loaded.document.text)
            except DataError as error:
                faults.append(f"{loaded.where(field)}: document {loaded.document.id}: problem p{number + 1}: {error}")
    return faults


def span_of(passage: Passage, text: str) -> Span:
    """Find the span of a passage, in code points.

    Raises:
        DataError: The text does not hold the quote, or not so often.
    """
    start, count = -1, 0
    for _ in range(passage.occurrence):
        start = text.find(passage.quote, start + 1)
        if start < 0:
            break
        count += 1
    if start >= 0:
        return Span(start, start + len(passage.quote))
    shown = passage.quote if len(passage.quote) <= 60 else passage.quote[:57] + "..."
    if count == 0:
        raise DataError(f"quote {shown!r} is not in the text. Copy it from there character by character.")
    raise DataError(
        f"quote {shown!r} is in the text {count} time{'s' * (count > 1)}, not {passage.occurrence}. Mend `occurrence`."
    )
