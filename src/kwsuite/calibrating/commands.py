"""The command `kwsuite calibrate-matching`."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import click
from rich.console import Console
from rich.table import Table

from kwsuite.calibrating.curve import CurvePoint, Labelled, best_point, point_at, threshold_curve, worth
from kwsuite.calibrating.label_sheets import (
    LabelledPair,
    SheetError,
    key_path,
    read_sheet,
    sample_pairs,
    write_sheet,
)
from kwsuite.matching.meaning import THRESHOLDS, EmbeddingUnavailable, Wording, embedding, lexical
from kwsuite.matching.pair_record import PairRecord

_SHOWN_POINTS = 20
_SMALL = 100


@click.command("calibrate-matching")
@click.argument("labels", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--sample",
    "logs",
    type=click.Path(path_type=Path, exists=True),
    help="A log or a folder of logs: draw pairs from them and write LABELS for people to fill in.",
)
@click.option("--size", default=150, show_default=True, type=click.IntRange(1), help="Pairs to draw.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draw.")
@click.option(
    "--match",
    "by",
    type=click.Choice(["recorded", "lexical", "embedding"]),
    default="recorded",
    show_default=True,
    help="Whose similarity to calibrate: the one in the logs, or one computed now.",
)
def calibrate_matching(
    labels: Path, logs: Path | None, size: int, seed: int, by: Literal["recorded", "lexical", "embedding"]
) -> None:
    """Find the similarity at which machine and people agree best that two descriptions name the same problem.

    First write a sheet: kwsuite calibrate-matching LABELS.csv --sample LOGS. Fill its label column with same or
    different. Then run it without --sample.
    """
    try:
        if logs is not None:
            _write(labels, logs, size, seed)
        else:
            _report(labels, by)
    except (SheetError, EmbeddingUnavailable) as error:
        raise click.ClickException(str(error)) from error


def records_in(logs: Path) -> list[PairRecord]:
    """Collect the pairs that problem-spotting logs keep in `Score.metadata["pairs"]`; empty if there are none.

    Raises:
        SheetError: There is no log, or one cannot be read or keeps pairs of another form.
    """
    # Reading logs needs Inspect, which takes seconds to import and which the command line does without until then.
    from inspect_ai.log import list_eval_logs  # noqa: PLC0415

    if not (logs.is_file() or logs.is_dir()):
        raise SheetError(f"{logs}: is a device, pipe or socket. Give a log or a folder of logs.")
    names = [str(logs)] if logs.is_file() else [info.name for info in list_eval_logs(str(logs))]
    return [record for name in names for record in _records_of(name)]


def _records_of(name: str) -> list[PairRecord]:
    from inspect_ai.log import read_eval_log_samples  # noqa: PLC0415

    try:
        return [
            PairRecord.model_validate(pair)
            for sample in read_eval_log_samples(name, all_samples_required=False)
            for score in (sample.scores or {}).values()
            for pair in (score.metadata or {}).get("pairs", [])
        ]
    except Exception as error:  # every way of packing has errors of its own
        told = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        raise SheetError(f"{name}: not a readable log of problem_spotting ({told}). Leave it out.") from error


def _write(labels: Path, logs: Path, size: int, seed: int) -> None:
    records = records_in(logs)
    if not records:
        raise SheetError(f"{logs}: no pairs in these logs. Give logs of problem_spotting.")
    ways = sorted({record.match for record in records})
    if len(ways) > 1:
        # One threshold for two scales means nothing; better said before people label than after.
        raise SheetError(f"{logs}: these logs matched by {' and '.join(ways)}. Give logs of one way of matching.")
    chosen = sample_pairs(records, size, seed)
    write_sheet(labels, chosen)
    click.echo(f"{len(chosen)} of {len(records)} pairs written to {labels}. Fill its label column: same or different.")
    click.echo(f"What the machine said is in {key_path(labels)}; do not look at it while labelling.")


def _report(labels: Path, by: Literal["recorded", "lexical", "embedding"]) -> None:
    pairs, empty = read_sheet(labels)
    labelled = _similarities(pairs, by, labels)
    try:
        curve = threshold_curve(labelled)
        best = best_point(curve)
    except ValueError as error:
        raise SheetError(f"{labels}: {error}.") from error
    console = Console()
    console.print(_table(_thinned(curve, best), best))
    same = sum(pair.same for pair in labelled)
    undecided = len(pairs) - len(labelled)
    left_out = f"; {undecided} left out, for the logs have no similarity of them" if undecided else ""
    console.print(f"{len(labelled)} pairs labelled, {same} of them same{left_out}; {empty} without a label.")
    console.print(_of_what(pairs, labelled, labels))
    console.print(f"Best: {_line(best)}")
    if by != "recorded":
        console.print(f"Default: {_line(point_at(labelled, THRESHOLDS[by]))}")
    if len(labelled) < _SMALL:
        console.print(f"Under {_SMALL} labels the best threshold is a rough guess. Label more before you use it.")


def _similarities(pairs: Sequence[LabelledPair], by: str, labels: Path) -> list[Labelled]:
    wordings = [Wording(pair.finding, pair.problem) for pair in pairs]
    match by:
        case "lexical":
            scores: list[float | None] = [*lexical(wordings)]
        case "embedding":
            scores = [*embedding(wordings)]
        case _:
            scores = [pair.recorded for pair in pairs]
    if pairs and all(score is None for score in scores):
        raise SheetError(f"{labels}: no recorded similarities beside it. Add --match lexical or --match embedding.")
    # A pair that the judge left undecided says nothing about a threshold.
    weighted = all(pair.weight for pair in pairs)
    return [
        Labelled(score, pair.label == "same", pair.weight if weighted and pair.weight else 1.0)
        for pair, score in zip(pairs, scores, strict=True)
        if score is not None
    ]


def _of_what(pairs: Sequence[LabelledPair], labelled: Sequence[Labelled], labels: Path) -> str:
    if not all(pair.weight for pair in pairs):
        return (
            f"Shares are the sheet's, which holds rare kinds of pairs more often than the logs do: {key_path(labels)} "
            "does not give a weight for every pair."
        )
    return (
        "Shares are those of all pairs in the logs: each labelled pair counts for those that it was drawn from, and "
        f"together they say as much as {worth(labelled):.0f} of equal weight."
    )


def _thinned(curve: Sequence[CurvePoint], best: CurvePoint) -> list[CurvePoint]:
    step = math.ceil(len(curve) / _SHOWN_POINTS)
    return sorted({*curve[::step], best}, key=lambda point: point.threshold)


def _line(point: CurvePoint) -> str:
    shares = f"agreement {point.agreement:.2f}, kappa {point.kappa:.2f}, F1 {point.f1:.2f}"
    return f"threshold {point.threshold:.3f}, {shares}."


def _table(points: Sequence[CurvePoint], best: CurvePoint) -> Table:
    table = Table(
        "threshold", "precision", "recall", "F1", "agreement", "kappa", title="Same if similarity is at least"
    )
    for point in points:
        numbers = (point.precision, point.recall, point.f1, point.agreement, point.kappa)
        cells = ["-" if math.isnan(number) else f"{number:.2f}" for number in numbers]
        table.add_row(f"{point.threshold:.3f}", *cells, style="bold" if point == best else "")
    return table
