"""One fault in authored data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A fault, where it stands and what to do about it."""

    check: str
    """The check that found it: schema, answers, labels, proof, purity, ..."""
    place: str
    """file, or file:line, or file:line:column."""
    item: str
    """The item, or empty where the fault concerns none in particular."""
    message: str
    """What is wrong and what to do."""

    def __str__(self) -> str:
        """Write it on one line, the place first."""
        item = f" item {self.item}:" if self.item else ""
        return f"{self.place}:{item} [{self.check}] {self.message}"
