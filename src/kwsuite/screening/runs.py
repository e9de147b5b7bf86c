"""Runs of gated tasks, read from logs."""

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_samples

from kwsuite.analysis.logs import NoLogsError, find_logs, reading
from kwsuite.datasets.gated_sample import BENCHMARK

Cell = Literal["frontier_with", "frontier_without", "mid_with"]

CELLS: tuple[Cell, ...] = ("frontier_with", "frontier_without", "mid_with")


class ScreenError(ValueError):
    """Logs that do not belong into a cell, or cells that do not belong together."""


class RunResult(NamedTuple):
    """One run of one task."""

    task: str
    """The task's name."""
    identity: str
    """What tells the run from others, whatever came of it; a retry and a re-scored copy share it with the first log."""
    reward: float
    """1 or 0; NaN where it was not scored, as after an error or a verifier that broke."""
    content: str
    """Version of the task, its instance, and the hash of its instruction: the same in all cells."""
    model: str
    """The model that ran, as the log names it."""
    solver: str | None = None
    """The solver that replaced the task's own; None where none did."""


def read_cell(cell: Cell, places: Sequence[Path]) -> list[RunResult]:
    """Read the runs of a cell from logs or folders of logs, each run once.

    Where logs of one task id hold the same run, the finished log counts, then the fuller, then the later.

    Raises:
        ScreenError: There are none, a log cannot be read, or a run has another condition than the cell.
    """
    wanted = "without" if cell == "frontier_without" else "with"
    try:
        logs = find_logs(*places, unfinished=True)
    except NoLogsError as error:
        raise ScreenError(f"{cell}: {error}") from error
    unreadable = [f"{log.path} ({log.detail})" for log in logs.left_out if log.reason == "unreadable"]
    if unreadable:
        raise ScreenError(f"{cell}: cannot be read: {', '.join(unreadable)}. Remove the log or run it again.")
    # Superseded logs come first: a run that only they hold counts, any other gives way to the log that counts.
    superseded = [log.path for log in logs.left_out if log.reason == "superseded"]
    headers = {path: read_eval_log(path, header_only=True) for path in superseded}
    headers |= {run.path: run.header for run in logs.runs}
    found: dict[str, RunResult] = {}
    for path, header in headers.items():
        for sample in _samples(path, cell):
            run = _run(sample, header, wanted, path)
            if run is not None:
                found[run.identity] = run
    if not found:
        raise ScreenError(f"{cell}: no runs of gated tasks in the logs that were given. Check the path.")
    return list(found.values())


def chosen_runs(runs: Sequence[RunResult], trials: int, seed: int, cell: Cell) -> dict[str, list[RunResult]]:
    """Take at most `trials` runs of each task, drawn without a look at their outcome or at whether they have one.

    The draw depends on the seed, the cell, the task and the runs' identities only.
    """
    by_task: dict[str, list[RunResult]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: run.identity):
        by_task[run.task].append(run)
    draw = {task: random.Random(f"{seed}|{cell}|{task}") for task in by_task}
    return {task: draw[task].sample(some, trials) if len(some) > trials else some for task, some in by_task.items()}


def _samples(path: str, cell: Cell) -> Iterator[EvalSample]:
    """Read a log's samples, which can be damaged where the header is not."""
    try:
        with reading(path):
            yield from read_eval_log_samples(path, all_samples_required=False)
    except NoLogsError as error:
        raise ScreenError(f"{cell}: {error}") from error


def _run(sample: EvalSample, header: EvalLog, wanted: str, log: str) -> RunResult | None:
    score = (sample.scores or {}).get("verified")
    if score is None and not _is_gated(sample, header):
        return None
    metadata = {**sample.metadata, **((score.metadata if score else None) or {})}
    if metadata.get("condition") != wanted:
        raise ScreenError(
            f"{log}: {sample.id} ran in condition {metadata.get('condition')!r}; this cell is {wanted!r}."
        )
    value = score.value.get("reward") if score and isinstance(score.value, dict) else None
    parts = [metadata.get(key) for key in ("item_version", "seed", "instruction_sha256", "delivery")]
    return RunResult(
        task=str(sample.id),
        identity=f"{header.eval.task_id or header.eval.eval_id}/{sample.id}/{sample.epoch}",
        reward=float(value) if isinstance(value, int | float) else math.nan,
        content="/".join(map(str, parts)),
        model=header.eval.model,
        solver=header.eval.solver,
    )


def _is_gated(sample: EvalSample, header: EvalLog) -> bool:
    """Tell a run that should have been verified; the recitation probe plays gated tasks too, with another scorer."""
    scorers = {scorer.name.rpartition("/")[2] for scorer in header.eval.scorers or ()}
    return sample.metadata.get("benchmark") == BENCHMARK and "verified" in scorers
