"""What a fresh interpreter does with gated tasks. It imports nothing that needs Inspect."""

import hashlib
import json
import traceback
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TypedDict

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated_proofs import proof_findings
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import GatedItem, read_gated
from kwsuite.datasets.gated_play import play


class Order(TypedDict):
    """What to do."""

    seeds: list[int]
    """Instances to prove; the first is the one to tell about."""
    tell: list[str]
    """Folders of tasks to run and tell about."""
    prove: list[str]
    """Folders of tasks to prove."""


class Done(TypedDict):
    """What came of it."""

    told: dict[str, str]
    """By folder: all that its programs gave, the same in every process if they are repeatable."""
    proven: dict[str, list[tuple[str, str, str, str]]]
    """By folder: the fields of each finding."""


def work(order: Order) -> Done:
    """Run and prove tasks; a program that breaks is told, or found, and stops no other."""
    return Done(
        told={folder: _told(Path(folder), order["seeds"][0]) for folder in order["tell"]},
        proven={folder: list(_proven(Path(folder), tuple(order["seeds"]))) for folder in order["prove"]},
    )


def guarded(folder: Path, found: Iterable[AuditFinding]) -> Iterator[AuditFinding]:
    """Give findings as they come, and a last one where broken data or a program that breaks ends them."""
    try:
        yield from found
    except DataError as error:
        yield AuditFinding(str(folder), folder.name, str(error), "schema")
    except (Exception, SystemExit) as error:  # noqa: BLE001 - the author's programs break in any way, or call exit()
        message = f"breaks with {type(error).__name__}: {error}. Mend it."
        yield AuditFinding(_place(folder, error) or str(folder), folder.name, message, "program")


def _proven(folder: Path, seeds: tuple[int, ...]) -> Iterator[tuple[str, str, str, str]]:
    for finding in guarded(folder, proof_findings(read_gated(folder), seeds)):
        yield (finding.place, finding.item, finding.message, finding.check)


def _told(folder: Path, seed: int) -> str:
    try:
        return json.dumps(_everything(read_gated(folder), seed))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - they break in any way; the proofs find how
        return f"{type(error).__name__}: {error}"


def _everything(item: GatedItem, seed: int) -> list[Any]:
    instance = item.instance(seed)
    answers = [play(item, instance, item.artefact(item.task.values)), play(item, instance, None)]
    due = {output.path for output in item.task.verified_outputs}
    checks = [
        item.verify(instance, {path: data for path, data in answer.items() if path in due}, item.task.values)
        for answer in answers
    ]
    sha = hashlib.sha256(repr([sorted(answer.items()) for answer in answers]).encode()).hexdigest()
    return [instance.digest(), instance.planted, sha, checks]


def _place(folder: Path, error: BaseException) -> str | None:
    """Give file and line of the author's program that an error came from; None if it came from none."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == folder]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None
