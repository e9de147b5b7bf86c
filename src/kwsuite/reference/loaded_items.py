"""The kwbench items that the reference candidates can find."""

from kwsuite.datasets.item_set import ItemSet, LoadedItem, load_items
from kwsuite.reference.shelf import Shelf

SHELF: Shelf[LoadedItem] = Shelf(lambda: _by_id(load_items()))


def remember_items(items: ItemSet) -> None:
    """Let the reference candidates find `items`; a later set replaces an earlier item of the same id."""
    SHELF.remember(_by_id(items))


def find_item(item_id: str) -> LoadedItem:
    """Find an item that a task has loaded, else a bundled one.

    Raises:
        ValueError: It is in neither.
    """
    return SHELF.find(item_id)


def _by_id(items: ItemSet) -> dict[str, LoadedItem]:
    return {loaded.item.id: loaded for loaded in items.items}
