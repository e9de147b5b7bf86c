"""The command `kwsuite leaks`."""

import json
from pathlib import Path

import click


@click.command()
@click.argument("task")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def leaks(task: str, folder: Path | None, as_json: bool) -> None:
    """Search FOLDER for what the artefact of the gated TASK (a name, or its folder) tells; default: its own files.

    Exit code 0 when nothing was found, 1 when something was.
    """
    from kwsuite.datasets.data_error import DataError

    try:
        raise SystemExit(run_leaks(task, folder, as_json=as_json))
    except DataError as error:
        raise click.ClickException(str(error)) from error


def run_leaks(task: str, folder: Path | None, *, as_json: bool) -> int:
    """Search a task's own files, or a folder, for what its artefact tells, and print the findings.

    Args:
        task: The name of a task that ships, or the path of a task's folder.
        folder: What to search; None searches the task's instruction and generated data.
        as_json: Print a JSON list of findings instead of lines.

    Returns:
        0 for no findings, 1 for some.

    Raises:
        DataError: There is no such task, or it is broken; or the folder holds no files.
    """
    from kwsuite.audit.gated_leaks import folder_leak_findings, gated_leak_findings
    from kwsuite.audit.gated_proofs import SEEDS
    from kwsuite.datasets.gated import read_gated
    from kwsuite.datasets.gated_set import load_gated_set

    own = Path(task)
    item = read_gated(own) if own.is_dir() else load_gated_set().chosen([task]).items[0]
    findings = gated_leak_findings(item, SEEDS) if folder is None else folder_leak_findings(item, folder)
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings], indent=2, ensure_ascii=False))
    else:
        for finding in findings:
            click.echo(str(finding))
        click.echo(f"{item.task.id}: {len(findings)} finding{'' if len(findings) == 1 else 's'}")
    return 1 if findings else 0
