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
    item = _load(arm.dataset, arm.task)
    if (now := item.posed_digest()) != arm.item_version:
        raise DataError(
            f"task {arm.task}: has changed since this sample was made ({arm.item_version}, now {now}). "
            "Score with the version of the suite or folder that made the log, or run the task afresh."
        )
    return item


@lru_cache(maxsize=64)
def _load(dataset: str, task: str) -> GatedItem:
    return load_gated_set(dataset).chosen([task]).items[0]
