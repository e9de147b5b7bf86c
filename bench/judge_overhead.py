"""What judging costs beyond the calls themselves.

    python bench/judge_overhead.py            # overhead: 223 items x 15 criteria on an instant grader
    python bench/judge_overhead.py latency    # how much of the ideal time is reached with a slow grader

Overhead runs the gate against a bare Inspect task that makes the same calls with the same prompts and keeps nothing.
The candidate and the grader answer at once. The gate's default keeps verdicts in Inspect's cache of model replies, so
there is a bare arm with that cache too: the two differ by what the gate itself adds. Ratios come from rounds of a few
items, all arms in turn in one process that has warmed up, for machines drift by more than the differences over minutes;
log size and peak memory come from all items, each arm once in a process of its own.
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
    CachePolicy,
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
ROUND_ITEMS = 25
AGAINST = {"bare": "bare", "gate": "bare", "bare, cache": "bare", "gate, cache": "bare, cache"}
"""What each arm is compared with, beside `bare`."""
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
def bare(cache: bool = False) -> Any:
    """The same calls with the same prompts, and nothing kept of them; `cache` lets Inspect keep the replies."""
    criteria = rubric().criteria
    digest = rubric().digest()
    schema = ResponseSchema(name="verdict", json_schema=json_schema(JudgeReply), strict=True)
    config = GenerateConfig(temperature=0.0, response_schema=schema)
    policy: CachePolicy | bool = CachePolicy(expiry=None, per_epoch=False) if cache else False

    async def score(state: TaskState, target: Target) -> Score:
        grader = model_roles()["grader"]
        assert isinstance(grader, Model)
        evidence = Evidence(state.input_text, state.output.completion, rubric_hash=digest)
        ids = {"benchmark": "kwbench", "item": str(state.sample_id)}

        async def one(criterion: Any) -> None:
            messages = list(judge_messages(criterion, evidence, "substance", "auto", ids))
            await grader.generate(messages, config=config, cache=policy)

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
        "bare, cache": lambda: bare(cache=True),
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


def run_rounds(rounds: int, realtime: bool) -> dict[str, list[dict[str, float]]]:
    """Run all arms in turn, each round from another one on, after a round that does not count."""
    arms = list(AGAINST)
    seen: dict[str, list[dict[str, float]]] = {arm: [] for arm in arms}
    for number in range(rounds + 1):
        for arm in arms[number % len(arms) :] + arms[: number % len(arms)]:
            run = run_arm(arm, realtime, ROUND_ITEMS, 0.0, 50, True)
            if number:
                seen[arm].append(run)
    return seen


def in_process(what: str, **options: Any) -> Any:
    command = [sys.executable, __file__, what, json.dumps(options)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


def overhead(rounds: int, items: int) -> None:
    print(f"instant grader, {CRITERIA} criteria; medians (and quartiles) of {rounds} rounds of {ROUND_ITEMS} items")
    for realtime in (True, False):
        seen = in_process("rounds", rounds=rounds, realtime=realtime)
        print(f"\nrealtime logging {'on' if realtime else 'off'}")
        print(f"arm          against      wall  cpu                  all {items} items: wall s  log KB/sample  peak MB")
        for arm, base in AGAINST.items():
            whole = in_process("arm", arm=arm, realtime=realtime, items=items, delay=0.0, connections=50, warm=True)
            sizes = f"{whole['wall']:22.1f} {whole['log_kb']:14.1f} {whole['peak_mb']:8.0f}"
            for other in dict.fromkeys((base, "bare")):
                pairs = list(zip(seen[arm], seen[other], strict=True))
                wall, cpu = ([run[key] / by[key] for run, by in pairs] for key in ("wall", "cpu"))
                low, mid, high = statistics.quantiles(cpu, n=4) if len(cpu) > 1 else cpu * 3
                print(
                    f"{arm:<12} {other:<11} {statistics.median(wall):5.2f} {mid:5.2f} ({low:.2f}-{high:.2f})   {sizes}"
                )
                sizes = ""


def latency(items: int) -> None:
    print(f"{items} items x {CRITERIA} criteria; share of the ideal time (calls x latency / connections) reached")
    print("latency  connections  arm   first ahead   wall s   ideal s   reached")
    for delay in (0.05, 0.5):
        for connections in (20, 100):
            for arm, warm in (("gate", True), ("gate", False), ("bare", True)):
                run = in_process(
                    "arm", arm=arm, realtime=True, items=items, delay=delay, connections=connections, warm=warm
                )
                ideal = items * CRITERIA * delay / connections
                print(
                    f"{delay * 1000:4.0f} ms {connections:12}  {arm} {'yes' if warm else 'no':>12} {run['wall']:8.1f}"
                    f" {ideal:9.1f} {ideal / run['wall']:9.0%}"
                )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", default="overhead", choices=["overhead", "latency", "arm", "rounds"])
    parser.add_argument("options", nargs="?")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--items", type=int)
    given = parser.parse_args()
    if given.what == "arm":
        print(json.dumps(run_arm(**json.loads(given.options))))
    elif given.what == "rounds":
        print(json.dumps(run_rounds(**json.loads(given.options))))
    elif given.what == "latency":
        latency(given.items or 80)
    else:
        overhead(given.rounds, given.items or ITEMS)
