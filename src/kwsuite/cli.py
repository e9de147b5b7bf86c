"""The console script `kwsuite`."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kwsuite.analysis.commands import compare, report
from kwsuite.audit.leaks_command import leaks
from kwsuite.calibrating.commands import calibrate_matching
from kwsuite.screening.commands import screen

if TYPE_CHECKING:
    from kwsuite.audit.sorting import Kind

_BENCHMARKS = ("kwbench", "implicit_worlds", "knowledge_gated", "problem_spotting")
_FORMATS = ("kwbench", "worlds", "gated", "spotting")
_FOLDER = click.option(
    "--folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), show_default="here"
)


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
@click.argument("kind", type=click.Choice(_FORMATS))
def schema(kind: str) -> None:
    """Print the JSON Schema of an authored file, for editors."""
    import json

    from pydantic import BaseModel

    from kwsuite.datasets.gated_format import GatedTask
    from kwsuite.datasets.kwbench import KwbenchItem
    from kwsuite.datasets.spotting import SpottingDocument
    from kwsuite.datasets.world_format import Scenario

    models: dict[str, type[BaseModel]] = {
        "kwbench": KwbenchItem,
        "worlds": Scenario,
        "gated": GatedTask,
        "spotting": SpottingDocument,
    }
    click.echo(json.dumps(models[kind].model_json_schema(), indent=2))


@main.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--benchmark", type=click.Choice(_BENCHMARKS), help="Check one that ships, or take PATHS for items of it."
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON, and nothing else.")
def check(paths: tuple[Path, ...], benchmark: "Kind | None", as_json: bool) -> None:
    """Check authored data: what ships, or the items in PATHS; or finished logs (.eval files, folders of them).

    A folder may mix items of several benchmarks and logs: each is checked as what it is, and every benchmark has its
    line, which also says what nothing proved. Exit code 0 when nothing was found, 1 when something was.
    """
    from kwsuite.audit.run import run_checks

    raise SystemExit(run_checks(paths, benchmark, as_json=as_json))


@main.group()
def new() -> None:
    """Start an item of your own from a template that passes the check."""


@new.command("kwbench")
@click.argument("name")
@_FOLDER
def new_kwbench(name: str, folder: Path) -> None:
    """Write the folder NAME with an item to change part by part; docs/authoring-kwbench.md is the guide."""
    from kwsuite.from_template import write_kwbench

    path = _wrote(partial(write_kwbench, name, folder))
    roles = "--model reference/expert --model-role grader=reference/labels"
    click.echo(f"Run it with: inspect eval kwsuite/kwbench -T dataset={path} {roles}")


@new.command("world")
@click.argument("name")
@_FOLDER
def new_world(name: str, folder: Path) -> None:
    """Write a scenario NAME.yaml to change part by part; docs/authoring-worlds.md is the guide."""
    from kwsuite.from_template import write_from_template

    path = _wrote(partial(write_from_template, "world.yaml", "SCENARIO_ID", name, folder))
    click.echo(f"Run it with: inspect eval kwsuite/implicit_worlds -T dataset={path} --model reference/expert")


@new.command("spotting")
@click.argument("name")
@click.option("--language", type=click.Choice(["en", "zh"]), default="en", show_default=True)
@_FOLDER
def new_spotting(name: str, language: str, folder: Path) -> None:
    """Write a document NAME.yaml with planted problems to change part by part; docs/authoring-spotting.md guides."""
    from kwsuite.from_template import write_from_template

    path = _wrote(partial(write_from_template, f"spotting_{language}.yaml", "DOCUMENT_ID", name, folder))
    run = f"inspect eval kwsuite/problem_spotting -T dataset={path} -T match=lexical --model reference/expert"
    click.echo(f"Run it with: {run}")


@new.command("gated")
@click.argument("name")
@_FOLDER
def new_gated(name: str, folder: Path) -> None:
    """Write the folder NAME with a gated task to change part by part; docs/authoring-gated.md is the guide."""
    from kwsuite.new_gated import write_new_gated

    path = _wrote(partial(write_new_gated, name, folder))
    run = f"inspect eval kwsuite/knowledge_gated -T dataset={path} -T sandbox=bwrap --model reference/expert"
    click.echo(f"Run it with: {run}")


def _wrote(write: Callable[[], Path]) -> Path:
    from kwsuite.datasets.data_error import DataError

    try:
        path = write()
    except DataError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"Wrote {path}. Check it with: kwsuite check {path}")
    return path


@main.command()
@click.option("--log-dir", type=click.Path(file_okay=False, path_type=Path), default="logs/demo", show_default=True)
@click.option("--benchmark", type=click.Choice(_BENCHMARKS), help="Play one benchmark, all of its tasks.")
def demo(log_dir: Path, benchmark: str | None) -> None:
    """Play the reference candidates through every benchmark, with no key and no network, and print a table for each."""
    from kwsuite.datasets.data_error import DataError
    from kwsuite.datasets.writing import writing
    from kwsuite.demo import run_demo

    try:
        with writing(log_dir):
            log_dir.mkdir(parents=True, exist_ok=True)
    except DataError as error:
        raise click.ClickException(str(error)) from error
    raise SystemExit(run_demo(log_dir, benchmark))


@main.group()
def export() -> None:
    """Write data in the form that others read."""


@export.command("hub")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--dataset", default="bundled", show_default=True, help="The items, as the task kwbench takes them.")
def export_to_hub(folder: Path, dataset: str) -> None:
    """Write items to FOLDER as a dataset repository for the Hugging Face Hub.

    It runs with kwsuite, and by its eval.yaml with Inspect alone: inspect eval hf/OWNER/NAME
    """
    from kwsuite.datasets.data_error import DataError
    from kwsuite.datasets.hub_export import export_hub

    try:
        for path in export_hub(folder, dataset):
            click.echo(f"wrote {path}")
    except DataError as error:
        raise click.ClickException(str(error)) from error


main.add_command(report)
main.add_command(compare)
main.add_command(calibrate_matching)
main.add_command(leaks)
main.add_command(screen)

if __name__ == "__main__":
    main()
