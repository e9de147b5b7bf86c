"""Where `all_pass` finds the criteria of a sample: its scenario, or a file of the user's."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from inspect_ai.solver import TaskState
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, RootModel, StringConstraints

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document
from kwsuite.datasets.strict_json import read_yaml_or_json
from kwsuite.datasets.strict_yaml import load_model
from kwsuite.datasets.world_sample import world_of, world_rubric
from kwsuite.scorers.by_sample_id import by_sample_id
from kwsuite.verdicts import Criterion, Rubric

CriteriaOf = Callable[[TaskState], Rubric]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class ProseCriterion(BaseModel):
    """A criterion in prose; a sentence alone is its `criterion`."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    id: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.-]{1,64}$")] | None = None
    """Default: c1, c2 and so on by position."""
    criterion: Text
    """What is expected."""
    pass_condition: Text | None = None
    """When it is met."""


def _sentence(value: Any) -> Any:
    return {"criterion": value} if isinstance(value, str) else value


_Criteria = Annotated[tuple[Annotated[ProseCriterion, BeforeValidator(_sentence)], ...], Field(min_length=1)]


class _OneRubric(RootModel[_Criteria]):
    pass


class _RubricMap(RootModel[Annotated[dict[str, _Criteria], Field(min_length=1)]]):
    pass


def criteria_source(rubric: str | list[Any] | dict[str, Any] | None) -> CriteriaOf:
    """Make the look-up from a sample to its criteria; files are read and checked now, before any model is called.

    Args:
        rubric: None takes the criteria of the sample's scenario. Else a YAML or JSON file, or its content: a list of
            criteria for all samples, or a map from sample id to such a list. A criterion is a sentence, or an object
            with `criterion`, and optionally `pass_condition` and `id`.

    Raises:
        DataError: The file is missing or broken; file:line:column is named.
    """
    if rubric is None:
        return _from_scenario
    document = (
        read_yaml_or_json(Path(rubric)) if isinstance(rubric, str) else Document(Path("rubric argument"), rubric, {})
    )
    if not isinstance(document.data, dict):
        one = _rubric(load_model(_OneRubric, document, "rubric").root, document)
        return lambda state: one
    lists = load_model(_RubricMap, document, "rubric map").root
    by_id = {name: _rubric(criteria, document, name) for name, criteria in lists.items()}

    return by_sample_id(by_id, document.path, "criteria")


def _from_scenario(state: TaskState) -> Rubric:
    item = world_of(state.metadata)
    if item is None:
        raise DataError(
            f"sample {state.sample_id!r} carries no scenario. Give criteria: -S rubric=FILE, or all_pass(rubric=...)."
        )
    return world_rubric(item.scenario)


def _rubric(criteria: tuple[ProseCriterion, ...], document: Document, *location: str) -> Rubric:
    try:
        return Rubric(
            criteria=tuple(
                Criterion(id=part.id or f"c{number}", text=_text(part)) for number, part in enumerate(criteria, start=1)
            )
        )
    except ValueError as error:
        raise DataError(f"{document.where(location)}: {error}") from error


def _text(part: ProseCriterion) -> str:
    return part.criterion if part.pass_condition is None else f"{part.criterion}\nIt is met when: {part.pass_condition}"
