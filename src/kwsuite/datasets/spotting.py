"""Documents for problem spotting, with their planted problems and reference answers."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Key
from kwsuite.matching.match import Planted
from kwsuite.matching.problem_types import Language, ProblemType
from kwsuite.matching.spans import Span

ReferenceName = Literal["expert", "surface", "null"]

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
