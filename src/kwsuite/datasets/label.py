"""A label: what is known of an answer that an item ships."""

from pydantic import BaseModel, ConfigDict, Field

from kwsuite.verdicts import State


class Label(BaseModel):
    """What a labeller holds one answer to be on one criterion."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: State
    """Met or not met."""
    why: str = Field(min_length=1)
    """One line that points at the answer."""
