"""Logs of gated tasks made for the purpose: real logs of a scorer that gives what it is told."""

from collections.abc import Mapping
from pathlib import Path

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def idle() -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return state

    return solve


def write_log(
    folder: Path, passes: Mapping[str, int], condition: str, runs: int = 5, unscored: int = 0, version: str = "v"
) -> Path:
    """Write a log in which each task passes so many of its runs; the first `unscored` of the failing ones are NaN."""

    @scorer(name="verified", metrics={"reward": [mean()]})
    def told() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            count = passes[str(state.sample_id)]
            reward = 1.0 if state.epoch <= count else float("nan") if state.epoch <= count + unscored else 0.0
            metadata = {"condition": condition, "item_version": version, "seed": 1, "instruction_sha256": "i"}
            return Score(value={"reward": reward}, metadata=metadata)

        return score

    task = Task(dataset=[Sample(id=name, input="x") for name in passes], solver=idle(), scorer=told())
    inspect_eval(task, model="mockllm/model", epochs=runs, log_dir=str(folder), display="none", log_realtime=False)
    return folder
