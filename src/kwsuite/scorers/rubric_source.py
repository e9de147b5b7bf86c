"""Where the scorer finds the rubric of a sample: the sample itself, or a file of the user's."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from inspect_ai.solver import TaskState
from pydantic import Field, RootModel, ValidationError

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.document import Document
from kwsuite.datasets.kwbench import KwbenchItem, TieredRubric
from kwsuite.datasets.strict_json import read_yaml_or_json
from kwsuite.datasets.strict_yaml import load_model
from kwsuite.scorers.by_sample_id import by_sample_id
from kwsuite.verdicts import Rubric

RubricOf = Callable[[TaskState], Rubric]


class _RubricMap(RootModel[dict[str, TieredRubric]]):
    root: dict[str, TieredRubric] = Field(min_length=1)


def rubric_source(rubric: str | dict[str, Any] | None) -> RubricOf:
    """Make the look-up from a sample to its rubric; files are read and checked now, before any model is called.

    Args:
        rubric: None takes the rubric from the sample's metadata, as this package's tasks store it. Else a YAML or JSON
            file, or its content: one rubric for all samples (`mandatory`, `good_to_have`, `ideal`: lists of questions
            or of objects with id, text and kind), or a map from sample id to such a rubric.

    Raises:
        DataError: The file is missing or broken; file:line:column is named.
    """
    if rubric is None:
        return _from_sample
    document = (
        read_yaml_or_json(Path(rubric)) if isinstance(rubric, str) else Document(Path("rubric argument"), rubric, {})
    )
    if not _is_map(document.data):
        one = _as_rubric(load_model(TieredRubric, document, "rubric"), document)
        return lambda state: one
    tiers = load_model(_RubricMap, document, "rubric map").root
    by_id = {name: _as_rubric(tiered, document, (name,)) for name, tiered in tiers.items()}

    return by_sample_id(by_id, document.path, "rubric")


def _is_map(data: Any) -> bool:
    """Tell a map from one rubric by its values: a tier's is a list, a sample's is a mapping."""
    return isinstance(data, dict) and bool(data) and all(isinstance(value, dict) for value in data.values())


def _from_sample(state: TaskState) -> Rubric:
    stored = state.metadata.get("rubric")
    if stored is None:
        raise DataError(
            f"sample {state.sample_id!r} carries no rubric. Give one: -S rubric=FILE, or conjunctive_gate(rubric=...)."
        )
    try:
        return Rubric.model_validate(stored)
    except ValidationError as error:
        raise DataError(
            f"sample {state.sample_id!r}: its metadata field 'rubric' is no rubric of kwbench ({error.error_count()} "
            "faults). Give one: -S rubric=FILE, or conjunctive_gate(rubric=...)."
        ) from error


def _as_rubric(tiered: TieredRubric, document: Document, location: tuple[str, ...] = ()) -> Rubric:
    try:
        return KwbenchItem(id="rubric", task="-", rubric=tiered).to_rubric()
    except ValueError as error:
        raise DataError(f"{document.where(location)}: {error}") from error
