"""Running checks and saying what came of them."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated import gated_findings
from kwsuite.audit.kwbench import kwbench_findings
from kwsuite.audit.logs import log_findings
from kwsuite.audit.sorting import Kind, sort_items
from kwsuite.audit.spotting_files import spotting_file_findings
from kwsuite.audit.unproved import unproved_documents, unproved_items
from kwsuite.audit.world_files import world_file_findings
from kwsuite.datasets.gated_set import bundled_gated_folder
from kwsuite.datasets.item_set import bundled_folder
from kwsuite.datasets.spotting_files import SHIPPED
from kwsuite.datasets.world_set import bundled_world_folder


class Check(NamedTuple):
    """The check of one benchmark."""

    covers: str
    """What it looks at, in a few words."""
    run: Callable[[Sequence[Path], bool], list[AuditFinding]]
    """From places, and whether everything that shipped items have must be there, to the findings."""
    shipped: Callable[[], Path] | None = None
    """The folder that ships; None where none does."""
    unproved: Callable[[Sequence[Path]], list[str]] = lambda paths: []
    """What passes without a proof, a phrase each. Worlds and gated tasks have none: there that is a finding."""


CHECKS: dict[Kind, Check] = {
    "kwbench": Check(
        "schema, answers, labels, purity; proofs as declared by labels",
        lambda paths, complete: kwbench_findings(*paths, complete=complete),
        bundled_folder,
        unproved_items,
    ),
    "implicit_worlds": Check(
        "schema, secrets, proofs computed by the engine",
        lambda paths, complete: [one for path in paths for one in world_file_findings(path)],
        bundled_world_folder,
    ),
    "problem_spotting": Check(
        "quotes, types, overlaps, proofs by the reference findings",
        lambda paths, complete: [one for path in paths for one in spotting_file_findings(path, complete=complete)],
        lambda: SHIPPED,
        unproved_documents,
    ),
    "knowledge_gated": Check(
        "schema, artefact, arms, independence, leaks; proofs computed by the programs",
        lambda paths, complete: [one for path in paths for one in gated_findings(path)],
        bundled_gated_folder,
    ),
    "logs": Check(
        "every sample scored on the version that the header names",
        lambda paths, complete: [one for path in paths for one in log_findings(path)],
    ),
}
"""In the order of the report."""


def run_checks(paths: Sequence[Path], benchmark: Kind | None, *, as_json: bool) -> int:
    """Check what ships, places of the user's, or logs, and print a line a benchmark and the findings.

    Args:
        paths: The user's items or logs, files or folders, each place once; none checks what ships.
        benchmark: One benchmark; None checks all that ship, or takes whatever lies in the user's places for what it
            looks like.
        as_json: Print a JSON list of findings, and nothing else.

    Returns:
        0 for no findings, 1 for some.

    Raises:
        ClickException: A path is neither a file nor a folder.
    """
    for path in paths:
        if not (path.is_file() or path.is_dir()):
            raise click.ClickException(f"{path}: is a device, pipe or socket. Give a file or a folder.")
    findings: list[AuditFinding] = []
    for name, found, unproved in _checked(paths, benchmark):
        findings += found
        if not as_json:
            told = f" Not proved: {'; '.join(unproved)}." if unproved else ""
            count = f"{len(found)} finding{'' if len(found) == 1 else 's'}"
            click.echo(f"{name}: {count} ({CHECKS[name].covers}).{told}")
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            click.echo(str(finding))
    return 1 if findings else 0


def _checked(paths: Sequence[Path], benchmark: Kind | None) -> Iterator[tuple[Kind, list[AuditFinding], list[str]]]:
    given: dict[Kind, list[Path]] = {}
    for path in dict.fromkeys(paths):
        found = sort_items(path)
        # A benchmark that is named takes the place as its task would; logs are never items.
        for kind, items in ({benchmark: [path]} if benchmark and list(found) != ["logs"] else found).items():
            given.setdefault(kind, []).extend(items)
    for name, check in CHECKS.items():
        if name in given:
            yield name, list(dict.fromkeys(check.run(given[name], False))), check.unproved(given[name])
        elif not paths and check.shipped and benchmark in (None, name):
            yield name, check.run([check.shipped()], True), []
