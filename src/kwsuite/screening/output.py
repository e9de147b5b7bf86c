"""A screen as a table, CSV and JSON."""

import csv
import io
import json
import math
from typing import Any

from rich.console import Console
from rich.table import Table

from kwsuite.screening.runs import CELLS
from kwsuite.screening.screen import Count, Screen, ScreenedTask


def print_screen(screen: Screen, console: Console | None = None) -> None:
    """Print one row a task, then the pooled rates."""
    out = console or Console()
    table = Table(title="Calibration screen", title_justify="left")
    for heading in ("task", *(cell.replace("_", " ") for cell in CELLS), "unscored", "decision", "why"):
        table.add_column(heading, overflow="fold")
    for task in screen.tasks:
        cells = [f"{_cell(task.cells[cell])}{' *' if cell in task.boundary else ''}" for cell in CELLS]
        table.add_row(task.task, *cells, str(sum(task.unscored.values())), task.decision, _why(task))
    out.print(table)
    for cell in CELLS:
        pooled = screen.pooled[cell]
        clustered = _interval(pooled.clustered)
        name = cell.replace("_", " ")
        out.print(f"{name}, {screen.agents.get(cell, 'nobody')}:", markup=False, soft_wrap=True)
        out.print(f"  {_cell(pooled.count)} by Wilson; {clustered} with tasks as units")
    everywhere, kept = _number(screen.variance_all), _number(screen.variance_kept)
    out.print(
        f"{len(screen.kept)} of {len(screen.tasks)} kept. Mean p(1-p) with the artefact: {everywhere} over all tasks, "
        f"{kept} over kept ones.\n"
        "* one run with another outcome would change this cell's side of its threshold."
    )


def screen_json(screen: Screen) -> str:
    """Write everything as JSON; a number that is not known is null."""
    pooled = {cell: {**_count(screen.pooled[cell].count), "clustered": screen.pooled[cell].clustered} for cell in CELLS}
    record = {
        "tasks": [_record(task) for task in screen.tasks],
        "agents": {cell: agent._asdict() for cell, agent in screen.agents.items()},
        "pooled": pooled,
        "kept": list(screen.kept),
        "variance_all": _known(screen.variance_all),
        "variance_kept": _known(screen.variance_kept),
    }
    return json.dumps(record, indent=2)


def screen_csv(screen: Screen) -> str:
    """Write one row a task."""
    made = io.StringIO()
    parts = ("passes", "runs", "low", "high", "variance", "missing", "unscored")
    columns = [f"{cell}_{part}" for cell in CELLS for part in parts]
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(["task", *columns, "decision", "boundary", "why"])
    for task in screen.tasks:
        values: list[Any] = []
        for cell in CELLS:
            count = task.cells[cell]
            low, high = count.wilson or ("", "")
            values += [count.passes, count.runs, low, high, _known(count.variance)]
            values += [task.missing[cell], task.unscored[cell]]
        writer.writerow([task.task, *values, task.decision, " ".join(task.boundary), _why(task)])
    return made.getvalue()


def _record(task: ScreenedTask) -> dict[str, Any]:
    cells = {
        cell: {**_count(task.cells[cell]), "missing": task.missing[cell], "unscored": task.unscored[cell]}
        for cell in CELLS
    }
    return {
        "task": task.task,
        "cells": cells,
        "decision": task.decision,
        "reasons": list(task.reasons),
        "boundary": list(task.boundary),
    }


def _count(count: Count) -> dict[str, Any]:
    return {
        "passes": count.passes,
        "runs": count.runs,
        "rate": _known(count.rate),
        "wilson": count.wilson,
        "variance": _known(count.variance),
    }


def _why(task: ScreenedTask) -> str:
    lacking = [
        f"{cell.replace('_', ' ')} needs {n} more{f' ({task.unscored[cell]} unscored)' if task.unscored[cell] else ''}"
        for cell, n in task.missing.items()
        if n > 0
    ]
    return "; ".join([*lacking, *task.reasons])


def _cell(count: Count) -> str:
    return f"{count.passes}/{count.runs} {_interval(count.wilson)}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return "no interval" if bounds is None else f"[{bounds[0]:.1%}, {bounds[1]:.1%}]".replace("%", "")


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.4f}"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
