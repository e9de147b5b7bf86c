"""The named checks of one verification."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple


class Check(NamedTuple):
    """One named criterion, decided."""

    name: str
    """The criterion."""
    met: bool
    """Whether the output meets it."""
    why: str
    """What was seen, with the first difference where there is one."""


@dataclass
class Checks:
    """Collects checks under names that are announced first, so that none is forgotten and none is decided twice.

    A verifier may end at a criterion that is not met: the rest come out as not met, "not evaluated", because that is
    the candidate's own fault.
    """

    names: tuple[str, ...]
    """All criteria, in the order of the report; unique and not empty."""
    _decided: dict[str, Check] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.names or len(set(self.names)) != len(self.names):
            raise ValueError(f"names of checks must be unique, and at least one: {self.names}")

    def decide(self, name: str, faults: Iterable[str]) -> bool:
        """Decide a criterion: met if there are no faults.

        Raises:
            ValueError: The name was not announced, or is decided already.
        """
        if name not in self.names:
            raise ValueError(f"check {name!r} was not announced; announced are {', '.join(self.names)}")
        if name in self._decided:
            raise ValueError(f"check {name!r} is decided twice")
        found = list(faults)
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        self._decided[name] = Check(name, not found, f"{found[0]}{more}" if found else "as it should be")
        return not found

    def report(self) -> list[Check]:
        """Give every announced check, in order.

        Raises:
            ValueError: One was forgotten: it is undecided although all that are decided are met.
        """
        failed = next((check.name for check in self._decided.values() if not check.met), None)
        forgotten = [name for name in self.names if name not in self._decided]
        if forgotten and failed is None:
            raise ValueError(f"never decided: {', '.join(forgotten)}. Decide every announced check, or fail one.")
        missing = f"not evaluated, because {failed} is not met"
        return [self._decided.get(name, Check(name, False, missing)) for name in self.names]
