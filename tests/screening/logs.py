"""Logs of gated tasks made for the purpose: real logs of a scorer that gives what it is told."""

from collections.abc import Collection, Mapping
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver


@solver
def breaking_in(epochs: Collection[int]) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.epoch in epochs:
            raise RuntimeError("broken for the purpose")
        return state

    return solve


@task
def gated_for_screening(
    passes: Mapping[str, int], condition: str, unscored: int = 0, broken: Collection[int] = ()
) -> Task:
    @scorer(name="verified", metrics={"reward": [mean()]})
    def told() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            count = passes[str(state.sample_id)]
            reward = 1.0 if state.epoch <= count else float("nan") if state.epoch <= count + unscored else 0.0
            return Score(value={"reward": reward}, metadata=dict(state.metadata))

        return score

    arm = {"condition": condition, "item_version": "v", "seed": 1, "instruction_sha256": "i"}
    samples = [Sample(id=name, input="x", metadata={"benchmark": "knowledge_gated", **arm}) for name in passes]
    return Task(dataset=samples, solver=breaking_in(broken), scorer=told())


def write_log(
    folder: Path,
    passes: Mapping[str, int],
    condition: str,
    runs: int = 5,
    unscored: int = 0,
    broken: Collection[int] = (),
    model: str = "mockllm/frontier",
) -> Path:
    """Write a log in which each task passes so many of its runs.

    The first `unscored` of the failing ones are NaN, and the epochs `broken` end in an error, without a score.
    """
    inspect_eval(
        gated_for_screening(passes, condition, unscored, broken),
        model=model,
        epochs=runs,
        fail_on_error=False,
        log_dir=str(folder),
        display="none",
        log_realtime=False,
    )
    return folder
