"""What a candidate delivered, read once and kept."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from kwsuite.checking import Check, Checks
from kwsuite.datasets.gated import GatedItem, Instance

DELIVERED = "delivered"
"""The criterion before all others: every declared output is a regular file that can be read."""


@dataclass(frozen=True)
class CollectedOutputs:
    """The declared outputs as they stood when the candidate was done."""

    files: Mapping[str, Mapping[str, Any]]
    """By name: `kind` (file, missing, symlink, not_a_file, too_large, unreadable), and for a file `sha256` and
    `content` in base64."""
    extra: tuple[str, ...]
    """Names of further entries in the folder; they count neither for nor against."""

    @classmethod
    def of(cls, outputs: Mapping[str, bytes]) -> Self:
        """Make them from bytes, as proofs do."""
        files = {name: {"kind": "file", "content": base64.b64encode(data).decode()} for name, data in outputs.items()}
        return cls(files, ())

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Self:
        """Read them back from a log."""
        return cls(record["files"], tuple(record["extra"]))

    def record(self) -> dict[str, Any]:
        """Write them for a log."""
        return {"files": {name: dict(file) for name, file in self.files.items()}, "extra": list(self.extra)}

    def hashes(self) -> dict[str, str]:
        """Give the SHA-256 of each file, or the kind of what stands in its place."""
        return {name: str(file.get("sha256") or file["kind"]) for name, file in self.files.items()}

    def faults(self) -> list[str]:
        """List the outputs that are not there as regular files."""
        return [
            f"outputs/{name} is {_TOLD[str(file['kind'])]}"
            for name, file in self.files.items()
            if file["kind"] != "file"
        ]

    def contents(self) -> dict[str, bytes]:
        """Give the bytes of every output that is there."""
        return {name: base64.b64decode(file["content"]) for name, file in self.files.items() if file["kind"] == "file"}


_TOLD = {
    "missing": "missing",
    "symlink": "a symbolic link, which is not followed",
    "not_a_file": "no regular file",
    "too_large": "too large to be read",
    "unreadable": "not readable",
}


def verified_checks(
    item: GatedItem, instance: Instance, outputs: CollectedOutputs, values: Mapping[str, Any] | None = None
) -> list[Check]:
    """Decide every criterion of a task, `delivered` first.

    Args:
        item: The task.
        instance: The instance that the outputs answer.
        outputs: What was delivered.
        values: The conventions they should follow; None takes the private ones.
    """
    delivered = Checks((DELIVERED, *item.task.names))
    unnamed = [f"outputs/{one.path} is missing" for one in item.task.outputs if one.path not in outputs.files]
    if not delivered.decide(DELIVERED, [*unnamed, *outputs.faults()]):
        return delivered.report()
    rest = item.verify(instance, outputs.contents(), item.task.values if values is None else values)
    return [delivered.report()[0], *rest]
