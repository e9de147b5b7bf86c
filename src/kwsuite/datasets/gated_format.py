"""The authored file of a knowledge-gated task."""

import re
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator

from kwsuite.checking import Tolerance

_MODEL = ConfigDict(frozen=True, extra="forbid")
_NAME = r"^[a-z][a-z0-9_]{0,63}$"
_GUID = r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"


class Convention(BaseModel):
    """One choice that the field leaves open and the artefact settles."""

    model_config = _MODEL

    value: JsonValue
    """The private value: a number, a text, or a list or mapping of such. The artefact names it as `{{ id }}`."""
    common: JsonValue
    """What a competent person picks without the artefact."""
    others: tuple[JsonValue, ...] = ()
    """Further defensible values."""
    why_common: str = Field(min_length=1)
    """Why the field would pick the common value, so that the private one cannot be derived."""
    operator: bool = False
    """Whether it lives in `ops.py`: brittle numerics rather than a choice."""
    everywhere: bool = False
    """Whether a wrong value moves every row, so that criteria of other conventions fail with its own."""

    @property
    def wrong(self) -> tuple[JsonValue, ...]:
        """All declared values but the private one, the common one first."""
        return (self.common, *self.others)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if any(wrong == self.value for wrong in self.wrong):
            raise ValueError("a wrong value equals the private one, so it gates nothing. Change one of them")
        return self


class JudgedCriterion(BaseModel):
    """A question about a free-form output, for a judge."""

    model_config = _MODEL

    id: str = Field(pattern=r"^[A-Za-z0-9_.-]{1,64}$")
    """Name, unique among all criteria of the task."""
    text: str = Field(min_length=1)
    """The question. The judge sees the instruction and what the candidate delivered, not the artefact and no data."""


class Output(BaseModel):
    """A file to deliver."""

    model_config = _MODEL

    path: str = Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$")
    """Its name in the folder `outputs`."""
    max_bytes: int = Field(default=500_000, ge=1, le=2_000_000)
    """A larger file is not read, and fails."""
    judged: tuple[JudgedCriterion, ...] = ()
    """What a judge is asked of a free-form text; such a file is no business of `verify.py`. Empty for all others."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.judged and not self.path.endswith((".md", ".txt")):
            raise ValueError(f"{self.path} is judged, so it must be a text: call it .md or .txt")
        return self


class ToleranceFields(BaseModel):
    """How far numbers may lie apart."""

    model_config = _MODEL

    absolute: float = 1e-4
    """In the unit of the value."""
    relative: float = 0.0
    """Share of the expected value."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        Tolerance(self.absolute, self.relative)
        return self


class GatedTask(BaseModel):
    """A task whose right answer needs knowledge that is supplied, withheld or perturbed."""

    model_config = _MODEL

    id: str = Field(pattern=r"^[a-z][a-z0-9-]{1,63}$")
    """Name, the same as its folder's."""
    title: str = Field(min_length=1)
    """What it is, for tables."""
    conventions: dict[str, Convention] = Field(min_length=4)
    """What is gated, by name; each has a criterion of the same name."""
    perturbed: dict[str, JsonValue] = Field(min_length=2)
    """Values of the perturbed artefact that differ from the private ones: each must be a declared wrong value."""
    outputs: tuple[Output, ...] = Field(min_length=1)
    """Files to deliver."""
    criteria: tuple[str, ...] = Field(min_length=1)
    """Criteria beside those of the conventions, in the verifier's order, such as schema and all_values."""
    tolerance: ToleranceFields = ToleranceFields()
    """For the numbers of the outputs."""
    canary: str = Field(pattern=_GUID)
    """GUID that stands in every file set, so that training corpora can be searched for it."""
    provenance: str = Field(min_length=1)
    """Where design and data come from."""

    @property
    def verified_outputs(self) -> tuple[Output, ...]:
        """Files that the verifier decides on."""
        return tuple(output for output in self.outputs if not output.judged)

    @property
    def judged_outputs(self) -> tuple[Output, ...]:
        """Files that a judge decides on; empty for most tasks."""
        return tuple(output for output in self.outputs if output.judged)

    @property
    def judged(self) -> tuple[JudgedCriterion, ...]:
        """All criteria that a judge decides; empty for most tasks."""
        return tuple(criterion for output in self.outputs for criterion in output.judged)

    @property
    def names(self) -> tuple[str, ...]:
        """All criteria of the verifier, in the order of the report."""
        return (*self.criteria, *self.conventions)

    @property
    def gate(self) -> Literal["convention", "operator"]:
        """Whether an operator is among what is gated."""
        return "operator" if any(one.operator for one in self.conventions.values()) else "convention"

    @property
    def values(self) -> dict[str, Any]:
        """The private value of every convention."""
        return {name: convention.value for name, convention in self.conventions.items()}

    @property
    def common_values(self) -> dict[str, Any]:
        """The common value of every convention."""
        return {name: convention.common for name, convention in self.conventions.items()}

    @property
    def perturbed_values(self) -> dict[str, Any]:
        """The values of the perturbed artefact."""
        return self.values | self.perturbed

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name in self.conventions:
            if not re.match(_NAME, name):
                raise ValueError(f"convention {name!r}: a name has small letters, digits and _")
        for name, value in self.perturbed.items():
            known = self.conventions.get(name)
            if known is None:
                raise ValueError(f"perturbed names {name!r}, which is no convention")
            if value not in known.wrong:
                raise ValueError(f"perturbed {name} is {value!r}, which is none of its declared wrong values")
        if "schema" not in self.criteria:
            raise ValueError("criteria lack 'schema', which fails for an output that cannot be read. Add it")
        twice = set(self.criteria) & set(self.conventions)
        if twice or len(set(self.criteria)) != len(self.criteria):
            raise ValueError(f"criteria stand twice: {', '.join(sorted(twice)) or self.criteria}")
        if len({output.path for output in self.outputs}) != len(self.outputs):
            raise ValueError("two outputs have one path")
        if not self.verified_outputs:
            raise ValueError("every output is judged, so nothing is verified. Add one that the verifier decides on")
        judged = [criterion.id for criterion in self.judged]
        again = sorted({name for name in judged if judged.count(name) > 1 or name in (*self.names, "delivered")})
        if again:
            raise ValueError(f"judged criteria have names that stand twice: {', '.join(again)}")
        return self
