"""A run anyone can do: the reference candidates through the real path."""

from collections.abc import Sequence
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalResults
from rich.console import Console
from rich.table import Table

from kwsuite.datasets.answers import ANSWERS
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.tasks.kwbench import kwbench
from kwsuite.tasks.problem_spotting import problem_spotting

_GRADER = "reference/labels"
_RUNS = ("expert", "surface", "null")


def run_demo(log_dir: Path) -> int:
    """Play every reference candidate through every benchmark and print a table for each.

    Args:
        log_dir: Where the logs go; made if missing.

    Returns:
        0 if every run succeeded, 1 otherwise.
    """
    console = Console()
    console.print("Reference candidates, with no key and no network; the grader answers with what ships.\n")
    answered = [_run(kwbench(), name, log_dir) for name in ANSWERS]
    console.print(_kwbench_table(answered))
    acted = [_run(implicit_worlds(), name, log_dir) for name in _RUNS]
    console.print(_worlds_table(acted))
    spotted = [_run(problem_spotting(), name, log_dir) for name in _RUNS]
    console.print(_spotting_table(spotted))
    console.print(
        "\n'expert' does it right, 'surface' takes the plausible wrong path, 'null' does nothing of substance, "
        "'near_miss' misses one mandatory criterion, 'cold' was written from the prompt alone.\n"
        f"Look inside with: inspect view --log-dir {log_dir}"
    )
    return 0 if all(log.status == "success" for log in (*answered, *acted, *spotted)) else 1


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
    gates: dict[str, list[float]] = {"positive": [], "neighbour": []}
    scores: list[float] = []
    graded: list[float] = []
    for sample in log.samples:
        score = (sample.scores or {})["conjunctive_gate"]
        value = score.as_dict()
        gates[str(sample.metadata["polarity"])].append(float(value["gate"] or 0))
        graded.append(float(value["graded"] or 0))
        if sample.metadata["polarity"] == "positive":
            scores.append(float(value["score"] or 0))
    fractions = [f"{sum(values):.0f} of {len(values)}" for values in gates.values()]
    return [*fractions, f"{sum(scores) / len(scores):.2f}", f"{sum(graded) / len(graded):.0%}"]


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
