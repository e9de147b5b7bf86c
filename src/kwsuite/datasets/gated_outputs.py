"""What a candidate delivered, read once and kept."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from kwsuite.checking import Check, Checks, Unreadable, plain_text
from kwsuite.datasets.gated import GatedItem, Instance
from kwsuite.datasets.gated_format import GatedTask, Output
from kwsuite.datasets.gated_programs import Remembered

DELIVERED = "delivered"
"""The criterion before all others: every output of the verifier's is a regular file that can be read."""

MOST_SHOWN = 40_000
"""Characters of one output that a judge is shown at most; more would let a candidate silence it."""


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

    def fault(self, output: Output) -> str | None:
        """Say why an output is not there as a regular file; None if it is."""
        kind = str(self.files.get(output.path, {"kind": "missing"})["kind"])
        return None if kind == "file" else f"outputs/{output.path} is {_TOLD[kind]}"

    def content(self, output: Output) -> bytes:
        """Give the bytes of an output that is there.

        Raises:
            KeyError: It is not; see `fault`.
        """
        return base64.b64decode(self.files[output.path]["content"])


_TOLD = {
    "missing": "missing",
    "symlink": "a symbolic link, which is not followed",
    "not_a_file": "no regular file",
    "too_large": "too large to be read",
    "unreadable": "not readable",
}


def verified_checks(
    item: GatedItem,
    instance: Instance,
    outputs: CollectedOutputs,
    values: Mapping[str, Any] | None = None,
    remembered: Remembered | None = None,
) -> list[Check]:
    """Decide every criterion of a task's verifier, `delivered` first; what a judge decides is not among them.

    Args:
        item: The task.
        instance: The instance that the outputs answer.
        outputs: What was delivered.
        values: The conventions they should follow; None takes the private ones.
        remembered: What is right for this instance, kept between calls; None computes it afresh.
    """
    due = item.task.verified_outputs
    faults = [fault for output in due if (fault := outputs.fault(output))]
    delivered = Checks((DELIVERED, *item.task.names) if faults else (DELIVERED,))
    if not delivered.decide(DELIVERED, faults):
        return delivered.report()
    contents = {output.path: outputs.content(output) for output in due}
    rest = item.verify(instance, contents, item.task.values if values is None else values, remembered)
    return [*delivered.report(), *rest]


def handed_in(task: GatedTask, outputs: CollectedOutputs) -> str:
    """Write what was delivered as one text, as a judge is shown it: judged files first, each under its name.

    A file that is missing or cannot be read is stated as such.
    """
    ordered = (*task.judged_outputs, *task.verified_outputs)
    return "\n\n".join(f"===== outputs/{output.path} =====\n\n{_text(output, outputs)}" for output in ordered).strip()


def text_fault(output: Output, outputs: CollectedOutputs) -> str | None:
    """Say why an output has no text that a judge can be shown; None if it has."""
    fault = outputs.fault(output)
    if fault is not None:
        return fault
    try:
        text = plain_text(outputs.content(output)).strip()
    except Unreadable as error:
        return f"outputs/{output.path} {error}"
    return _length_fault(output, text) if text else f"outputs/{output.path} is empty"


def oversize_fault(output: Output, outputs: CollectedOutputs) -> str | None:
    """Say that an output is a text of more characters than a judge is shown; None if it is not."""
    if outputs.fault(output) is not None:
        return None
    try:
        return _length_fault(output, plain_text(outputs.content(output)).strip())
    except Unreadable:
        return None


def _length_fault(output: Output, text: str) -> str | None:
    if len(text) <= MOST_SHOWN:
        return None
    return f"outputs/{output.path} has {len(text)} characters; a judge is shown at most {MOST_SHOWN}"


def _text(output: Output, outputs: CollectedOutputs) -> str:
    fault = text_fault(output, outputs)
    return f"[{fault}]" if fault else plain_text(outputs.content(output)).strip()
