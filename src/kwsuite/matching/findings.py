"""What a model reports about a document."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from kwsuite.matching.problem_types import ProblemType

ReplyFormat = Literal["xml", "json", "markdown"]
Refusal = Literal["no_description", "nested_too_deep", "truncated", "template_echoed", "not_an_object"]
"""Why something that was written as a finding is not one."""

_FROZEN = ConfigDict(frozen=True, extra="forbid")


class Finding(BaseModel):
    """One problem that a model reports."""

    model_config = _FROZEN

    location: str = ""
    """Where, as written: a quote, a reference such as "paragraph 3, sentence 2", or both; empty where none is given."""
    quote: str = ""
    """The quoted text, where the reply has a field of its own for it."""
    type: ProblemType | None = None
    """The type as read; None where none, an unknown or a double one was written."""
    type_text: str = ""
    """The type as written."""
    description: str = Field(min_length=1)
    """What is wrong, in the model's words."""


class Refused(BaseModel):
    """Something written as a finding that cannot be used as one. It still counts as reported."""

    model_config = _FROZEN

    reason: Refusal
    """Why it is refused."""
    text: str
    """The start of what was written, at most 300 characters."""


class Reply(BaseModel):
    """A reply as read. An empty list of findings in a readable reply is an answer: nothing found."""

    model_config = _FROZEN

    format: ReplyFormat | None
    """The format it was read in; None where the reply cannot be read."""
    findings: tuple[Finding, ...] = ()
    """What was kept, in the order of the reply."""
    refused: tuple[Refused, ...] = ()
    """What was refused, in the order of the reply."""
    truncated: bool = False
    """Whether the reply breaks off inside its list."""
    several_lists: bool = False
    """Whether it held more than one list that differ; the last that is meant as the answer was read."""

    @property
    def readable(self) -> bool:
        """Whether the reply is an answer at all."""
        return self.format is not None

    @property
    def reported(self) -> int:
        """Number of findings that count in the denominator of precision: the kept and the refused."""
        return len(self.findings) + len(self.refused)
