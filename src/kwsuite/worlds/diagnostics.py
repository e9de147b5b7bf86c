"""What a run shows about how the candidate works, read off its trajectory: no model, no criterion.

The measures are named after the failure patterns of the Implicit Intelligence paper (section 5: acting before
looking, configuring without verifying, not restoring a temporary change, a global tool where a scoped one exists).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kwsuite.worlds.actions import Action
from kwsuite.worlds.engine import Run, World
from kwsuite.worlds.json_values import same
from kwsuite.worlds.state import look_up
from kwsuite.worlds.trajectory import Outcome


class Rejection(NamedTuple):
    """A call that took no effect: its tool, whether the world refused it or its arguments were malformed, and why."""

    tool: str
    outcome: Outcome
    reason: str


@dataclass(frozen=True)
class Diagnostics:
    """The diagnostics of one run. All lists are in the order in which things first happened."""

    reads: int
    """Read-only calls that took effect."""
    writes: int
    """Other calls that took effect."""
    acted_before_looking: tuple[str, ...]
    """Entities that the candidate acted on before any call had reported something of them."""
    configured: tuple[str, ...]
    """Entities that the candidate changed something with, of those that some read-only call shows."""
    not_verified: tuple[str, ...]
    """Those of them that it did not look at afterwards."""
    not_restored: tuple[str, ...]
    """Paths declared temporary whose value at the end is not the initial one."""
    too_broad: tuple[str, ...]
    """Tools called more broadly than the world made necessary, once for each call."""
    rejected: tuple[Rejection, ...]
    """Calls that took no effect."""

    @property
    def reads_per_write(self) -> float | None:
        """How often the candidate looked for each time it acted; None if it never acted."""
        return self.reads / self.writes if self.writes else None


def diagnose(run: Run) -> Diagnostics:
    """Read the diagnostics off a run; an empty run has none of the faults.

    Raises:
        WorldFault: An expression of the scenario ends in an error.
    """
    seen: list[str] = []
    acted_blind: list[str] = []
    configured: list[str] = []
    unverified: list[str] = []
    broad: list[str] = []
    reads = writes = 0
    visible = {entity for action in run.world.actions.values() if action.read_only for entity in _shows(action)}
    for step in run.steps:
        if step.outcome != "done":
            continue
        action = run.world.actions[step.call.tool]
        if action.read_only:
            reads += 1
        else:
            writes += 1
            acted_blind += [action.entity] if action.entity not in seen else []
            changed = [action.entity] if step.changes and action.entity in visible else []
            configured += changed
            unverified += changed
        shown = _shows(action)
        seen += shown
        unverified = [entity for entity in unverified if entity not in shown]
        if action.breadth(run.world.language.scope(step.call.arguments)) == "broad" and _avoidable(run.world, action):
            broad.append(action.tool)
    return Diagnostics(
        reads=reads,
        writes=writes,
        acted_before_looking=tuple(dict.fromkeys(acted_blind)),
        configured=tuple(dict.fromkeys(configured)),
        not_verified=tuple(dict.fromkeys(unverified)),
        not_restored=tuple(_not_restored(run)),
        too_broad=tuple(broad),
        rejected=tuple(
            Rejection(step.call.tool, step.outcome, step.reply) for step in run.steps if step.outcome != "done"
        ),
    )


def _shows(action: Action) -> list[str]:
    own = [action.entity] if action.read_only else []
    return [*own, *(path.entity for path in action.reads)]


def _avoidable(world: World, action: Action) -> bool:
    return action.broad_when is not None or any(other.scope == "narrow" for other in world.actions.values())


def _not_restored(run: Run) -> Iterator[str]:
    scope = run.world.scope(run.world.initial)
    for path in run.world.temporary:
        place = path.resolve(scope)
        try:
            restored = same(look_up(run.state, place), look_up(run.world.initial, place))
        except LookupError:
            restored = False
        if not restored:
            yield path.source
