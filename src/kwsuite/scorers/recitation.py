"""Scoring the recitation probe: is what was recited right, and is what was answered right?"""

import math
import re
from functools import partial
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from kwsuite.asking.reply import json_values
from kwsuite.checking import Tolerance, same_value
from kwsuite.datasets.gated_arms import item_of
from kwsuite.datasets.gated_outputs import CollectedOutputs, verified_checks
from kwsuite.datasets.gated_sample import arm_of
from kwsuite.datasets.recitation_sample import RECITED_KEY
from kwsuite.scorers.sample_values import item_means, mean, number, refuse_mixed_versions
from kwsuite.verdicts import rate_interval

_FILE = re.compile(r"^=====[ \t]*outputs/(\S+)[ \t]*=====[ \t]*\n", re.MULTILINE)
_CELLS = {"recited_answered": (1, 1), "recited_only": (1, 0), "answered_only": (0, 1), "neither": (0, 0)}
"""What was recited and answered right in each cell of the table."""
_EXACT = Tolerance(1e-9)


@metric(scores="unreduced")
def cross_table() -> Metric:
    """Share of runs by what was right: `recited_answered`, `recited_only`, `answered_only`, `neither`.

    Each is averaged within a task and then over tasks, so the four add up to 1; beside it stand its 95 % interval over
    tasks (`recited_answered_low`, `recited_answered_high`; `rate_interval` says which) and its number of runs
    (`recited_answered_runs`). `tasks` counts the tasks. NaN and 0 for no runs.

    Raises:
        ValueError: Runs were scored on different versions of the tasks.
    """

    def compute(scores: list[SampleScore]) -> Value:
        refuse_mixed_versions(scores)
        table: dict[str, float] = {}
        for cell in _CELLS:
            means = item_means(scores, partial(_falls_into, cell=cell))
            low, high = rate_interval(means)
            table |= {cell: mean(means), f"{cell}_low": low, f"{cell}_high": high}
            table[f"{cell}_runs"] = sum(_falls_into(score, cell) == 1 for score in scores)
            table["tasks"] = len(means)
        return dict(table)

    return compute


@scorer(name="recitation", metrics=[cross_table()])
def recitation() -> Scorer:
    """Compare recited values with the artefact's, and the deliverable by the task's verifier.

    The value has the keys `recited` and `answered`, each 1 or 0; the metadata says which conventions were recited right
    and which criteria were met.
    """

    async def score(state: TaskState, target: Target) -> Score:
        arm = arm_of(state.metadata)
        item = item_of(arm)
        given = [one.value for one in json_values(str(state.store.get(RECITED_KEY) or ""))]
        objects: list[dict[str, Any]] = [value for value in given if isinstance(value, dict)]
        last = objects[-1] if objects else {}
        recited = {name: _same(last.get(name), value) for name, value in item.task.values.items()}
        outputs = CollectedOutputs.of(_files(state.output.completion))
        checks = verified_checks(item, item.instance(arm.seed), outputs)
        return Score(
            value={"recited": float(all(recited.values())), "answered": float(all(check.met for check in checks))},
            answer=state.output.completion,
            metadata={
                "recited": recited,
                "verdicts": {check.name: "met" if check.met else "not_met" for check in checks},
                "why": {check.name: check.why for check in checks if not check.met},
                "version": state.metadata["version"],
                "seed": arm.seed,
            },
        )

    return score


def _falls_into(score: SampleScore, cell: str) -> float:
    """Tell whether a run falls into a cell of the table: 1 or 0, NaN without a score."""
    right = (number(score, "recited"), number(score, "answered"))
    return math.nan if any(map(math.isnan, right)) else float(right == _CELLS[cell])


def _same(got: Any, value: Any) -> bool:
    """Compare a recited value: numbers as numbers, texts without regard to case, spaces and a final stop."""
    if isinstance(value, dict):
        return isinstance(got, dict) and all(_same(got.get(key), part) for key, part in value.items())
    if isinstance(value, str):
        return isinstance(got, str) and _plain(got) == _plain(value)
    number = isinstance(value, int) and not isinstance(value, bool)
    return same_value(got, float(value) if number else value, _EXACT)


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".").casefold()


def _files(reply: str) -> dict[str, bytes]:
    """Take the files out of a reply; a fence around one is dropped."""
    parts = _FILE.split(reply)
    found = {}
    for name, text in zip(parts[1::2], parts[2::2], strict=True):
        bare = re.sub(r"\A\s*```\w*\n|\n```\s*\Z", "", text)
        found[name] = (bare.strip("\n") + "\n").encode("utf-8", "replace")
    return found
