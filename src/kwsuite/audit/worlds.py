"""Proofs about scenarios, computed by the engine: the references do what they claim, and every criterion bites."""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.world_secrets import hidden_findings
from kwsuite.audit.world_walks import walk_findings
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.diagnostics import diagnose
from kwsuite.worlds.edits import edited
from kwsuite.worlds.engine import Run, play
from kwsuite.worlds.faults import Location, WorldFault
from kwsuite.worlds.trajectory import Call

WALK_STEPS = 10_000
"""How many random steps a scenario has to stand."""

_ENTITIES, _ACTIONS, _CRITERIA, _RULES = range(3, 6), range(2, 5), 3, 3


@dataclass(frozen=True)
class _Trial:
    """A scripted run and what it met."""

    run: Run
    met: dict[str, bool]

    @property
    def failed(self) -> set[str]:
        return {criterion for criterion, met in self.met.items() if not met}


def world_findings(item: WorldItem, *, seed: int = 0, walk_steps: int = WALK_STEPS) -> list[AuditFinding]:
    """Prove a scenario; an empty list is a proof.

    Proved are: the size; the expert run is accepted, meets everything and leaves nothing temporary behind; the surface
    run is accepted and fails something; doing nothing fails something; each `alone` edit fails its criterion and no
    other; every action takes effect and every rule fires somewhere; nothing hidden shows before it is looked for;
    seeded random agents break nothing. Checks are decided in all of these runs, so a missing key in one is found.

    Args:
        item: The scenario.
        seed: The seed of the random agents.
        walk_steps: Their steps in total, 0 for none.
    """
    findings = list(_size(item))
    if item.scenario.needs or item.scenario.reference is None:
        missing = "has no reference runs" if item.scenario.reference is None else item.runs_with
        findings.append(_finding(item, ("reference",), f"it cannot be proved by the engine: it {missing}."))
        return findings
    runs: list[Run] = []
    findings += _references(item, runs)
    findings += hidden_findings(item)
    findings += walk_findings(item, runs, seed, walk_steps)
    return list(dict.fromkeys(findings))


def _finding(item: WorldItem, at: Location, message: str) -> AuditFinding:
    return AuditFinding(item.where(at), item.scenario.id, message)


def _size(item: WorldItem) -> Iterator[AuditFinding]:
    scenario = item.scenario
    entities = scenario.world.entities
    if len(entities) not in _ENTITIES:
        yield _finding(item, ("world", "entities"), f"{len(entities)} entities; three to five are due.")
    for key, entity in entities.items():
        if len(entity.actions) not in _ACTIONS:
            at = ("world", "entities", key, "actions")
            yield _finding(item, at, f"{key} has {len(entity.actions)} actions; two to four are due.")
    if len(scenario.evaluation_rubric) < _CRITERIA:
        yield _finding(item, ("evaluation_rubric",), f"fewer than {_CRITERIA} criteria.")
    if len(scenario.execution_rules) < _RULES:
        yield _finding(item, ("execution_rules",), f"fewer than {_RULES} rules.")


def _references(item: WorldItem, runs: list[Run]) -> Iterator[AuditFinding]:
    """Prove the scripted runs, and add those that could be played to `runs`."""
    reference = item.scenario.reference
    assert reference is not None
    expert = yield from _trial(item, "the expert run", ("reference", "expert"), reference.expert, runs)
    if expert is not None:
        yield from _accepted(item, expert.run, "expert")
        for criterion in sorted(expert.failed):
            yield _finding(
                item, ("reference", "expert"), f"the expert run does not meet {criterion!r}. Mend one of them."
            )
        for path in diagnose(expert.run).not_restored:
            yield _finding(item, ("temporary",), f"the expert run does not restore {path}. Restore it, or unlist it.")
    surface = yield from _trial(item, "the surface run", ("reference", "surface"), reference.surface, runs)
    if surface is not None:
        yield from _accepted(item, surface.run, "surface")
        if not surface.failed:
            yield _finding(item, ("reference", "surface"), "the surface run meets every criterion: nothing is hidden.")
    null = yield from _trial(item, "doing nothing", ("evaluation_rubric",), (), runs)
    if null is not None and not null.failed:
        yield _finding(
            item, ("evaluation_rubric",), "doing nothing meets every criterion. Add one for the request itself."
        )
    yield from _bites(item, reference.expert, runs)


def _accepted(item: WorldItem, run: Run, script: str) -> Iterator[AuditFinding]:
    for index, step in enumerate(run.steps):
        if step.outcome != "done":
            yield _finding(
                item,
                ("reference", script, index),
                f"the {script} run's {step.call.tool} is {step.outcome}: {step.reply}",
            )


def _bites(item: WorldItem, expert: tuple[Call, ...], runs: list[Run]) -> Iterator[AuditFinding]:
    for index, (identifier, criterion) in enumerate(item.scenario.criteria.items()):
        at = ("evaluation_rubric", index)
        if criterion.alone is None:
            yield _finding(item, at, f"{identifier!r} has no alone edit, so nothing shows that it bites. Add one.")
            continue
        calls = edited(expert, criterion.alone.edit())
        trial = yield from _trial(item, f"the alone edit of {identifier!r}", (*at, "alone"), calls, runs)
        if trial is not None and trial.failed != {identifier}:
            failed = ", ".join(sorted(trial.failed)) or "nothing"
            yield _finding(item, (*at, "alone"), f"the alone edit of {identifier!r} fails {failed}, not it alone.")


def _trial(
    item: WorldItem, name: str, at: Location, calls: Iterable[Call], runs: list[Run]
) -> Generator[AuditFinding, None, _Trial | None]:
    """Play a script and decide every check; give None, and a finding, where the world breaks."""
    world = item.world
    try:
        run = play(world, calls)
        met = {criterion: run.met(criterion) for criterion in world.checks}
    except WorldFault as fault:
        yield _finding(item, fault.at or at, f"{name} breaks the world: {fault.message}")
        return None
    runs.append(run)
    return _Trial(run, met)
