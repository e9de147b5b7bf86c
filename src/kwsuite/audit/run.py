"""Running checks and saying what came of them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated import gated_findings
from kwsuite.audit.kwbench import kwbench_findings
from kwsuite.audit.logs import log_findings
from kwsuite.audit.spotting_files import looks_like_documents, spotting_file_findings
from kwsuite.audit.world_files import looks_like_worlds, world_file_findings
from kwsuite.datasets.gated_set import bundled_gated_folder, looks_like_gated
from kwsuite.datasets.item_set import bundled_folder
from kwsuite.datasets.spotting_files import SHIPPED
from kwsuite.datasets.world_set import bundled_world_folder

Check = Callable[[Path, bool], list[AuditFinding]]
"""From a folder, and whether everything that shipped items have must be there, to the findings."""

CHECKS: dict[str, tuple[Check, Callable[[], Path], str]] = {
    "kwbench": (
        lambda folder, complete: kwbench_findings(folder, complete=complete),
        bundled_folder,
        "schema, answers, labels, purity; proofs as declared by labels",
    ),
    "implicit_worlds": (
        lambda folder, complete: world_file_findings(folder),
        bundled_world_folder,
        "schema, secrets, proofs computed by the engine",
    ),
    "problem_spotting": (
        lambda path, complete: spotting_file_findings(path, complete=complete),
        lambda: SHIPPED,
        "quotes, types, overlaps, proofs by the reference findings",
    ),
    "knowledge_gated": (
        lambda folder, complete: gated_findings(folder),
        bundled_gated_folder,
        "schema, artefact, arms, independence, leaks; proofs computed by the programs",
    ),
}
"""For each benchmark: its check, the folder that ships, and what the check covers."""


def run_checks(path: Path | None, benchmark: str | None, *, as_json: bool) -> int:
    """Check what ships, a path of the user's, or logs, and print the findings.

    Args:
        path: The user's items or logs, a file or a folder; None checks what ships.
        benchmark: One benchmark; None checks all that ship, or takes a user's path for what it looks like.
        as_json: Print a JSON list of findings instead of lines.

    Returns:
        0 for no findings, 1 for some.

    Raises:
        ClickException: The path is neither a file nor a folder.
    """
    if path is not None and not (path.is_file() or path.is_dir()):
        raise click.ClickException(f"{path}: is a device, pipe or socket. Give a file or a folder.")
    findings: list[AuditFinding] = []
    for name, found, covers in _checked(path, benchmark):
        findings += found
        if not as_json:
            click.echo(f"{name}: {len(found)} finding{'' if len(found) == 1 else 's'} ({covers})")
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            click.echo(str(finding))
    return 1 if findings else 0


def _checked(path: Path | None, benchmark: str | None) -> Iterator[tuple[str, list[AuditFinding], str]]:
    if path is not None and (path.suffix == ".eval" or (path.is_dir() and any(path.glob("*.eval")))):
        yield "logs", log_findings(path), "every sample scored on the version that the header names"
        return
    for name in [benchmark] if benchmark else ([_benchmark_of(path)] if path else list(CHECKS)):
        run, shipped, covers = CHECKS[name]
        yield name, run(path or shipped(), path is None), covers


def _benchmark_of(path: Path) -> str:
    if looks_like_gated(path):
        return "knowledge_gated"
    if looks_like_worlds(path):
        return "implicit_worlds"
    return "problem_spotting" if looks_like_documents(path) else "kwbench"
