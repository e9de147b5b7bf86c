"""Checking gated tasks: schema, artefact, independence, leaks, and every proof computed."""

from collections.abc import Iterator
from pathlib import Path

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated_fresh import fresh_runs
from kwsuite.audit.gated_independence import independence_findings
from kwsuite.audit.gated_judged import judged_findings
from kwsuite.audit.gated_leaks import gated_leak_findings
from kwsuite.audit.gated_proofs import SEEDS
from kwsuite.audit.gated_work import guarded
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
    found = {folder: list(guarded(folder, _read(folder))) for folder in folders}
    readable = [folder for folder in folders if not found[folder]]
    with fresh_runs(readable, seeds) as runs:
        for folder in readable:
            found[folder] += guarded(folder, _looked_over(read_gated(folder)))
        proven = runs.findings()
    # A generator that breaks is found by both.
    return [one for folder in folders for one in dict.fromkeys([*found[folder], *proven.get(folder, [])])]


def _read(folder: Path) -> Iterator[AuditFinding]:
    """Find what keeps a task from being read."""
    read_gated(folder)
    yield from ()


def _looked_over(item: GatedItem) -> Iterator[AuditFinding]:
    """Find what no proof needs to be computed for."""
    yield from independence_findings(item)
    # Always on several instances: on one alone generated data hit a value by chance.
    yield from gated_leak_findings(item, SEEDS)
    yield from _arm_findings(item)
    yield from judged_findings(item)


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
