"""The command `kwsuite screen`."""

from pathlib import Path

import click

_LOGS = click.Path(exists=True, path_type=Path)


@click.command()
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
@click.option("--allow-reference", is_flag=True, help="Take runs of scripted reference candidates, to try the screen.")
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
    allow_reference: bool,
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
            allow_reference=allow_reference,
        )
    except ScreenError as error:
        raise click.ClickException(str(error)) from error
    if csv_file is not None:
        try:
            csv_file.write_text(screen_csv(decided), encoding="utf-8", newline="\n")
        except OSError as error:
            raise click.ClickException(
                f"{csv_file}: cannot be written ({error.strerror}). Name another file."
            ) from error
    if as_json:
        click.echo(screen_json(decided))
    else:
        print_screen(decided)
