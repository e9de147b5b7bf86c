"""The console script `kwsuite`."""

from pathlib import Path

import click

_BENCHMARKS = ("kwbench", "gated")
_LOGS = click.Path(exists=True, path_type=Path)


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


@main.command()
@click.option("--frontier-with", "frontier_with", multiple=True, required=True, type=_LOGS, help="Logs or folders.")
@click.option(
    "--frontier-without", "frontier_without", multiple=True, required=True, type=_LOGS, help="Logs or folders."
)
@click.option("--mid-with", "mid_with", multiple=True, required=True, type=_LOGS, help="Logs or folders.")
@click.option("--min-frontier-with", type=float, default=0.60, show_default=True, help="Smallest rate to keep a task.")
@click.option("--max-frontier-without", type=float, default=0.0, show_default=True, help="Largest rate to keep it.")
@click.option("--max-mid-with", type=float, default=0.40, show_default=True, help="Largest rate to keep it.")
@click.option("--trials", type=int, default=5, show_default=True, help="Runs that decide in each cell.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw where there are more runs.")
@click.option("--csv", "csv_file", type=click.Path(dir_okay=False, path_type=Path), help="Write a row a task here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of the table.")
def screen(
    *,
    frontier_with: tuple[Path, ...],
    frontier_without: tuple[Path, ...],
    mid_with: tuple[Path, ...],
    min_frontier_with: float,
    max_frontier_without: float,
    max_mid_with: float,
    trials: int,
    seed: int,
    csv_file: Path | None,
    as_json: bool,
) -> None:
    """Decide from logs of knowledge_gated which tasks to keep: three cells of runs against three thresholds."""
    from kwsuite.screening.output import print_screen, screen_csv, screen_json
    from kwsuite.screening.runs import ScreenError, read_cell
    from kwsuite.screening.screen import Thresholds
    from kwsuite.screening.screen import screen as decide

    try:
        decided = decide(
            {
                "frontier_with": read_cell("frontier_with", frontier_with),
                "frontier_without": read_cell("frontier_without", frontier_without),
                "mid_with": read_cell("mid_with", mid_with),
            },
            Thresholds(min_frontier_with, max_frontier_without, max_mid_with),
            trials,
            seed,
        )
    except ScreenError as error:
        raise click.ClickException(str(error)) from error
    if csv_file is not None:
        csv_file.write_text(screen_csv(decided), encoding="utf-8", newline="\n")
    if as_json:
        click.echo(screen_json(decided))
    else:
        print_screen(decided)


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
