"""What a verifier is given."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kwsuite.checking.checks import Checks
from kwsuite.checking.numbers import Tolerance


@dataclass(frozen=True)
class Case:
    """One set of outputs to verify."""

    inputs: Mapping[str, str]
    """Text of every input file by its name, as generated: never read back from the candidate's sandbox."""
    outputs: Mapping[str, bytes]
    """Bytes of every declared output by its name."""
    conventions: Mapping[str, Any]
    """The value of every convention that the outputs should follow."""
    planted: Mapping[str, tuple[str, ...]]
    """For each convention the keys of rows that it moves and no other convention does, unless declared otherwise."""
    tolerance: Tolerance
    """For numbers."""
    names: tuple[str, ...]
    """The criteria to decide, in the order of the report."""

    def checks(self) -> Checks:
        """Start the report."""
        return Checks(self.names)
