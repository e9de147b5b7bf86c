"""Logs for tests: real evals of scripted candidates, and large ones through Inspect's own log writer."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import (
    EvalConfig,
    EvalDataset,
    EvalLog,
    EvalResults,
    EvalSample,
    EvalSpec,
    EvalStats,
    write_eval_log,
)
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer
from inspect_ai.solver import TaskState, generate

Verdicts = Mapping[str, str]
TIERS = {"m": "mandatory", "g": "good_to_have", "i": "ideal"}
KINDS = {"m1": "extraction", "m2": "trap", "m3": "mechanism", "g1": "action", "i1": "tradeoff"}


def gate_record(verdicts: Verdicts, **metadata: Any) -> Score:
    """The score that conjunctive_gate writes for these verdicts."""
    tiers = {tier: [state for key, state in verdicts.items() if key[0] == letter] for letter, tier in TIERS.items()}

    def share(states: list[str]) -> float:
        if not states or any(state.startswith("unscored") for state in states):
            return float("nan")
        return states.count("met") / len(states)

    mandatory = tiers["mandatory"]
    unknown = any(state.startswith("unscored") for state in mandatory)
    gate = 0.0 if "not_met" in mandatory else float("nan") if unknown else 1.0
    good, ideal = share(tiers["good_to_have"]), share(tiers["ideal"])
    extra = 0.35 * (good if tiers["good_to_have"] else 0) + 0.25 * (ideal if tiers["ideal"] else 0)
    criteria = [
        {
            "id": key,
            "tier": TIERS.get(key[0], "mandatory"),
            "kind": KINDS.get(key),
            "state": state.partition(":")[0],
            "reason": state.partition(":")[2] or None,
            "rationale": f"because of {key}",
            "source": "judge",
            "grader": "mockllm/judge",
            "attempts": 1,
        }
        for key, state in verdicts.items()
    ]
    decided = sum(not state.startswith("unscored") for state in verdicts.values())
    return Score(
        value={
            "gate": gate,
            "score": 0.0 if gate == 0 else gate * (0.4 + extra),
            "mandatory": share(mandatory),
            "good_to_have": good,
            "ideal": ideal,
            "graded": decided / len(verdicts),
        },
        explanation="| criterion | state |",
        metadata={
            "verdicts": dict(verdicts),
            "criteria": criteria,
            "grader": "mockllm/judge",
            "self_graded": False,
            **metadata,
        },
    )


def scripted(name: str, text: str = "an answer") -> Any:
    """A model that needs no network: usage is set, so nothing counts tokens."""

    def answer(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm", text)
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output

    return get_model(f"mockllm/{name}", memoize=False, custom_outputs=answer)


def run(
    folder: Path,
    model: str,
    samples: Sequence[Sample],
    judge: Callable[[str, int], Score],
    *,
    scorer_name: str = "conjunctive_gate",
    value_keys: Sequence[str] = ("gate",),
    epochs: int = 1,
    solver: Any = None,
    **options: Any,
) -> EvalLog:
    """Run one real eval whose scorer writes what `judge(sample id, epoch)` says; what it raises is an error."""

    def build() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            await asyncio.sleep(0)
            return judge(str(state.sample_id), state.epoch)

        return score

    build.__name__ = scorer_name
    metrics: Any = {key: [mean()] for key in value_keys} if value_keys else [mean()]
    task = Task(
        dataset=MemoryDataset(list(samples)),
        solver=solver or generate(),
        scorer=scorer(metrics=metrics)(build)(),
        version=options.pop("version", 0),
        name=options.pop("task", "bench"),
        continue_on_fail=True,
    )
    return eval(
        task, model=scripted(model), log_dir=str(folder), epochs=epochs, display="none", log_level="critical", **options
    )[0]


def items(n: int, categories: Sequence[str] = ("pricing", "hiring"), **metadata: Any) -> list[Sample]:
    """n samples i001.. that take categories in turn."""
    return [
        Sample(
            id=f"i{place:03d}",
            input=f"Task {place} about {categories[place % len(categories)]}",
            metadata={"category": categories[place % len(categories)], "polarity": "positive", **metadata},
        )
        for place in range(n)
    ]


def write_log(
    folder: Path,
    model: str,
    scores: Mapping[tuple[str, int], Score],
    samples: Mapping[str, Mapping[str, Any]],
    *,
    task: str = "kwsuite/kwbench",
    scorer_name: str = "conjunctive_gate",
    tokens: int = 100,
    cost: float | None = None,
    task_args: Mapping[str, Any] | None = None,
    number: int = 0,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write a finished log through Inspect, for sizes at which a real eval takes too long.

    `samples` maps ids to `input` and metadata; `scores` has a score for each id and epoch.
    """
    epochs = max(epoch for _, epoch in scores)
    usage = {model: ModelUsage(input_tokens=tokens - 10, output_tokens=10, total_tokens=tokens, total_cost=cost)}
    made = [
        EvalSample(
            id=item,
            epoch=epoch,
            input=str(samples[item].get("input", item)),
            target="",
            metadata={key: value for key, value in samples[item].items() if key != "input"},
            scores={scorer_name: score},
            model_usage=usage,
            total_time=1.0,
            working_time=1.0,
        )
        for (item, epoch), score in scores.items()
    ]
    stamp = f"2026-04-17T10:{number // 60:02d}:{number % 60:02d}+00:00"
    spec = EvalSpec(
        created=stamp,
        task=task,
        task_id=f"{task.rpartition('/')[2]}{number:05d}",
        task_version="1-A",
        task_args=dict(task_args or {}),
        metadata=dict(metadata or {}),
        model=model,
        dataset=EvalDataset(samples=len(samples), sample_ids=list(samples)),
        config=EvalConfig(epochs=epochs),
    )
    log = EvalLog(
        status="success",
        eval=spec,
        results=EvalResults(total_samples=len(made), completed_samples=len(made)),
        stats=EvalStats(started_at=stamp, completed_at=stamp),
        samples=made,
    )
    name = f"{stamp.replace(':', '-')}_{task.rpartition('/')[2]}_{spec.task_id}.eval"
    path = folder / name
    write_eval_log(log, str(path))
    return path
