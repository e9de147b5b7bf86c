"""What a log says about a run beside its verdicts: diagnostics, questions, the world model, the idle agent."""

from collections.abc import Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.solver import TaskState

from kwsuite.asking.ask import cut
from kwsuite.datasets.world_sample import PLAYER_KEY, QUESTIONS_KEY, STEPS_KEY
from kwsuite.datasets.worlds import WorldItem
from kwsuite.scorers.stop_reason import stop_reason
from kwsuite.worlds.diagnostics import diagnose
from kwsuite.worlds.engine import Run, World
from kwsuite.worlds.state import differences, spelled
from kwsuite.worlds.templates import written

_KEPT_CHANGES, _KEPT_VALUE = 50, 300


def world_measures(item: WorldItem, run: Run, state: TaskState) -> dict[str, Any]:
    """Give everything that the score of a world's run carries in its metadata beside the verdicts."""
    steps: list[dict[str, Any]] = state.store.get(STEPS_KEY) or []
    questions: list[dict[str, Any]] = state.store.get(QUESTIONS_KEY) or []
    stop = stop_reason(state, len(run.steps))
    return {
        "stop": stop.reason,
        "stop_detail": stop.detail,
        "steps": len(run.steps),
        "idle_fraction": idle_fraction(item),
        "diagnostics": diagnostics_record(run, state.messages),
        "questions": len(questions),
        "questions_answered": sum(bool(question["known"]) for question in questions),
        "world": state.store.get(PLAYER_KEY),
        "world_reasks": sum(step.get("attempts", 1) - 1 for step in steps),
        "changed": net_changes(run),
    }


def idle_fraction(item: WorldItem) -> float | None:
    """Give the share of criteria that an agent meets by doing nothing; None if a judge would have to say."""
    if any(part.check is None for part in item.scenario.criteria.values()):
        return None
    idle = Run.start(item.world)
    return sum(idle.met(criterion) for criterion in item.world.checks) / len(item.world.checks)


def diagnostics_record(run: Run, messages: Sequence[ChatMessage]) -> dict[str, Any]:
    """Write the diagnostics of a run; None stands for what the scenario cannot show.

    Args:
        run: The run.
        messages: The conversation, in which calls stand that did not fit their schema and so never reached the world.
    """
    found = diagnose(run)
    misfits = [
        {"tool": message.function, "reason": message.error.message}
        for message in messages
        if isinstance(message, ChatMessageTool) and message.error is not None and message.error.type == "parsing"
    ]
    refused = [part for part in found.rejected if part.outcome == "refused"]
    malformed = [part for part in found.rejected if part.outcome == "malformed"]
    return {
        "reads": found.reads,
        "writes": found.writes,
        "reads_per_write": found.reads_per_write,
        "acted_before_looking": list(found.acted_before_looking),
        "configured": list(found.configured),
        "not_verified": list(found.not_verified),
        "not_restored": list(found.not_restored) if run.world.temporary else None,
        "too_broad": list(found.too_broad) if _has_breadth(run.world) else None,
        "refused": [{"tool": part.tool, "reason": part.reason} for part in refused],
        "malformed": [*({"tool": part.tool, "reason": part.reason} for part in malformed), *misfits],
    }


def net_changes(run: Run) -> dict[str, str]:
    """Give what is different at the end, place by place, long values cut and marked; for the reader of a log."""
    changes = list(differences(run.world.initial, run.state))
    shown = {
        spelled(change.place): "gone" if change.removed else cut(written(change.value), _KEPT_VALUE)
        for change in changes[:_KEPT_CHANGES]
    }
    if len(changes) > _KEPT_CHANGES:
        shown["..."] = f"{len(changes) - _KEPT_CHANGES} more"
    return shown


def _has_breadth(world: World) -> bool:
    return any(action.scope == "broad" or action.broad_when is not None for action in world.actions.values())
