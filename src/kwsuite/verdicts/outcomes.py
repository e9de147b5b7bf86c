"""What one criterion came to."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

State = Literal["met", "not_met"]
Reason = Literal[
    "parse_failure",
    "ambiguous",
    "truncated",
    "refusal",
    "missing",
    "out_of_range",
    "grader_error",
    "no_majority",
    "abstained",
    "skipped",
]
"""Why a criterion has no verdict. All of them describe the grader, never the candidate."""

_FROZEN = ConfigDict(frozen=True, extra="forbid")


class Verdict(BaseModel):
    """A criterion that was decided."""

    model_config = _FROZEN

    state: State
    """Whether the answer meets the criterion."""
    rationale: str = ""
    """Why, in the words of the source."""
    source: str = "judge"
    """What decided: judge, check, verifier, matcher."""
    grader: str | None = None
    """The judging model; None where no model judged."""
    attempts: int = Field(default=1, ge=1)
    """Calls it took, the first included."""
    votes: tuple[str, ...] = ()
    """State or reason of each panel member in panel order; empty without a panel."""


class Unscored(BaseModel):
    """A criterion that nobody decided. It is neither verdict, and no default turns it into one."""

    model_config = _FROZEN

    reason: Reason
    """Why there is no verdict."""
    rationale: str = ""
    """What was seen instead: the raw reply, or the error."""
    source: str = "judge"
    """What should have decided."""
    grader: str | None = None
    """The judging model; None where no model judged."""
    attempts: int = Field(default=1, ge=0)
    """Calls that were made; 0 for a skipped criterion."""
    votes: tuple[str, ...] = ()
    """State or reason of each panel member in panel order; empty without a panel."""


Outcome = Verdict | Unscored


def state_of(outcome: Outcome) -> str:
    """Give `met`, `not_met`, or `unscored:<reason>`: the one word that summaries store."""
    return outcome.state if isinstance(outcome, Verdict) else f"unscored:{outcome.reason}"
