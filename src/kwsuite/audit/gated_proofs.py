"""Proofs of a gated task, computed with its own programs."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated_mutations import faulty, harmless
from kwsuite.datasets.gated import DEFAULT_SEED, GatedItem, Instance
from kwsuite.datasets.gated_outputs import CollectedOutputs, verified_checks
from kwsuite.datasets.gated_play import play

SEEDS = (DEFAULT_SEED, 1, 2)
"""Instances that every proof is computed on, unless told otherwise."""


def proof_findings(item: GatedItem, seeds: tuple[int, ...] = SEEDS) -> Iterator[AuditFinding]:
    """Compute every proof on each seed; nothing is found where all hold."""

    def finding(file: str, message: str, check: str = "proof") -> AuditFinding:
        return AuditFinding(str(item.folder / file), item.task.id, message, check)

    for seed in seeds:
        instance = item.instance(seed)
        for file, message in _reference_faults(item, instance):
            yield finding(file, f"seed {seed}: {message}")
        for message in _load_faults(item, instance):
            yield finding("verify.py", f"seed {seed}: {message}", "load")
    for message in _formatting_faults(item, item.instance(seeds[0])):
        yield finding("verify.py", f"seed {seeds[0]}: {message}", "strictness")
    if len({_fresh_run(item, seeds[0], hash_seed) for hash_seed in ("1", "2")}) > 1:
        yield finding("verify.py", "two runs differ. Sort what comes from a set before it is used.", "repeatable")


def failed(
    item: GatedItem, instance: Instance, outputs: Mapping[str, bytes], values: Mapping[str, Any] | None = None
) -> list[str]:
    """Name the criteria that outputs do not meet."""
    return [
        check.name for check in verified_checks(item, instance, CollectedOutputs.of(outputs), values) if not check.met
    ]


def _reference_faults(item: GatedItem, instance: Instance) -> Iterator[tuple[str, str]]:
    task = item.task
    expert = failed(item, instance, play(item, instance, item.artefact(task.values)))
    if expert:
        yield "solve.py", f"with the artefact it fails {', '.join(expert)}. Solution, verifier or artefact is wrong."
    bare = play(item, instance, None)
    missed = set(failed(item, instance, bare)) & set(task.conventions)
    if len(missed) < 3:
        yield "solve.py", f"without the artefact only {sorted(missed)} fail; at least three conventions must."
    if bare != play(item, instance, item.artefact(task.common_values)):
        yield "solve.py", "without an artefact it does not use the declared common values."
    changed = play(item, instance, item.artefact(task.perturbed_values))
    still = set(task.perturbed) - set(failed(item, instance, changed))
    if still:
        yield "task.yaml", f"the perturbed artefact's answer still meets {sorted(still)}."
    other = failed(item, instance, changed, task.perturbed_values)
    if other:
        yield "verify.py", f"the perturbed answer is not the known other one: under its values it fails {other}."


def _load_faults(item: GatedItem, instance: Instance) -> Iterator[str]:
    """Check that each convention carries load, and that its rows tell it apart."""
    for name, convention in item.task.conventions.items():
        if not instance.planted[name]:
            yield f"no row is planted for {name}."
        for wrong in convention.wrong:
            answer = play(item, instance, item.artefact(item.task.values | {name: wrong}))
            missed = failed(item, instance, answer)
            if name not in missed:
                yield f"{name} set to {wrong!r} is not rejected under its name (fails {missed or 'nothing'})."
            strangers = sorted((set(missed) & set(item.task.conventions)) - {name})
            if strangers and not convention.everywhere:
                yield f"{name} set to {wrong!r} also fails {strangers}; plant inert rows, or say everywhere."


def _formatting_faults(item: GatedItem, instance: Instance) -> Iterator[str]:
    right = play(item, instance, item.artefact(item.task.values))
    if not failed(item, instance, {}):
        yield "no outputs at all pass."
    for output in item.task.outputs:
        data = right[output.path]
        for change in harmless(output.path, data):
            missed = failed(item, instance, {**right, output.path: change.data})
            if missed:
                yield f"{output.path}: harmless change ({change.name}) fails {missed}."
        for change in faulty(output.path, data):
            if not failed(item, instance, {**right, output.path: change.data}):
                yield f"{output.path}: fault ({change.name}) passes."


_FRESH = """
import hashlib, json, sys
from pathlib import Path
from kwsuite.datasets.gated_play import play
from kwsuite.datasets.gated import read_gated
item = read_gated(Path(sys.argv[1])); instance = item.instance(int(sys.argv[2]))
answers = [play(item, instance, item.artefact(item.task.values)), play(item, instance, None)]
checks = [item.verify(instance, answer, item.task.values) for answer in answers]
sha = hashlib.sha256(repr(sorted(answers[0].items())).encode()).hexdigest()
sys.stdout.write(json.dumps([instance.digest(), instance.planted, sha, checks]))
"""


def _fresh_run(item: GatedItem, seed: int, hash_seed: str) -> str:
    """Generate, solve and verify in a process of its own, whose sets and dicts of text are ordered by another hash."""
    done = subprocess.run(
        [sys.executable, "-c", _FRESH, str(item.folder.resolve()), str(seed)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )
    return json.dumps(json.loads(done.stdout)) if done.returncode == 0 else done.stderr
