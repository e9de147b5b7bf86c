"""Time and peak memory of a report over 16 candidates x 223 items x 3 epochs with 15 criteria each.

    python bench/analysis_scale.py [--folder DIR] [--candidates 16] [--items 223] [--epochs 3]

Logs are made once into the folder (a temporary one by default) through Inspect's own writer, with rationales and
answers of a realistic size, and kept if the folder is named. Each step is then timed in a fresh process, so that its
peak is its own. `summaries` reads frames as the report does; `full samples` reads every sample whole, for comparison.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CRITERIA = [f"{tier}{place}" for tier in "mgi" for place in range(1, 6)]
TIERS = {"m": "mandatory", "g": "good_to_have", "i": "ideal"}
KINDS = ["extraction", "trap", "mechanism", "action", "tradeoff"]
WORDS = ["contract", "waiver", "retention", "audit", "pipeline", "runway", "discount", "margin", "vendor"]


def make(folder: Path, candidates: int, items: int, epochs: int) -> None:
    """Write one log a candidate."""
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
    from inspect_ai.model import ModelOutput, ModelUsage
    from inspect_ai.scorer import Score

    chance = random.Random(1)

    def prose(words: int) -> str:
        return " ".join(chance.choices(WORDS, k=words))

    prompts = [prose(900) for _ in range(items)]
    for number in range(candidates):
        model, samples = f"lab/model-{number:02d}", []
        for item in range(items):
            for epoch in range(1, epochs + 1):
                verdicts = {name: "met" if chance.random() < 0.85 - 0.02 * number else "not_met" for name in CRITERIA}
                gate = float(all(verdicts[name] == "met" for name in CRITERIA[:5]))
                criteria = [
                    {
                        "id": name,
                        "tier": TIERS[name[0]],
                        "kind": KINDS[int(name[1]) - 1],
                        "state": state,
                        "rationale": prose(45),
                        "source": "judge",
                        "grader": "lab/judge",
                        "attempts": 1,
                    }
                    for name, state in verdicts.items()
                ]
                value = {"gate": gate, "score": gate * 0.7, "mandatory": 0.8, "good_to_have": 0.7, "ideal": 0.6}
                metadata = {"verdicts": verdicts, "criteria": criteria, "grader": "lab/judge", "rubric_hash": str(item)}
                samples.append(
                    EvalSample(
                        id=f"kw_{item:03d}",
                        epoch=epoch,
                        input=prompts[item],
                        target="",
                        metadata={"category": f"category {item % 15}", "polarity": "positive"},
                        output=ModelOutput.from_content(model, prose(700)),
                        scores={"conjunctive_gate": Score(value={**value, "graded": 1.0}, metadata=metadata)},
                        model_usage={model: ModelUsage(input_tokens=1500, output_tokens=900, total_tokens=2400)},
                    )
                )
        stamp = f"2026-01-01T00:00:{number:02d}+00:00"
        ids: list[str | int] = [f"kw_{item:03d}" for item in range(items)]
        spec = EvalSpec(
            created=stamp,
            task="kwsuite/kwbench",
            task_id=f"scale{number:03d}",
            model=model,
            dataset=EvalDataset(samples=items, sample_ids=ids),
            config=EvalConfig(epochs=epochs),
        )
        results = EvalResults(total_samples=len(samples), completed_samples=len(samples))
        stats = EvalStats(started_at=stamp, completed_at=stamp)
        log = EvalLog(status="success", eval=spec, results=results, stats=stats, samples=samples)
        write_eval_log(log, str(folder / f"{stamp.replace(':', '-')}_kwbench_scale{number:03d}.eval"))


def step(name: str, folder: Path) -> None:
    """Run one step in this process and print its figures as JSON."""
    from kwsuite.analysis import find, read_frames

    started, cpu = time.perf_counter(), time.process_time()
    detail: dict[str, float] = {}
    if name == "full samples":
        from inspect_ai.log import list_eval_logs, read_eval_log_samples

        detail["samples"] = sum(
            sum(1 for _ in read_eval_log_samples(info, exclude_fields={"messages", "events", "store", "attachments"}))
            for info in list_eval_logs(str(folder))
        )
    else:
        frames = read_frames(folder)
        detail = {"samples": len(frames.items), "criteria": len(frames.criteria)}
        if name != "summaries":
            findings = find(frames)
            detail["pairs"] = len(findings[0].differences)
            if name == "page":
                from kwsuite.analysis.page import render_page

                detail["page_kb"] = len(render_page(findings, frames, "Scale", "now")) / 1024
    figures = {
        "wall_s": time.perf_counter() - started,
        "cpu_s": time.process_time() - cpu,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        **detail,
    }
    print(json.dumps({key: round(value, 1) for key, value in figures.items()}))


def main() -> None:
    """Make the logs where there are none, then run every step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--candidates", type=int, default=16)
    parser.add_argument("--items", type=int, default=223)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--step", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step:
        step(options.step, options.folder)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not list(folder.glob("*.eval")):
            make(folder, options.candidates, options.items, options.epochs)
        logs = list(folder.glob("*.eval"))
        print(f"{len(logs)} logs, {sum(path.stat().st_size for path in logs) / 2**20:.1f} MB")
        for name in ("summaries", "findings", "page", "full samples"):
            command = [sys.executable, __file__, "--step", name, "--folder", str(folder)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            print(f"{name:13} {done.stdout.strip().splitlines()[-1]}")


if __name__ == "__main__":
    main()
