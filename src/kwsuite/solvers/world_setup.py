"""Opening the world of a sample before any agent runs."""

from typing import Literal, get_args

from inspect_ai.model import Model, model_roles
from inspect_ai.solver import Generate, Solver, TaskState, solver

from kwsuite.arguments import check_choice, check_count, check_flags
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_sample import world_of
from kwsuite.datasets.worlds import WorldItem
from kwsuite.solvers.world_model import ModelPlayer
from kwsuite.solvers.world_reply import WorldCheck
from kwsuite.solvers.world_session import Player, WorldSession, engine_player, open_session
from kwsuite.solvers.world_tools import world_tools
from kwsuite.worlds.engine import Run

WorldPlayer = Literal["engine", "model"]

MAX_STEPS = 50
"""As in the Implicit Intelligence paper."""


@solver
def world_setup(
    *,
    world: WorldPlayer = "engine",
    world_check: WorldCheck = "effects",
    world_cache: bool = True,
    clarify: bool = False,
    max_steps: int = MAX_STEPS,
) -> Solver:
    """Open the world of each sample and give its tools to the agent.

    Args:
        world: `engine` plays it by its executable contracts, `model` asks the model role `world`.
        world_check: What a world model's replies must fit: `effects` (the executable contract, where there is one), or
            `types` (declared entities, properties and kinds only, as in the paper).
        world_cache: Whether replies of the world model given before in the same state are reused.
        clarify: Give the agent a tool to ask the user.
        max_steps: Calls that an agent may make; questions to the user are not among them.

    Raises:
        ArgumentError: An argument is no choice, no switch or no count.
    """
    check_choice("world", world, get_args(WorldPlayer))
    check_choice("world_check", world_check, get_args(WorldCheck))
    check_flags(world_cache=world_cache, clarify=clarify)
    check_count("max_steps", max_steps)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        item = world_of(state.metadata)
        if item is None:
            raise DataError(f"sample {state.sample_id!r} carries no scenario. Make it with worlds_dataset.")
        player = _player(item, world, world_check, str(state.epoch) if world_cache else None)
        facts = item.scenario.user_facts if clarify else None
        played_by = str(player.model) if isinstance(player, ModelPlayer) else "engine"
        open_session(WorldSession(item, player, played_by, max_steps, Run.start(item.world), facts))
        state.tools = await world_tools().tools()
        return state

    return solve


def _player(item: WorldItem, world: WorldPlayer, check: WorldCheck, epoch: str | None) -> Player:
    if world == "engine":
        if "world" in item.scenario.needs:
            raise DataError(
                f"item {item.scenario.id}: some actions have no executable form, so the engine cannot play it. "
                "Add -T world=model --model-role world=PROVIDER/MODEL."
            )
        return engine_player
    bound = model_roles().get("world")
    if not isinstance(bound, Model):
        raise ValueError("world=model needs one model to play it. Add --model-role world=PROVIDER/MODEL.")
    return ModelPlayer(bound, item, check, epoch)
