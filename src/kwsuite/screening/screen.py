"""The retention rule and the numbers around it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple

from kwsuite.screening.agents import Agent, agents_of
from kwsuite.screening.runs import CELLS, Cell, RunResult, ScreenError, chosen_runs
from kwsuite.verdicts import rate_interval, wilson


class Thresholds(NamedTuple):
    """When a task is kept; the defaults are those of arXiv 2608.30322."""

    frontier_with: float = 0.60
    """Smallest pass rate of the frontier agent with the artefact."""
    frontier_without: float = 0.0
    """Largest pass rate without it."""
    mid_with: float = 0.40
    """Largest pass rate of the weaker agent with it."""


@dataclass(frozen=True)
class Count:
    """Passes among the runs of one cell of one task, or of all tasks."""

    passes: int
    runs: int

    @property
    def rate(self) -> float:
        """Share that passes; NaN for no runs."""
        return self.passes / self.runs if self.runs else math.nan

    @property
    def variance(self) -> float:
        """`p (1 - p)`: 0 where all runs agree; NaN for no runs."""
        return self.rate * (1 - self.rate)

    @property
    def wilson(self) -> tuple[float, float] | None:
        """The 95 % interval of Wilson (1927); None for no runs."""
        return wilson(self.passes, self.runs) if self.runs else None


@dataclass(frozen=True)
class ScreenedTask:
    """One task and its decision."""

    task: str
    cells: Mapping[Cell, Count]
    reasons: tuple[str, ...]
    """Why it is not kept; empty for a kept task."""
    missing: Mapping[Cell, int]
    """Scored runs that each cell lacks; a task with any is undecided."""
    unscored: Mapping[Cell, int]
    """Runs of each cell that were drawn and have no score."""
    boundary: tuple[Cell, ...]
    """Cells that one run with another outcome would bring to the other side of their threshold.

    The decision need not turn with it, as where another cell rejects the task too.
    """

    @property
    def decision(self) -> str:
        """`kept`, `rejected`, or `undecided` for want of runs."""
        if any(self.missing.values()):
            return "undecided"
        return "rejected" if self.reasons else "kept"


@dataclass(frozen=True)
class Pooled:
    """A cell over all tasks."""

    count: Count
    clustered: tuple[float, float] | None
    """95 % interval of the mean over tasks, with tasks as the units; None for fewer than two tasks.

    That of `verdicts.rate_interval` over the tasks' rates.
    """


@dataclass(frozen=True)
class Screen:
    """The whole screen."""

    tasks: tuple[ScreenedTask, ...]
    agents: Mapping[Cell, Agent]
    """Who ran each cell that has runs."""
    pooled: Mapping[Cell, Pooled]
    variance_all: float
    """Mean `p (1 - p)` over both cells with the artefact of all tasks; NaN for none."""
    variance_kept: float
    """The same over kept tasks."""

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of kept tasks."""
        return tuple(task.task for task in self.tasks if task.decision == "kept")


def screen(
    runs: Mapping[Cell, Sequence[RunResult]],
    thresholds: Thresholds | None = None,
    trials: int = 5,
    seed: int = 0,
    *,
    allow_reference: bool = False,
) -> Screen:
    """Decide every task.

    Args:
        runs: The runs of each cell.
        thresholds: When to keep; None takes the paper's.
        trials: Runs that decide in each cell, at least 1; more are down-sampled, fewer with a score leave the task
            undecided.
        seed: Of the down-sampling.
        allow_reference: Whether scripted reference candidates may fill a cell.

    Raises:
        ScreenError: A task was run in different versions, the cells were not run by the agents that belong there, or a
            setting is out of range.
    """
    limits = thresholds or Thresholds()
    if trials < 1 or not all(0 <= limit <= 1 for limit in limits):
        raise ScreenError(f"trials ({trials}) must be at least 1 and thresholds ({tuple(limits)}) from 0 to 1.")
    agents = agents_of(runs, allow_reference=allow_reference)
    _insist_on_one_content(runs)
    taken = {cell: chosen_runs(runs.get(cell, ()), trials, seed, cell) for cell in CELLS}
    names = sorted({run.task for some in runs.values() for run in some})
    tasks = tuple(_decide(name, {cell: taken[cell].get(name, []) for cell in CELLS}, limits, trials) for name in names)
    kept = [task for task in tasks if task.decision == "kept"]
    pooled = {cell: _pool(tasks, cell) for cell in CELLS}
    return Screen(tasks, agents, pooled, _variance(tasks), _variance(kept))


def _insist_on_one_content(runs: Mapping[Cell, Sequence[RunResult]]) -> None:
    contents: dict[str, set[str]] = {}
    for some in runs.values():
        for run in some:
            contents.setdefault(run.task, set()).add(run.content)
    mixed = sorted(task for task, found in contents.items() if len(found) > 1)
    if mixed:
        raise ScreenError(
            f"{', '.join(mixed)}: the runs differ in version, seed, instruction or delivery, so their rates cannot be "
            "compared. Run the cells afresh with the same settings."
        )


def _count(runs: Sequence[RunResult]) -> Count:
    return Count(sum(run.reward == 1 for run in runs), sum(not math.isnan(run.reward) for run in runs))


def _decide(name: str, runs: Mapping[Cell, Sequence[RunResult]], limits: Thresholds, trials: int) -> ScreenedTask:
    counts = {cell: _count(runs[cell]) for cell in CELLS}
    unscored = {cell: len(runs[cell]) - counts[cell].runs for cell in CELLS}
    missing = {cell: max(0, trials - counts[cell].runs) for cell in CELLS}
    reasons = tuple(
        f"{cell.replace('_', ' ')} {counts[cell].passes}/{counts[cell].runs} is {_told(cell, limits)}"
        for cell in CELLS
        if counts[cell].runs and not _holds(cell, counts[cell].rate, limits)
    )
    boundary = tuple(cell for cell in CELLS if counts[cell].runs and _turns(cell, counts[cell], limits))
    return ScreenedTask(name, counts, reasons, missing, unscored, boundary)


def _holds(cell: Cell, rate: float, limits: Thresholds) -> bool:
    limit = getattr(limits, cell)
    return bool(rate >= limit - 1e-12) if cell == "frontier_with" else bool(rate <= limit + 1e-12)


def _turns(cell: Cell, count: Count, limits: Thresholds) -> bool:
    """Tell whether one run with another outcome would change whether a cell's condition holds."""
    near = [Count(count.passes + step, count.runs).rate for step in (-1, 1) if 0 <= count.passes + step <= count.runs]
    return any(_holds(cell, rate, limits) != _holds(cell, count.rate, limits) for rate in near)


def _told(cell: Cell, limits: Thresholds) -> str:
    side = "below" if cell == "frontier_with" else "above"
    return f"{side} {getattr(limits, cell):.0%}"


def _pool(tasks: Sequence[ScreenedTask], cell: Cell) -> Pooled:
    counts = [task.cells[cell] for task in tasks if task.cells[cell].runs]
    total = Count(sum(count.passes for count in counts), sum(count.runs for count in counts))
    return Pooled(total, None if len(counts) < 2 else rate_interval([count.rate for count in counts]))


def _variance(tasks: Sequence[ScreenedTask]) -> float:
    cells: tuple[Cell, ...] = ("frontier_with", "mid_with")
    found = [task.cells[cell].variance for task in tasks for cell in cells if task.cells[cell].runs]
    return fmean(found) if found else math.nan
