"""The console script `kwsuite`."""

from pathlib import Path

import click

_BENCHMARKS = ("kwbench", "gated")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kwsuite")
def main() -> None:
    """Evaluations of AI models in knowledge work, for Inspect AI.

    Run a benchmark with: inspect eval kwsuite/kwbench --model PROVIDER/MODEL
    """


@main.command("list")
def list_tasks() -> None:
    """List the tasks with their arguments and model roles."""
    from kwsuite.listing import print_tasks

    print_tasks()


@main.command()
@click.argument("kind", type=click.Choice(_BENCHMARKS))
def schema(kind: str) -> None:
    """Print the JSON Schema of an authored file, for editors."""
    import json

    from kwsuite.datasets.gated_format import GatedTask
    from kwsuite.datasets.kwbench import KwbenchItem

    models: dict[str, type[KwbenchItem] | type[GatedTask]] = {"kwbench": KwbenchItem, "gated": GatedTask}
    click.echo(json.dumps(models[kind].model_json_schema(), indent=2))


@main.command()
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--benchmark", type=click.Choice(_BENCHMARKS), help="Check one benchmark; default: all that ship.")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(path: Path | None, benchmark: str | None, as_json: bool) -> None:
    """Check authored data: what ships, or the items in PATH; or finished logs (an .eval file, a folder of them).

    Exit code 0 when nothing was found, 1 when something was.
    """
    from kwsuite.audit.run import run_checks

    raise SystemExit(run_checks(path, benchmark, as_json=as_json))


@main.command()
@click.argument("task")
@click.argument("folder", required=False, type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def leaks(task: str, folder: Path | None, as_json: bool) -> None:
    """Search FOLDER for what the artefact of the gated TASK (a name, or its folder) tells; default: its own files.

    Exit code 0 when nothing was found, 1 when something was.
    """
    from kwsuite.audit.leaks_command import run_leaks

    raise SystemExit(run_leaks(task, folder, as_json=as_json))


@main.group()
def new() -> None:
    """Start an item of your own from a finished one."""


@new.command("gated")
@click.argument("name")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), show_default=True)
def new_gated(name: str, folder: Path) -> None:
    """Write the folder NAME with a gated task that passes `kwsuite check`."""
    from kwsuite.datasets.data_error import DataError
    from kwsuite.new_gated import write_new_gated

    try:
        path = write_new_gated(name, folder)
    except DataError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{path}: change it, then run: kwsuite check --benchmark gated {path}")


@main.command()
@click.option("--log-dir", type=click.Path(file_okay=False, path_type=Path), default=Path("logs"), show_default=True)
def demo(log_dir: Path) -> None:
    """Play the reference candidates through every benchmark, with no key and no network, and print one table."""
    from kwsuite.demo import run_demo

    raise SystemExit(run_demo(log_dir))


if __name__ == "__main__":
    main()
