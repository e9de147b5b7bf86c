"""The gated tasks that scorer and reference candidates can find."""

from kwsuite.datasets.gated import GatedItem
from kwsuite.datasets.gated_set import GatedSet, load_gated_set
from kwsuite.reference.shelf import Shelf

SHELF: Shelf[GatedItem] = Shelf(lambda: _by_id(load_gated_set()))


def remember_gated(tasks: GatedSet) -> None:
    """Let the reference candidates find tasks; a later set replaces an earlier task of the same id."""
    SHELF.remember(_by_id(tasks))


def find_gated(item_id: str) -> GatedItem:
    """Find a task that a task of this process has loaded, else a bundled one.

    Raises:
        ValueError: It is in neither.
    """
    return SHELF.find(item_id)


def _by_id(tasks: GatedSet) -> dict[str, GatedItem]:
    return {item.task.id: item for item in tasks.items}
