"""Proofs of a gated task, computed with its own programs."""

from collections.abc import Iterator

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated_mutations import faulty, harmless
from kwsuite.audit.gated_trial import Trial, trial
from kwsuite.datasets.gated import DEFAULT_SEED, GatedItem

SEEDS = (DEFAULT_SEED, 1, 2)
"""Instances that every proof is computed on, unless told otherwise."""


def proof_findings(item: GatedItem, seeds: tuple[int, ...] = SEEDS) -> Iterator[AuditFinding]:
    """Compute every proof on each seed, and the verifier's strictness on the first; nothing is found where all hold."""

    def finding(file: str, message: str, check: str = "proof") -> AuditFinding:
        return AuditFinding(str(item.folder / file), item.task.id, f"seed {seed}: {message}", check)

    for seed in seeds:
        with trial(item, item.instance(seed)) as one:
            for file, message in _reference_faults(one):
                yield finding(file, message)
            for message in _load_faults(one):
                yield finding("verify.py", message, "load")
            if seed == seeds[0]:
                for message in _formatting_faults(one):
                    yield finding("verify.py", message, "strictness")
            changed = one.changed_data()
            if changed:
                yield finding("solve.py", f"changes the input files {', '.join(changed)}. Leave them as they are.")


def _reference_faults(one: Trial) -> Iterator[tuple[str, str]]:
    task = one.item.task
    right = one.play(task.values)
    expert = one.failed(right)
    if expert:
        yield "solve.py", f"with the artefact it fails {', '.join(expert)}. Solution, verifier or artefact is wrong."
    large = [output.path for output in task.outputs if len(right[output.path]) > output.max_bytes]
    if large:
        yield "task.yaml", f"the right {', '.join(large)} is over its max_bytes, so it would not be read. Raise them."
    bare = one.play(None)
    missed = set(one.failed(bare)) & set(task.conventions)
    if len(missed) < 3:
        yield "solve.py", f"without the artefact only {sorted(missed)} fail; at least three conventions must."
    if bare != one.play(task.common_values):
        yield "solve.py", "without an artefact it does not use the declared common values."
    changed = one.play(task.perturbed_values)
    still = set(task.perturbed) - set(one.failed(changed))
    if still:
        yield "task.yaml", f"the perturbed artefact's answer still meets {sorted(still)}."
    other = one.failed(changed, task.perturbed_values)
    if other:
        yield "verify.py", f"the perturbed answer is not the known other one: under its values it fails {other}."


def _load_faults(one: Trial) -> Iterator[str]:
    """Check that each convention carries load, and that its rows tell it apart."""
    task = one.item.task
    for name, convention in task.conventions.items():
        if not one.instance.planted[name]:
            yield f"no row is planted for {name}."
        for wrong in convention.wrong:
            missed = one.failed(one.play(task.values | {name: wrong}))
            if name not in missed:
                yield f"{name} set to {wrong!r} is not rejected under its name (fails {missed or 'nothing'})."
            strangers = sorted((set(missed) & set(task.conventions)) - {name})
            if strangers and not convention.everywhere:
                yield f"{name} set to {wrong!r} also fails {strangers}; plant inert rows, or say everywhere."


def _formatting_faults(one: Trial) -> Iterator[str]:
    right = one.play(one.item.task.values)
    if not one.failed({}):
        yield "no outputs at all pass."
    for output in one.item.task.verified_outputs:
        data = right[output.path]
        for change in harmless(output.path, data):
            missed = one.failed({**right, output.path: change.data})
            if missed:
                yield f"{output.path}: harmless change ({change.name}) fails {missed}."
        for change in faulty(output.path, data):
            if not one.failed({**right, output.path: change.data}):
                yield f"{output.path}: fault ({change.name}) passes."
