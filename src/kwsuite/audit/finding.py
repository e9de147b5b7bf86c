"""What an audit says."""

from typing import NamedTuple


class AuditFinding(NamedTuple):
    """One fault in shipped or brought data."""

    place: str
    """`file:line:column`."""
    item: str
    """The item, or the file's name where none could be read."""
    message: str
    """What is wrong and what to do."""
