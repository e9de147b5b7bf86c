"""Putting a script to a world model, call by call."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from kwsuite.arguments import check_count
from kwsuite.asking import Answer, NoAnswer
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.fidelity_sample import CALLS_KEY, REPLIES_KEY
from kwsuite.datasets.world_sample import world_of
from kwsuite.datasets.worlds import WorldItem
from kwsuite.solvers.world_model import ask_world
from kwsuite.solvers.world_reply import WorldReply, contract_faults
from kwsuite.solvers.world_session import WorldModelError
from kwsuite.worlds.engine import Run
from kwsuite.worlds.record import step_record
from kwsuite.worlds.trajectory import Call


@solver
def simulate_script(*, repeats: int = 5) -> Solver:
    """Ask the world model what comes of every call of the sample's script, in the state in which the engine makes it.

    Each call is asked about on its own, so that one mistake does not spoil what follows. Nothing comes from a cache.

    Args:
        repeats: How often each call is asked about, at least 1.

    Model roles:
        world: The model that is asked; without it the model of the run is.

    Raises:
        ArgumentError: `repeats` is out of range.
        ValueError: When a sample runs, the role `world` is bound to a list of models.
        WorldModelError: When a sample runs, calls to the model fail, re-asks included. A model that answers and
            cannot keep to the form is measured instead.
    """
    check_count("repeats", repeats)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = world_of(state.metadata)
        if item is None:
            raise DataError(f"sample {state.sample_id!r} carries no scenario. Make it with fidelity_dataset.")
        model = _world_model()
        scenes = list(_scenes(item, state.metadata[CALLS_KEY]))
        asked = [(scene, repeat) for scene in scenes for repeat in range(repeats)]
        answers = await collect(*[_ask(model, item, scene) for scene, _ in asked])
        _insist_on_provider(model, item, answers)
        replies = [_reply(answer, scene) for answer, (scene, _) in zip(answers, asked, strict=True)]
        state.store.set(
            REPLIES_KEY,
            [
                {**scene.engine, "replies": replies[number * repeats : (number + 1) * repeats]}
                for number, scene in enumerate(scenes)
            ],
        )
        return state

    return solve


def _world_model() -> Model:
    bound = model_roles().get("world")
    if bound is None:
        return get_model()
    if not isinstance(bound, Model):
        raise ValueError("one model at a time is measured as a world. Give --model-role world=PROVIDER/MODEL, no list.")
    return bound


class _Scene(NamedTuple):
    """A call, the run before it, and what the engine makes of it."""

    run: Run
    call: Call
    engine: dict[str, Any]


def _scenes(item: WorldItem, calls: list[tuple[str, dict[str, Any]]]) -> Iterator[_Scene]:
    run = Run.start(item.world)
    for tool, arguments in calls:
        after = run.act(Call(tool, arguments))
        step = after.steps[-1]
        yield _Scene(run, step.call, step_record(step, run.state))
        run = after


async def _ask(model: Model, item: WorldItem, scene: _Scene) -> Answer[WorldReply] | NoAnswer:
    return await ask_world(model, item, scene.run, scene.call, check="types", scopes=None)


def _insist_on_provider(model: Model, item: WorldItem, answers: Sequence[Answer[WorldReply] | NoAnswer]) -> None:
    """Raise where calls themselves failed: what a provider's outage would measure is no world model."""
    failed = [one for one in answers if isinstance(one, NoAnswer) and one.fault.reason == "grader_error"]
    if failed:
        raise WorldModelError(
            f"item {item.scenario.id}: {len(failed)} of {len(answers)} questions to the world model {model} failed, "
            f"each in {failed[0].attempts} attempts. The first failure: {failed[0].fault.message} "
            "Run the sample again once the provider answers: inspect eval-retry LOG."
        )


def _reply(answer: Answer[WorldReply] | NoAnswer, scene: _Scene) -> dict[str, Any]:
    if isinstance(answer, NoAnswer):
        return {"faults": [answer.fault.message], "attempts": answer.attempts}
    step = answer.value.step(scene.call, scene.run.state)
    return {
        **step_record(step, scene.run.state),
        "faults": contract_faults(answer.value, scene.run, scene.call),
        "attempts": answer.attempts,
    }
