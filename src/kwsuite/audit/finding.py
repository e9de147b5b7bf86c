"""One fault in authored data."""

from typing import NamedTuple


class AuditFinding(NamedTuple):
    """A fault, where it stands and what to do about it."""

    place: str
    """file, or file:line, or file:line:column."""
    item: str
    """The item's id, or empty where the fault concerns none in particular."""
    message: str
    """What is wrong and what to do."""
    check: str = "proof"
    """The check that found it: schema, answers, labels, proof, purity, ..."""

    def __str__(self) -> str:
        """Write it on one line, the place first, as editors can follow it."""
        item = f" item {self.item}:" if self.item else ""
        return f"{self.place}:{item} [{self.check}] {self.message}"
