"""Runs of gated tasks, read from logs."""

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from inspect_ai.log import EvalSample, list_eval_logs, read_eval_log, read_eval_log_samples

Cell = Literal["frontier_with", "frontier_without", "mid_with"]

CELLS: tuple[Cell, ...] = ("frontier_with", "frontier_without", "mid_with")


class ScreenError(ValueError):
    """Logs that do not belong into a cell, or cells that do not belong together."""


class RunResult(NamedTuple):
    """One run of one task."""

    task: str
    """The task's name."""
    identity: str
    """What tells the run from others, whatever came of it."""
    reward: float
    """1 or 0; NaN where it could not be verified."""
    content: str
    """Version of the task, its instance, and the hash of its instruction: the same in all cells."""


def read_cell(cell: Cell, places: Iterable[Path]) -> list[RunResult]:
    """Read the runs of a cell from logs or folders of logs.

    Raises:
        ScreenError: There are none, or a run has another condition than the cell.
    """
    wanted = "without" if cell == "frontier_without" else "with"
    found = []
    for place in places:
        for log in [str(place)] if place.is_file() else sorted(info.name for info in list_eval_logs(str(place))):
            header = read_eval_log(log, header_only=True)
            for sample in read_eval_log_samples(log, all_samples_required=False):
                run = _run(sample, header.eval.eval_id, wanted, log)
                if run is not None:
                    found.append(run)
    if not found:
        raise ScreenError(f"{cell}: no runs of gated tasks in the logs that were given. Check the path.")
    return list({run.identity: run for run in found}.values())


def chosen_runs(runs: Sequence[RunResult], trials: int, seed: int, cell: Cell) -> dict[str, list[RunResult]]:
    """Take at most `trials` verified runs of each task, drawn without a look at their outcome.

    Runs that could not be verified are no trials. The draw depends on the seed, the cell, the task and the runs'
    identities only.
    """
    by_task: dict[str, list[RunResult]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: run.identity):
        if not math.isnan(run.reward):
            by_task[run.task].append(run)
    draw = {task: random.Random(f"{seed}|{cell}|{task}") for task in by_task}
    return {task: draw[task].sample(some, trials) if len(some) > trials else some for task, some in by_task.items()}


def _run(sample: EvalSample, log_id: str, wanted: str, log: str) -> RunResult | None:
    score = (sample.scores or {}).get("verified")
    if score is None:
        return None
    metadata = score.metadata or {}
    if metadata.get("condition") != wanted:
        raise ScreenError(
            f"{log}: {sample.id} ran in condition {metadata.get('condition')!r}; this cell is {wanted!r}."
        )
    value = score.value.get("reward") if isinstance(score.value, dict) else None
    reward = float(value) if isinstance(value, int | float) else math.nan
    parts = [metadata.get(key) for key in ("item_version", "seed", "instruction_sha256", "delivery")]
    return RunResult(str(sample.id), f"{log_id}/{sample.id}/{sample.epoch}", reward, "/".join(map(str, parts)))
