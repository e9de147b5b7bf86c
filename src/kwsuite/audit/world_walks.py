"""Every action and rule comes to life somewhere, and random agents break nothing."""

from collections.abc import Iterator, Sequence

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.diagnostics import diagnose
from kwsuite.worlds.engine import Run
from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.json_values import Json, kind_of
from kwsuite.worlds.walks import random_walk

EPISODE = 50
"""Steps after which a random agent starts afresh: as many as an agent under test may take."""


def walk_findings(item: WorldItem, runs: Sequence[Run], seed: int, steps: int) -> Iterator[AuditFinding]:
    """Walk at random, decide all checks on the way, and see what never happened in any run.

    Args:
        item: The scenario.
        runs: Scripted runs, which count for what happened.
        seed: The first episode's seed; the next ones follow on.
        steps: Random steps in total, in episodes of fifty.
    """
    done: set[str] = set()
    fired: set[int] = set()
    for run in runs:
        _note(run, done, fired)
    for episode in range(-(-steps // EPISODE)):
        try:
            _note(_walked(item, seed + episode), done, fired)
        except WorldFault as fault:
            message = f"a random agent (seed {seed + episode}) breaks the world: {fault.message}"
            yield AuditFinding(item.where(fault.at), item.scenario.id, message)
            break
        except _KindLost as lost:
            yield AuditFinding(item.where(), item.scenario.id, f"a random agent (seed {seed + episode}): {lost}")
            break
    for tool, action in item.world.actions.items():
        if tool not in done:
            yield AuditFinding(item.where(action.at), item.scenario.id, f"{tool} never takes effect in any run.")
    for rule in item.world.rules:
        if rule.number not in fired:
            yield AuditFinding(item.where(rule.at), item.scenario.id, f"rule {rule.number} never fires in any run.")


class _KindLost(ValueError):
    """A value of another kind than the declared one."""


def _walked(item: WorldItem, seed: int) -> Run:
    run = Run.start(item.world)
    for count, run in enumerate(random_walk(item.world, seed, EPISODE), start=1):
        if count % 10 == 0:
            for criterion in item.world.checks:
                run.met(criterion)
    diagnose(run)
    _keep_kinds(item.world.initial, run.state, "")
    return run


def _keep_kinds(declared: Json, value: Json, place: str) -> None:
    if declared is None:
        return
    if kind_of(declared) != kind_of(value):
        raise _KindLost(f"{place} is declared a {kind_of(declared)} and has become a {kind_of(value)}.")
    if isinstance(declared, dict):
        for key in declared.keys() & value.keys():
            _keep_kinds(declared[key], value[key], f"{place}.{key}".removeprefix("."))


def _note(run: Run, done: set[str], fired: set[int]) -> None:
    done |= {step.call.tool for step in run.steps if step.outcome == "done"}
    fired |= {number for step in run.steps for number in step.fired}
