"""The commands `report` and `compare`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from kwsuite.analysis.options import Unusable, finite, level_of_confidence

if TYPE_CHECKING:
    from kwsuite.analysis.comparing import FailIf
    from kwsuite.analysis.findings import Findings
    from kwsuite.analysis.frames import Frames
    from kwsuite.analysis.passes import PassRule

Form = Literal["html", "csv", "json", "parquet"]


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File (html, json) or folder (csv, parquet).")
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "csv", "json", "parquet"]),
    default="html",
    show_default=True,
    help="A page for people, or its tables for programs.",
)
@click.option("--title", default="Evaluation report", show_default=True, help="Heading of the page.")
@click.option("--top", type=click.IntRange(2), help="Set only the N best candidates against each other.")
@click.option(
    "--rule",
    type=click.Choice(["majority", "any", "all", "best_run"]),
    default="majority",
    show_default=True,
    help="When an item with several epochs counts as passed.",
)
@click.option(
    "--pass-at",
    type=float,
    callback=finite,
    help="The score from which a sample passes, for scorers without pass or fail.",
)
@click.option("--by", default="category", show_default=True, help="The sample metadata key that groups items.")
@click.option("--scorer", help="The scorer to read, where a log has several.")
@click.option("--value", help="The key to read from another scorer's map of values.")
@click.option(
    "--level",
    type=float,
    default=0.95,
    show_default=True,
    callback=level_of_confidence,
    help="Confidence of intervals.",
)
@click.option(
    "--view",
    default="http://127.0.0.1:7575",
    show_default=True,
    help="Address of Inspect View for links to samples; empty for none.",
)
@click.option("--unfinished", is_flag=True, help="Count interrupted logs too.")
def report(
    logs: tuple[str, ...],
    *,
    output: Path | None,
    form: Form,
    title: str,
    top: int | None,
    rule: "PassRule",
    pass_at: float | None,
    by: str,
    scorer: str | None,
    value: str | None,
    level: float,
    view: str,
    unfinished: bool,
) -> None:
    """Say what LOGS hold: who passes what, who complements whom, where it fails, and how sure that is.

    LOGS are folders, log files, or fsspec URLs of either. A summary is printed; with -o the report is written. Links to
    samples work while `inspect view --log-dir LOGS` runs.
    """
    from rich.console import Console

    from kwsuite.analysis.findings import find
    from kwsuite.analysis.frames import read_frames
    from kwsuite.analysis.logs import NoLogsError
    from kwsuite.analysis.terminal import reading, summary

    try:
        with reading(Console(stderr=True)) as progress:
            frames = read_frames(
                *logs,
                unfinished=unfinished,
                scorer=scorer,
                value=value,
                pass_at=pass_at,
                by=by,
                progress=progress,
            )
    except NoLogsError as error:
        raise Unusable(str(error)) from error
    if frames.items[["passed", "score"]].isna().all(axis=None):
        raise Unusable(
            "No sample in these logs has a score that can be read. Name the scorer with --scorer, or its key with "
            "--value."
        )
    findings = find(frames, level, rule, top, view or None)
    console = Console()
    console.print(summary(findings, frames.left_out, console.width))
    if output is None and form == "html":
        click.echo("\nWrite it as a page with -o report.html.")
        return
    for path in _written(findings, frames, output, form, title):
        click.echo(f"wrote {path}")


@click.command()
@click.argument("a")
@click.argument("b")
@click.option(
    "--margin",
    type=click.FloatRange(0, 1),
    callback=finite,
    default=0.0,
    help="Differences up to this share do not matter.",
)
@click.option(
    "--fail-if",
    type=click.Choice(["worse", "different", "unproven"]),
    help="Exit with 1 if B is worse, if it differs, or unless B is shown to lose no more than the margin.",
)
@click.option(
    "--metric",
    type=click.Choice(["auto", "pass", "score"]),
    default="auto",
    show_default=True,
    help="What is compared.",
)
@click.option("--first", help="The candidate of A, where it has several.")
@click.option("--second", help="The candidate of B, where it has several.")
@click.option("--scorer", help="The scorer to read, where a log has several.")
@click.option("--value", help="The key to read from another scorer's map of values.")
@click.option(
    "--pass-at",
    type=float,
    callback=finite,
    help="The score from which a sample passes, for scorers without pass or fail.",
)
@click.option("--level", type=float, default=0.95, show_default=True, callback=level_of_confidence, help="Confidence.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of a table.")
@click.option("--unfinished", is_flag=True, help="Count interrupted logs too.")
def compare(
    a: str,
    b: str,
    *,
    margin: float,
    fail_if: "FailIf | None",
    metric: Literal["auto", "pass", "score"],
    first: str | None,
    second: str | None,
    scorer: str | None,
    value: str | None,
    pass_at: float | None,
    level: float,
    as_json: bool,
    unfinished: bool,
) -> None:
    """Compare the logs B with the logs A, item by item.

    A and B are logs, folders or URLs. The exit code is 1 when --fail-if applies, 2 when nothing can be compared,
    else 0.
    """
    from rich.console import Console

    from kwsuite.analysis.comparing import NoMatchError, comparison_table, fails
    from kwsuite.analysis.comparing import compare as compare_frames
    from kwsuite.analysis.frames import read_frames
    from kwsuite.analysis.logs import NoLogsError
    from kwsuite.analysis.terminal import comparison_summary, reading
    from kwsuite.analysis.wording import counted

    try:
        with reading(Console(stderr=True)) as progress:
            sides = [
                read_frames(
                    side,
                    unfinished=unfinished,
                    scorer=scorer,
                    value=value,
                    pass_at=pass_at,
                    details=False,
                    progress=progress,
                )
                for side in (a, b)
            ]
        found = compare_frames(
            *sides,
            margin=margin,
            level=level,
            metric=metric,
            first=first,
            second=second,
        )
    except (NoLogsError, NoMatchError) as error:
        raise Unusable(str(error)) from error
    broken = fails(found, fail_if, margin) if fail_if else []
    if as_json:
        click.echo(comparison_table(found).to_json(orient="records", indent=1))
    else:
        Console().print(comparison_summary(found, margin, level))
    if broken:
        verb = "is" if len(broken) == 1 else "are"
        click.echo(
            f"failed: {len(broken)} of {counted(len(found), 'comparison')} {verb} {fail_if} (margin {margin})", err=True
        )
        sys.exit(1)


def _written(
    findings: "Sequence[Findings]", frames: "Frames", output: Path | None, form: Form, title: str
) -> list[Path]:
    try:
        if form == "html":
            return [_page(findings, frames, output or Path("report.html"), title)]
        from kwsuite.analysis.export import write_tables

        default = Path("report.json") if form == "json" else Path(f"report-{form}")
        return write_tables(findings, frames, output or default, form)
    except ImportError as error:
        raise Unusable(f"{error}. This format needs: pip install 'kwsuite[report]'") from error
    except OSError as error:
        raise Unusable(f"cannot write the report: {error}. Name another place with -o.") from error


def _page(findings: "Sequence[Findings]", frames: "Frames", output: Path, title: str) -> Path:
    from datetime import UTC, datetime

    from kwsuite.analysis.page import render_page

    made = f"{datetime.now(UTC):%d %B %Y, %H:%M} UTC"
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(render_page(findings, frames, title, made), encoding="utf-8")
    return output
