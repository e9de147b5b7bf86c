"""The questions that are asked of an answer."""

import hashlib
import json
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Tier = Literal["mandatory", "good_to_have", "ideal"]
Kind = Literal["extraction", "trap", "mechanism", "action", "tradeoff"]

TIERS: tuple[Tier, ...] = ("mandatory", "good_to_have", "ideal")

_FROZEN = ConfigDict(frozen=True, extra="forbid")


class Criterion(BaseModel):
    """One yes/no question about an answer."""

    model_config = _FROZEN

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    """Name, unique within its rubric."""
    text: str = Field(min_length=1)
    """The question."""
    tier: Tier = "mandatory"
    """Which part of the score it counts for."""
    kind: Kind | None = None
    """What it tests, for failure tables; None where the source does not say."""

    @field_validator("text")
    @classmethod
    def _not_blank(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("a criterion needs a question")
        return text


class Rubric(BaseModel):
    """The criteria of one item, in order."""

    model_config = _FROZEN

    criteria: tuple[Criterion, ...]
    """All criteria, ids unique, at least one of them mandatory."""
    normalise: bool = True
    """Whether the weight of a tier the rubric lacks goes to the others, so that a full answer still scores 1.

    False keeps the published code's way: the missing term is 0 and the ceiling drops.
    """

    @model_validator(mode="after")
    def _check(self) -> Self:
        seen: dict[str, int] = {}
        texts: dict[str, str] = {}
        for position, criterion in enumerate(self.criteria, start=1):
            if criterion.id in seen:
                raise ValueError(
                    f"criterion id {criterion.id!r} stands twice, at positions {seen[criterion.id]} and {position}. "
                    "Rename one."
                )
            text = " ".join(criterion.text.split()).casefold()
            if text in texts:
                raise ValueError(f"criteria {texts[text]!r} and {criterion.id!r} ask the same question. Delete one.")
            seen[criterion.id] = position
            texts[text] = criterion.id
        if not self.tier("mandatory"):
            raise ValueError("the mandatory tier is empty, so every answer would pass. Add a mandatory criterion.")
        return self

    def tier(self, tier: Tier) -> tuple[Criterion, ...]:
        """Give the criteria of one tier, in order; empty if the rubric has none."""
        return tuple(criterion for criterion in self.criteria if criterion.tier == tier)

    def digest(self) -> str:
        """Identify the rubric by content: 16 hex digits of SHA-256 over its canonical JSON."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]
