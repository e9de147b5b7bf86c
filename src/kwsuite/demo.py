"""A run anyone can do: the reference candidates through the real path."""

from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog
from rich.console import Console
from rich.table import Table

from kwsuite.datasets.answers import ANSWERS
from kwsuite.tasks.kwbench import kwbench

_GRADER = "reference/labels"


def run_demo(log_dir: Path) -> int:
    """Play every reference candidate through kwbench and print one table.

    Args:
        log_dir: Where the logs go; made if missing.

    Returns:
        0 if every run succeeded, 1 otherwise.
    """
    console = Console()
    console.print("Reference candidates through kwbench; the grader answers with the labels that ship.\n")
    logs = [_run(name, log_dir) for name in ANSWERS]
    table = Table(title="kwbench", title_justify="left")
    for heading in ("candidate", "passed", "neighbours right", "mean score", "graded"):
        table.add_column(heading, justify="left" if heading == "candidate" else "right")
    for name, log in zip(ANSWERS, logs, strict=True):
        table.add_row(f"reference/{name}", *_cells(log))
    console.print(table)
    console.print(
        "\n'expert' does it right, 'surface' takes the plausible wrong path, 'null' does nothing of substance, "
        "'near_miss' misses one mandatory criterion, 'cold' was written from the prompt alone.\n"
        f"Look inside with: inspect view --log-dir {log_dir}"
    )
    return 0 if all(log.status == "success" for log in logs) else 1


def _run(name: str, log_dir: Path) -> EvalLog:
    return inspect_eval(
        kwbench(),
        model=f"reference/{name}",
        model_roles={"grader": _GRADER},
        log_dir=str(log_dir),
        display="none",
    )[0]


def _cells(log: EvalLog) -> list[str]:
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
