"""Checking gated tasks: schema, artefact, independence, leaks, and every proof computed."""

import traceback
from collections.abc import Iterator
from pathlib import Path

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated_independence import independence_findings
from kwsuite.audit.gated_judged import judged_findings
from kwsuite.audit.gated_leaks import gated_leak_findings
from kwsuite.audit.gated_proofs import SEEDS, proof_findings
from kwsuite.audit.gated_repeats import repeats
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import CONDITIONS, GatedItem, read_gated
from kwsuite.datasets.gated_sample import gated_dataset
from kwsuite.datasets.gated_set import GatedSet, task_folders


def gated_findings(path: Path, seeds: tuple[int, ...] = SEEDS) -> list[AuditFinding]:
    """Check a task's folder, or a folder of them.

    Args:
        path: The folder.
        seeds: Instances that proofs are computed on.

    Returns:
        What was found, task by task; empty if everything holds.
    """
    folders = task_folders(path)
    if not folders:
        return [AuditFinding(str(path), "", "holds no gated tasks. One is a folder with a task.yaml.", "schema")]
    with repeats(folders, seeds[0]) as repeated:
        found = {folder: _task_findings(folder, seeds) for folder in folders}
        differing = repeated.differing()
    for folder in folders:
        if str(folder.resolve()) in differing:
            message = f"seed {seeds[0]}: two runs differ. Sort what comes from a set before it is used."
            found[folder].append(AuditFinding(str(folder / "verify.py"), folder.name, message, "repeatable"))
    return [finding for folder in folders for finding in found[folder]]


def _task_findings(folder: Path, seeds: tuple[int, ...]) -> list[AuditFinding]:
    findings: list[AuditFinding] = []
    try:
        item = read_gated(folder)
        # Always on several instances: on one alone generated data hit a value by chance.
        findings += [*independence_findings(item), *gated_leak_findings(item, SEEDS)]
        findings += [*_arm_findings(item), *judged_findings(item)]
        findings += proof_findings(item, seeds)
    except DataError as error:
        findings.append(AuditFinding(str(folder), folder.name, str(error), "schema"))
    except Exception as error:
        place = _place(folder, error)
        if place is None:
            raise
        message = f"breaks with {type(error).__name__}: {error}. Mend it."
        findings.append(AuditFinding(place, folder.name, message, "program"))
    return findings


def _place(folder: Path, error: Exception) -> str | None:
    """Give file and line of the author's program that an error came from; None if it came from none."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).parent == folder]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else None


def _arm_findings(item: GatedItem) -> Iterator[AuditFinding]:
    """Compare what the three conditions show: the prompt must be the same, and files differ in the artefact only."""
    tasks = GatedSet(str(item.folder), (item,))
    shown = [gated_dataset(tasks, condition, SEEDS[0])[0] for condition in CONDITIONS]
    prompts = {str(sample.input) if isinstance(sample.input, str) else sample.input[0].text for sample in shown}
    files = [
        {name: data for name, data in (sample.files or {}).items() if "specification/" not in name} for sample in shown
    ]
    if len(prompts) > 1 or files[0] != files[1] or files[0] != files[2]:
        yield AuditFinding(str(item.folder), item.task.id, "the conditions differ beyond the artefact.", "arms")
    if any("specification/" in name for name in shown[1].files or {}):
        yield AuditFinding(str(item.folder), item.task.id, "the condition without still has an artefact.", "arms")
