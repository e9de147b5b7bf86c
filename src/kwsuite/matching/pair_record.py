"""A pair of finding and planted problem as a log keeps it."""

import hashlib

from pydantic import BaseModel, ConfigDict, Field


class PairRecord(BaseModel):
    """A finding beside a planted problem, as a log keeps it: what was compared, and what was nearly so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    document: str
    """Id of the document."""
    language: str
    """Its language."""
    problem: str
    """The planted problem's description."""
    finding: str
    """The finding's description."""
    match: str
    """What compared them: judge, embedding or lexical."""
    similarity: float | None = Field(default=None, ge=0, le=1)
    """What it gave; None where it could not decide, or was not asked because the places are apart."""
    iou: float = Field(ge=0, le=1)
    """Agreement of the places, widened to sentences."""
    raw_iou: float | None = Field(default=None, ge=0, le=1)
    """Agreement of the places as quoted; None for a near miss, which was not compared."""
    matched: bool = False
    """Whether the two were assigned to each other."""

    @property
    def name(self) -> str:
        """Identify the pair by content: 12 hex digits."""
        text = "\x1f".join((self.document, self.problem, self.finding))
        return hashlib.sha256(text.encode()).hexdigest()[:12]
