"""Items that a task of this process has loaded, so that the reference candidates can find them by id."""

from kwsuite.datasets.item_set import ItemSet, LoadedItem, load_items

_loaded: dict[str, LoadedItem] = {}
_bundled: dict[str, LoadedItem] = {}


def remember_items(items: ItemSet) -> None:
    """Let the reference candidates find `items`; a later set replaces an earlier item of the same id."""
    _loaded.update({loaded.item.id: loaded for loaded in items.items})


def find_item(item_id: str) -> LoadedItem:
    """Find an item that a task has loaded, else a bundled one.

    Raises:
        ValueError: It is in neither.
    """
    if item_id in _loaded:
        return _loaded[item_id]
    if not _bundled:
        _bundled.update({loaded.item.id: loaded for loaded in load_items().items})
    if item_id not in _bundled:
        raise ValueError(
            f"item {item_id!r} is neither bundled nor loaded by a task of this process, so there is no reference "
            "answer for it. Run the task with the dataset that holds it."
        )
    return _bundled[item_id]
