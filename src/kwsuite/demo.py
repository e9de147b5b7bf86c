"""A run anyone can do: the reference candidates through the real path."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import anyio
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalResults
from rich.console import Console
from rich.table import Table

from kwsuite.datasets.answers import ANSWERS
from kwsuite.datasets.gated import CONDITIONS
from kwsuite.datasets.gated_set import load_gated_set
from kwsuite.reference.names import GRADER
from kwsuite.sandbox.refusal import bwrap_refusal
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.knowledge_gated import SandboxChoice, knowledge_gated
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting

_GRADER = f"reference/{GRADER}"
_RUNS = ("expert", "surface", "null")
_SHOWN_GATED = ("bom-rollup", "clause-risk", "paper-index")


def run_demo(log_dir: Path, benchmark: str | None = None) -> int:
    """Play every reference candidate through every benchmark and print a table for each.

    Args:
        log_dir: Where the logs go; made if missing.
        benchmark: Play this one only, and all of its tasks; None plays all, of knowledge_gated a few tasks.

    Returns:
        0 if every run succeeded, 1 otherwise.
    """
    console = Console()
    console.print("Reference candidates, with no key and no network; what is judged is graded with labels that ship.\n")
    logs: list[EvalLog] = []
    for name in [benchmark] if benchmark else DEMOS:
        played, table = DEMOS[name](console, log_dir, benchmark is not None)
        console.print(table)
        logs += played
    console.print(
        "\n'expert' does it right, 'surface' takes the plausible wrong path, 'null' does nothing of substance, "
        "'near_miss' misses one mandatory criterion, 'cold' was written from the prompt alone. Under knowledge_gated "
        "stand passes and the share of criteria met, with the artefact, without it, and with a perturbed one.\n"
        f"Look inside with: inspect view --log-dir {log_dir}"
    )
    return 0 if all(log.status == "success" for log in logs) else 1


def _play_kwbench(console: Console, log_dir: Path, whole: bool) -> tuple[list[EvalLog], Table]:
    logs = [_run(kwbench(), name, log_dir) for name in ANSWERS]
    return logs, _kwbench_table(logs)


def _play_worlds(console: Console, log_dir: Path, whole: bool) -> tuple[list[EvalLog], Table]:
    logs = [_run(implicit_worlds(), name, log_dir) for name in _RUNS]
    return logs, _worlds_table(logs)


def _play_spotting(console: Console, log_dir: Path, whole: bool) -> tuple[list[EvalLog], Table]:
    logs = [_run(problem_spotting(), name, log_dir) for name in _RUNS]
    return logs, _spotting_table(logs)


def _play_gated(console: Console, log_dir: Path, whole: bool) -> tuple[list[EvalLog], Table]:
    shipped = load_gated_set()
    names = [item.task.id for item in shipped.items]
    chosen = names if whole else [name for name in _SHOWN_GATED if name in names]
    sandbox: SandboxChoice = "bwrap"
    refusal = anyio.run(bwrap_refusal)
    if refusal is not None:
        # Reference candidates run programs that ship, so they may do without a wall around them.
        sandbox = "local"
        console.print(f"knowledge_gated runs without a sandbox here: {refusal}")
    logs = {
        (name, condition): _run(knowledge_gated(condition=condition, tasks=chosen, sandbox=sandbox), name, log_dir)
        for name in _RUNS
        for condition in CONDITIONS
    }
    if len(chosen) < len(names):
        console.print(f"Of the {len(names)} gated tasks {len(chosen)}; all: kwsuite demo --benchmark knowledge_gated")
    rows = [[_gated_cell(logs[name, condition]) for condition in CONDITIONS] for name in _RUNS]
    return list(logs.values()), _table("knowledge_gated", CONDITIONS, _RUNS, rows)


DEMOS: dict[str, Callable[[Console, Path, bool], tuple[list[EvalLog], Table]]] = {
    "kwbench": _play_kwbench,
    "implicit_worlds": _play_worlds,
    "knowledge_gated": _play_gated,
    "problem_spotting": _play_spotting,
}
"""For each benchmark, what plays it and makes its table."""


def _run(task: Task, name: str, log_dir: Path) -> EvalLog:
    return inspect_eval(
        task,
        model=f"reference/{name}",
        model_roles={"grader": _GRADER},
        log_dir=str(log_dir),
        display="none",
    )[0]


def _table(title: str, headings: Sequence[str], names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("candidate")
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, row in zip(names, rows, strict=True):
        table.add_row(f"reference/{name}", *row)
    return table


def _kwbench_table(logs: Sequence[EvalLog]) -> Table:
    headings = ("passed", "neighbours right", "mean score", "graded")
    return _table("kwbench", headings, ANSWERS, [_kwbench_cells(log) for log in logs])


def _kwbench_cells(log: EvalLog) -> list[str]:
    if log.status != "success" or not log.samples:
        return [log.status, "", "", ""]
    gates: dict[str, list[float | None]] = {"positive": [], "neighbour": []}
    scores: list[float] = []
    graded: list[float] = []
    for sample in log.samples:
        score = (sample.scores or {})["conjunctive_gate"]
        value = score.as_dict()
        gates[str(sample.metadata["polarity"])].append(_known(value["gate"]))
        graded.append(_known(value["graded"]) or 0)
        if sample.metadata["polarity"] == "positive" and (known := _known(value["score"])) is not None:
            scores.append(known)
    mean = f"{fmean(scores):.2f}" if scores else "unscored"
    return [*map(_fraction, gates.values()), mean, f"{fmean(graded):.0%}"]


def _worlds_table(logs: Sequence[EvalLog]) -> Table:
    headings = ("passed", "criteria met", "met by doing nothing", "steps")
    return _table("implicit_worlds", headings, _RUNS, [_worlds_cells(log) for log in logs])


def _worlds_cells(log: EvalLog) -> list[str]:
    if log.status != "success" or log.results is None:
        return [log.status, "", "", ""]
    found = _metrics(log.results)
    count = int(found["scenarios"])
    return [
        f"{found['spr'] * count:.0f} of {count}",
        f"{found['nss']:.2f}",
        f"{found['nss_idle']:.2f}",
        f"{found['steps']:.1f}",
    ]


def _spotting_table(logs: Sequence[EvalLog]) -> Table:
    headings = ("F1", "precision", "recall", "clean right", "unreadable")
    return _table("problem_spotting", headings, _RUNS, [_spotting_cells(log) for log in logs])


def _spotting_cells(log: EvalLog) -> list[str]:
    if log.status != "success" or log.results is None:
        return [log.status, "", "", "", ""]
    found = _metrics(log.results)
    clean = int(found["clean_documents"])
    shares = [f"{found[name]:.2f}" for name in ("micro_f1", "micro_precision", "micro_recall")]
    return [*shares, f"{found['clean_rate'] * clean:.0f} of {clean}", f"{found['format_failures']:.0%}"]


def _metrics(results: EvalResults) -> dict[str, int | float]:
    return {name: metric.value for score in results.scores for name, metric in score.metrics.items()}


def _gated_cell(log: EvalLog) -> str:
    if log.status != "success" or not log.samples:
        return log.status
    values = [(sample.scores or {})["verified"].as_dict() for sample in log.samples]
    met = [known for value in values if (known := _known(value["fraction"])) is not None]
    return f"{_fraction([_known(value['reward']) for value in values])}, {f'{fmean(met):.0%}' if met else 'unscored'}"


def _known(value: Any) -> float | None:
    """Give a number of a score; None where it is NaN, which stands for unscored."""
    number = float(value or 0)
    return None if math.isnan(number) else number


def _fraction(passes: Sequence[float | None]) -> str:
    """Write how many passed of all, and how many of them are unscored."""
    known = [one for one in passes if one is not None]
    unscored = len(passes) - len(known)
    return f"{sum(known):.0f} of {len(passes)}" + (f" ({unscored} unscored)" if unscored else "")
