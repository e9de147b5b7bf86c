"""Rubrics that a file gives sample by sample."""

from collections.abc import Callable, Mapping
from pathlib import Path

from inspect_ai.solver import TaskState

from kwsuite.datasets.data_error import DataError
from kwsuite.verdicts import Rubric


def by_sample_id(rubrics: Mapping[str, Rubric], path: Path, what: str) -> Callable[[TaskState], Rubric]:
    """Make the look-up from a sample to its rubric; it raises a `DataError` for a sample that the file leaves out.

    Args:
        rubrics: By sample id.
        path: The file, for the message.
        what: What the file holds for each sample, for the message.
    """

    def look_up(state: TaskState) -> Rubric:
        name = str(state.sample_id)
        if name not in rubrics:
            raise DataError(
                f"{path}: no {what} for sample {name!r}. "
                f"Add one under that id; there are {len(rubrics)}: {', '.join(list(rubrics)[:5])}."
            )
        return rubrics[name]

    return look_up
