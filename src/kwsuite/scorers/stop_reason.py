"""What ended a run."""

from typing import Literal, NamedTuple, get_args

from inspect_ai.event import SampleLimitEvent
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant
from inspect_ai.solver import TaskState

from kwsuite.datasets.world_sample import STOP_KEY

StopReason = Literal["submitted", "no_action", "limit"]

_KEPT = "kwsuite:stop"


class Stop(NamedTuple):
    """What ended a run."""

    reason: StopReason
    """`submitted`: the agent ended it, having acted. `no_action`: it ended it without a step. `limit`: neither."""
    detail: str
    """For a limit which one (max_steps, message, token, time, ...); else the stop reason of the last reply."""


def stop_reason(state: TaskState, steps: int) -> Stop:
    """Say what ended a run, and keep it in the store, since a log that is scored again no longer shows its limits.

    Args:
        state: The sample at its end.
        steps: Steps that were taken in the world.
    """
    kept: list[str] | None = state.store.get(_KEPT)
    if kept is None:
        stop = _found(state, steps)
        state.store.set(_KEPT, list(stop))
        return stop
    return Stop(next(reason for reason in get_args(StopReason) if reason == kept[0]), kept[1])


def _found(state: TaskState, steps: int) -> Stop:
    if own := state.store.get(STOP_KEY):
        return Stop("limit", str(own))
    limits = [event.type for event in transcript().events if isinstance(event, SampleLimitEvent)]
    if limits:
        return Stop("limit", limits[-1])
    last = state.messages[-1] if state.messages else None
    if not isinstance(last, ChatMessageAssistant) or last.tool_calls:
        return Stop("limit", "unknown")
    return Stop("submitted" if steps else "no_action", state.output.stop_reason)
