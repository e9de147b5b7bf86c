"""The leak audit as a command."""

import json
from pathlib import Path

import click

from kwsuite.audit.gated_leaks import folder_leak_findings, gated_leak_findings
from kwsuite.audit.gated_proofs import SEEDS
from kwsuite.datasets.gated import read_gated
from kwsuite.datasets.gated_set import bundled_gated_folder


def run_leaks(task: str, folder: Path | None, *, as_json: bool) -> int:
    """Search a task's own files, or a folder, for what its artefact tells, and print the findings.

    Args:
        task: The name of a task that ships, or the path of a task's folder.
        folder: What to search; None searches the task's instruction and generated data.
        as_json: Print a JSON list of findings instead of lines.

    Returns:
        0 for no findings, 1 for some.
    """
    own = Path(task)
    item = read_gated(own if own.is_dir() else bundled_gated_folder() / task)
    findings = gated_leak_findings(item, SEEDS) if folder is None else folder_leak_findings(item, folder)
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            click.echo(str(finding))
        click.echo(f"{item.task.id}: {len(findings)} finding{'' if len(findings) == 1 else 's'}")
    return 1 if findings else 0
