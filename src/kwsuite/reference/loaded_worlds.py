"""The scenarios that the reference candidates can find."""

from kwsuite.datasets.world_set import WorldSet, load_world_set
from kwsuite.datasets.worlds import WorldItem
from kwsuite.reference.shelf import Shelf

SHELF: Shelf[WorldItem] = Shelf(lambda: _by_id(load_world_set()))


def remember_worlds(worlds: WorldSet) -> None:
    """Let the reference candidates find scenarios; a later set replaces an earlier scenario of the same id."""
    SHELF.remember(_by_id(worlds))


def find_world(item_id: str) -> WorldItem:
    """Find a scenario that a task has loaded, else a bundled one.

    Raises:
        ValueError: It is in neither.
    """
    return SHELF.find(item_id)


def _by_id(worlds: WorldSet) -> dict[str, WorldItem]:
    return {item.scenario.id: item for item in worlds.items}
