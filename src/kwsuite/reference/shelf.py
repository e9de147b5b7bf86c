"""Items that a task of this process has loaded, so that the reference candidates can find them by id."""

from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """The items of one benchmark, by id."""

    def __init__(self, bundled: Callable[[], Mapping[str, T]]) -> None:
        self._load_bundled = bundled
        self._loaded: dict[str, T] = {}
        self._bundled: Mapping[str, T] | None = None

    def remember(self, items: Mapping[str, T]) -> None:
        """Let items be found; a later one replaces an earlier one of the same id."""
        self._loaded.update(items)

    def forget(self) -> None:
        """Take off everything but what ships."""
        self._loaded.clear()

    def find(self, item_id: str) -> T:
        """Find an item that a task has loaded, else a bundled one.

        Raises:
            ValueError: It is in neither.
        """
        if item_id in self._loaded:
            return self._loaded[item_id]
        if self._bundled is None:
            self._bundled = self._load_bundled()
        if item_id not in self._bundled:
            raise ValueError(
                f"item {item_id!r} is neither bundled nor loaded by a task of this process, so there is no reference "
                "answer for it. Run the task with the dataset that holds it."
            )
        return self._bundled[item_id]
