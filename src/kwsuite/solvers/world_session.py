"""The world of a sample while it runs: one run that all tools of the sample share, and its record in the log."""

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import anyio
from inspect_ai.util import store

from kwsuite.datasets.world_format import UserFactPart
from kwsuite.datasets.world_sample import PLAYER_KEY, STEPS_KEY, STOP_KEY
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.engine import Run
from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.record import Record, step_record
from kwsuite.worlds.trajectory import Call, Step

MAX_STEPS_STOP = "max_steps"
"""What the log says of a run that wanted to go on after its last step."""


class Played(NamedTuple):
    """A run after one more call."""

    run: Run
    attempts: int
    """Replies it took a model to give a usable one; 1 for the engine."""


class Player(Protocol):
    """Whatever plays the world: the engine, or a model."""

    async def __call__(self, run: Run, call: Call) -> Played:
        """Make one call.

        Raises:
            WorldFault: The world is broken.
            WorldModelError: A model that plays it is.
        """
        ...


class WorldModelError(RuntimeError):
    """A world model that gave no usable reply. Broken machinery: the sample errors and can be retried."""


class StepLimitError(RuntimeError):
    """A call after the last step that the run may take."""


async def engine_player(run: Run, call: Call) -> Played:
    """Play the world by its executable contracts."""
    return Played(run.act(call), attempts=1)


@dataclass
class WorldSession:
    """One run, whoever makes its calls. Calls that arrive together are made one after the other, in their order."""

    item: WorldItem
    player: Player
    played_by: str
    """`engine`, or the name of the model."""
    max_steps: int
    run: Run
    facts: tuple[UserFactPart, ...] | None = None
    """What the user can be asked about; None where the user cannot be asked."""
    stopped: bool = False
    """Whether the agent wanted to go on after the last step."""
    _turn: anyio.Lock = field(default_factory=anyio.Lock)

    async def act(self, call: Call) -> Step:
        """Make one call and write it to the log.

        Raises:
            StepLimitError: The run has taken all the steps it may; nothing happens.
            WorldFault: The world is broken; the state is as it was, and the log has the step as an error.
            WorldModelError: The model that plays the world is; likewise.
        """
        async with self._turn:
            if len(self.run.steps) >= self.max_steps:
                self.stop()
                raise StepLimitError(f"The limit of {self.max_steps} steps is reached. Nothing more can be done.")
            try:
                played = await self.player(self.run, call)
            except WorldFault as fault:
                message = f"{self.item.where(fault.at)}: item {self.item.scenario.id}: {fault.message}"
                self._note(Step(call, "error", message))
                raise WorldFault(fault.at, message) from fault
            except WorldModelError as error:
                self._note(Step(call, "error", str(error)))
                raise
            step = played.run.steps[-1]
            self._note(step, played.attempts)
            self.run = played.run
            return step

    def stop(self) -> None:
        """Note that the agent was stopped for want of steps."""
        self.stopped = True
        store().set(STOP_KEY, MAX_STEPS_STOP)

    def _note(self, step: Step, attempts: int = 1) -> None:
        record = step_record(step, self.run.state)
        if attempts > 1:
            record["attempts"] = attempts
        steps: list[Record] = store().get(STEPS_KEY)
        steps.append(record)


_SESSION: ContextVar[WorldSession] = ContextVar("world_session")


def open_session(session: WorldSession) -> None:
    """Let the tools of this sample find their world."""
    store().set(STEPS_KEY, [])
    store().set(PLAYER_KEY, session.played_by)
    _SESSION.set(session)


def current_session() -> WorldSession:
    """Give the world of this sample.

    Raises:
        RuntimeError: It has none, because the task did not open one.
    """
    session = _SESSION.get(None)
    if session is None:
        raise RuntimeError(
            "This sample has no world. Its task must run kwsuite/world_setup first, as kwsuite/implicit_worlds does."
        )
    return session
