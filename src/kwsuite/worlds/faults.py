"""The two ways an authored world can be wrong: when it is compiled, and when it runs."""

from typing import TypeAlias

Location: TypeAlias = tuple[str | int, ...]
"""Where something stands in the scenario's file: keys and list positions from the top."""


class AuthoringError(ValueError):
    """A part of a scenario that cannot be compiled.

    Attributes:
        at: Where it stands in the scenario's file.
        message: What is wrong and what to do.
    """

    def __init__(self, at: Location, message: str) -> None:
        super().__init__(f"{dotted(at)}: {message}")
        self.at = at
        self.message = message


class WorldFault(RuntimeError):
    """A world that broke while it ran. The fault is the author's, never the candidate's; the state is unchanged.

    Attributes:
        at: Where the failing part stands in the scenario's file.
        message: What went wrong and what to do.
    """

    def __init__(self, at: Location, message: str) -> None:
        super().__init__(f"{dotted(at)}: {message}")
        self.at = at
        self.message = message


def dotted(at: Location) -> str:
    """Write a location as one word, `scenario` for the top."""
    return ".".join(str(part) for part in at) or "scenario"
