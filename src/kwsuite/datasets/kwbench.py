"""One kwbench item: the fields of the public dataset, and ours beside them."""

from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from kwsuite.verdicts import TIERS, Criterion, Kind, Rubric, Tier

Polarity = Literal["positive", "neighbour"]
Framing = Literal["cold", "hinted", "specified"]

CATEGORIES = (
    "signalling",
    "principal_agent",
    "mechanism_design",
    "coalitional_dynamics",
    "strategic_interdependence",
    "strategic_omission",
)
"""The six patterns of the paper, as the bundled items name them."""

_FROZEN = ConfigDict(frozen=True, extra="forbid")
_LETTERS: dict[Tier, str] = {"mandatory": "m", "good_to_have": "g", "ideal": "i"}


class ToolConfig(BaseModel):
    """Tools that an item allows."""

    model_config = _FROZEN

    enable_search: bool = False
    """Web search."""
    enable_bash: bool = False
    """A shell in the sandbox."""
    enable_code: bool = False
    """Python in the sandbox."""


class AuthoredCriterion(BaseModel):
    """A criterion written as an object; a plain string is one without kind and with a positional id."""

    model_config = _FROZEN

    id: str | None = None
    """Name; None takes the tier's letter and the position, as in m1."""
    text: str
    """The question."""
    kind: Kind | None = None
    """What it tests."""


class TieredRubric(BaseModel):
    """The rubric as authored: three lists."""

    model_config = _FROZEN

    mandatory: tuple[str | AuthoredCriterion, ...] = Field(min_length=1)
    """The gate."""
    good_to_have: tuple[str | AuthoredCriterion, ...] = ()
    """Weight 0.35."""
    ideal: tuple[str | AuthoredCriterion, ...] = ()
    """Weight 0.25."""


class Framings(BaseModel):
    """Sentences that may be added to the task, from a hint to the whole problem."""

    model_config = _FROZEN

    hinted: str = Field(min_length=1)
    """Points where to look."""
    specified: str = Field(min_length=1)
    """Names the issue."""


class KwbenchItem(BaseModel):
    """One task of the benchmark."""

    model_config = _FROZEN

    id: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$")
    """Name, unique in its set; for an authored item the name of its folder."""
    task: str = Field(min_length=1)
    """What the requester writes; phrased as a deliverable."""
    config: ToolConfig = ToolConfig()
    """Tools it allows."""
    rubric: TieredRubric
    """Criteria by tier."""
    reference_files: tuple[str, ...] | None = None
    """Paths of the material, relative to the item's folder, in the order shown."""
    ground_truth: str | None = None
    """The expert's reasoning; never shown to the candidate."""
    category: str = "uncategorised"
    """The pattern or domain that results are grouped by."""
    subcategory: str | None = None
    """Skill or domain within the category."""
    intent: str | None = None
    """What the item tests; never shown."""
    metadata: dict[str, Any] = {}
    """The author's notes; never shown."""
    output_dir: str | None = None
    """Where the published harness expects files; kept, not used."""
    source: str | None = None
    """Where the item came from."""
    outputs: tuple[str, ...] = ()
    """Files the candidate must produce in its sandbox; empty when the last message is the answer."""
    polarity: Polarity = "positive"
    """Whether something is to be recognised, or a plain answer is right."""
    neighbour_of: str | None = None
    """For a neighbour, the positive item whose surface it shares."""
    framings: Framings | None = None
    """Sentences for the hinted and specified framings."""
    concept: str | None = None
    """A question that tests whether the idea is known at all, without the case."""
    hidden_words: tuple[str, ...] = ()
    """Words that would give this item's reading away in the task."""
    normalise: bool = True
    """Whether the weight of a missing tier goes to the others; False for the published rows."""

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.polarity == "neighbour") != (self.neighbour_of is not None):
            raise ValueError("neighbour_of goes with polarity: neighbour, and only with it.")
        self.to_rubric()
        return self

    def to_rubric(self) -> Rubric:
        """Give the criteria as the scorer sees them; plain strings get ids m1.., g1.., i1.. in order."""
        criteria: list[Criterion] = []
        for tier in TIERS:
            for position, authored in enumerate(getattr(self.rubric, tier), start=1):
                plain = AuthoredCriterion(text=authored) if isinstance(authored, str) else authored
                name = plain.id or f"{_LETTERS[tier]}{position}"
                criteria.append(Criterion(id=name, text=plain.text, tier=tier, kind=plain.kind))
        return Rubric(criteria=tuple(criteria), normalise=self.normalise)
