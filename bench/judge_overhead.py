"""What judging costs beyond the calls themselves.

    python bench/judge_overhead.py            # overhead: 223 items x 15 criteria on an instant grader
    python bench/judge_overhead.py latency    # how much of the ideal time is reached with a slow grader

Overhead runs the gate against a bare Inspect task that makes the same calls with the same prompts and keeps nothing,
each arm in a process of its own, in turn, in one run; read the ratios, not the seconds. The candidate and the grader
answer at once.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    Model,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    get_model,
    model_roles,
    modelapi,
)
from inspect_ai.scorer import Score, Target, mean, scorer
from inspect_ai.solver import TaskState, generate
from inspect_ai.util import collect, json_schema

from kwsuite.scorers.conjunctive_gate import conjunctive_gate
from kwsuite.scorers.evidence import Evidence
from kwsuite.scorers.judge import JudgeReply, judge_messages
from kwsuite.verdicts import Rubric

ITEMS, CRITERIA, ANSWER_WORDS, MATERIAL_WORDS = 223, 15, 700, 1_200
REPLY = json.dumps({"rationale": "The answer states it in its second paragraph. " * 3, "verdict": "MET"})


class Instant(ModelAPI):
    """Answers after a fixed delay, in seconds."""

    def __init__(self, model_name: str, delay: float = 0.0, **options: Any) -> None:
        super().__init__(model_name, config=options.get("config", GenerateConfig()))
        self.delay = delay

    async def generate(
        self, input: list[ChatMessage], tools: Any, tool_choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        if self.delay:
            await anyio.sleep(self.delay)
        text = REPLY if self.model_name == "grader" else "word " * ANSWER_WORDS
        output = ModelOutput.from_content("instant", text)
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output


@modelapi(name="instant")
def instant() -> type[ModelAPI]:
    return Instant


def rubric() -> Rubric:
    tiers = ["mandatory"] * 5 + ["good_to_have"] * 5 + ["ideal"] * 5
    return Rubric.model_validate(
        {
            "criteria": [
                {"id": f"c{n}", "text": f"Does the answer do thing {n}, and say why?", "tier": t}
                for n, t in enumerate(tiers)
            ]
        }
    )


@scorer(metrics=[mean()])
def bare() -> Any:
    """The same calls with the same prompts, and nothing kept of them."""
    criteria = rubric().criteria
    digest = rubric().digest()
    schema = ResponseSchema(name="verdict", json_schema=json_schema(JudgeReply), strict=True)
    config = GenerateConfig(temperature=0.0, response_schema=schema)

    async def score(state: TaskState, target: Target) -> Score:
        grader = model_roles()["grader"]
        assert isinstance(grader, Model)
        evidence = Evidence(state.input_text, state.output.completion, rubric_hash=digest)
        ids = {"benchmark": "kwbench", "item": str(state.sample_id)}

        async def one(criterion: Any) -> None:
            await grader.generate(list(judge_messages(criterion, evidence, "substance", "auto", ids)), config=config)

        await one(criteria[0])
        await collect(*[one(criterion) for criterion in criteria[1:]])
        return Score(value=1.0)

    return score


def task(arm: str, items: int, *, warm: bool = True) -> Task:
    metadata = {"rubric": rubric().model_dump(mode="json"), "category": "bench"}
    samples = [
        Sample(id=f"s{n}", input=f"Task {n}. " + "fact " * MATERIAL_WORDS, metadata=metadata) for n in range(items)
    ]
    by_arm = {
        "bare": bare,
        "gate": lambda: conjunctive_gate(judge_cache=False, warm=warm),
        "gate, cache": conjunctive_gate,
    }
    return Task(dataset=samples, solver=generate(), scorer=by_arm[arm]())


def run_arm(arm: str, realtime: bool, items: int, delay: float, connections: int, warm: bool) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        os.environ["INSPECT_CACHE_DIR"] = folder + "/cache"
        grader = get_model(
            "instant/grader", memoize=False, delay=delay, config=GenerateConfig(max_connections=connections)
        )
        made = task(arm, items, warm=warm)
        before, start = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        log = inspect_eval(
            made,
            model=get_model("instant/candidate", config=GenerateConfig(max_connections=connections)),
            model_roles={"grader": grader},
            log_dir=folder,
            log_realtime=realtime,
            max_samples=max(20, connections),
            display="none",
        )[0]
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF)
        assert log.status == "success", log.error
        size = Path(log.location.removeprefix("file://")).stat().st_size
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"wall": wall, "cpu": cpu, "log_kb": size / items / 1024, "peak_mb": after.ru_maxrss / 1024}


def in_process(
    arm: str, *, realtime: bool = True, items: int = ITEMS, delay: float = 0.0, connections: int = 50, warm: bool = True
) -> dict[str, float]:
    options = json.dumps(
        {"arm": arm, "realtime": realtime, "items": items, "delay": delay, "connections": connections, "warm": warm}
    )
    done = subprocess.run([sys.executable, __file__, "arm", options], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def overhead(rounds: int, items: int) -> None:
    print(f"{items} items x {CRITERIA} criteria, instant grader, {rounds} rounds, arms in turn; medians")
    for realtime in (True, False):
        arms = ["bare", "gate", "gate, cache"]
        seen: dict[str, list[dict[str, float]]] = {arm: [] for arm in arms}
        for _ in range(rounds):
            for arm in arms:
                seen[arm].append(in_process(arm, realtime=realtime, items=items))
        print(f"\nrealtime logging {'on' if realtime else 'off'}")
        print("arm           wall s   cpu s   wall/bare  cpu/bare   log KB/sample  peak MB")
        for arm in arms:
            mid = {key: statistics.median(run[key] for run in seen[arm]) for key in seen[arm][0]}
            ratio = {
                key: statistics.median(run[key] / base[key] for run, base in zip(seen[arm], seen["bare"], strict=True))
                for key in ("wall", "cpu")
            }
            print(
                f"{arm:<12} {mid['wall']:7.1f} {mid['cpu']:7.1f} {ratio['wall']:10.2f} {ratio['cpu']:9.2f}"
                f" {mid['log_kb']:14.1f} {mid['peak_mb']:9.0f}"
            )


def latency(items: int) -> None:
    print(f"{items} items x {CRITERIA} criteria; share of the ideal time (calls x latency / connections) reached")
    print("latency  connections  first ahead   wall s   ideal s   reached")
    for delay in (0.05, 0.5):
        for connections in (20, 100):
            for warm in (True, False):
                run = in_process("gate", items=items, delay=delay, connections=connections, warm=warm)
                ideal = items * CRITERIA * delay / connections
                print(
                    f"{delay * 1000:4.0f} ms {connections:12} {'yes' if warm else 'no':>12} {run['wall']:8.1f}"
                    f" {ideal:9.1f} {ideal / run['wall']:9.0%}"
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="overhead", choices=["overhead", "latency", "arm"])
    parser.add_argument("options", nargs="?")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--items", type=int)
    given = parser.parse_args()
    if given.what == "arm":
        print(json.dumps(run_arm(**json.loads(given.options))))
    elif given.what == "latency":
        latency(given.items or 80)
    else:
        overhead(given.rounds, given.items or ITEMS)
