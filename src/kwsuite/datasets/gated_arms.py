"""Finding the task that a sample belongs to, also for a log that is scored again."""

from functools import lru_cache

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import GatedItem
from kwsuite.datasets.gated_sample import GatedArm
from kwsuite.datasets.gated_set import load_gated_set


def item_of(arm: GatedArm) -> GatedItem:
    """Load the task of an arm from where the run had it.

    Raises:
        DataError: It is gone, or has changed since, so that other outputs would be right.
            A changed verifier is no such change.
    """
    return _unchanged(_load(arm.dataset, arm.task, arm.item_version), arm.item_version)


@lru_cache(maxsize=64)
def _load(dataset: str, task: str, version: str) -> GatedItem:
    """Load a task once a version: one that was edited is another, also within a process that played it before."""
    return _unchanged(load_gated_set(dataset).chosen([task]).items[0], version)


def _unchanged(item: GatedItem, version: str) -> GatedItem:
    # Asked of remembered tasks too: their programs are read from disk each time.
    if (now := item.posed_digest()) != version:
        raise DataError(
            f"task {item.task.id}: has changed since this sample was made ({version}, now {now}). "
            "Score with the version of the suite or folder that made the log, or run the task afresh."
        )
    return item
