"""What a proof has to say when it fails."""

from typing import NamedTuple


class Finding(NamedTuple):
    """One thing that is wrong with an item."""

    place: str
    """`file:line:column`."""
    item: str
    """The item's id."""
    message: str
    """What is wrong and what to do."""

    def __str__(self) -> str:
        """Write it on one line, as an editor can follow it."""
        return f"{self.place}: item {self.item}: {self.message}"
