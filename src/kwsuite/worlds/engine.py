"""The engine: a compiled world, and runs of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kwsuite.worlds.actions import Action
from kwsuite.worlds.expressions import Expression, Language, Scope
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.parameters import Malformed, accept_arguments
from kwsuite.worlds.paths import Path
from kwsuite.worlds.rules import Rule, Settled, settle
from kwsuite.worlds.state import State, Write, apply_writes, differences
from kwsuite.worlds.trajectory import Call, Step, Trajectory


@dataclass(frozen=True)
class World:
    """A compiled world. Start a run with `Run(world, world.initial)`."""

    language: Language
    initial: State
    actions: Mapping[str, Action]
    """By tool name."""
    rules: tuple[Rule, ...]
    """The executable ones, in the order of the file."""
    checks: Mapping[str, Expression]
    """By criterion id; criteria in prose only are not here."""
    temporary: tuple[Path, ...]
    """What a run may change for a while but must put back."""

    def scope(
        self, state: State, arguments: Mapping[str, Json] | None = None, trajectory: Trajectory | None = None
    ) -> Scope:
        """Give what expressions see: every entity, `state`, `initial`, and an action's arguments."""
        values = {**state, "state": state, "initial": self.initial, **(arguments or {})}
        return self.language.scope(values, trajectory)


@dataclass(frozen=True)
class Run:
    """A run of a world so far. Acting gives a new run; a fault leaves this one as it was."""

    world: World
    state: State
    steps: tuple[Step, ...] = ()

    @classmethod
    def start(cls, world: World) -> "Run":
        """Begin a run."""
        return cls(world, world.initial)

    def act(self, call: Call) -> "Run":
        """Make one call; the new run's last step says what came of it.

        A refused or malformed call changes nothing. An action in force applies all its effects at once, then the
        rules come to rest, then the reply is written from the state after them.

        Raises:
            WorldFault: The world is at fault; the candidate is not.
        """
        action = self.world.actions.get(call.tool)
        if action is None:
            return self._with(Step(call, "malformed", f"There is no tool {call.tool}."))
        try:
            arguments = accept_arguments(action.parameters, call.arguments)
        except Malformed as error:
            return self._with(Step(call, "malformed", str(error)))
        accepted = Call(call.tool, arguments)
        before = self.world.scope(self.state, arguments)
        if (refusal := action.refusal(before)) is not None:
            return self._with(Step(accepted, "refused", refusal))
        writes = [write for effect in action.effects for write in effect.writes(before)]
        settled = self._settled(writes)
        reply = action.answer(settled.state, self.world.scope(settled.state, arguments))
        changes = tuple(differences(self.state, settled.state))
        return replace(self, state=settled.state)._with(Step(accepted, "done", reply, changes, settled.fired))

    def met(self, criterion: str) -> bool:
        """Decide a criterion's check on the run as it stands.

        Raises:
            KeyError: The criterion has no check.
            WorldFault: The check ends in an error.
        """
        return self.world.checks[criterion].decide(self.world.scope(self.state, None, Trajectory.of(self.steps)))

    def _settled(self, writes: Sequence[Write]) -> Settled:
        world = self.world
        return settle(apply_writes(self.state, world.initial, writes), world.initial, world.rules, world.scope)

    def _with(self, step: Step) -> "Run":
        return replace(self, steps=(*self.steps, step))


def play(world: World, calls: Iterable[Call]) -> Run:
    """Play calls from the start.

    Raises:
        WorldFault: The world breaks.
    """
    run = Run.start(world)
    for call in calls:
        run = run.act(call)
    return run
