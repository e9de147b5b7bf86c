"""Scripts for a world model to play: the reference runs of a scenario, and seeded random walks."""

from collections.abc import Iterator
from itertools import islice

from inspect_ai.dataset import MemoryDataset, Sample

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_sample import SCENARIO_KEY, carry
from kwsuite.datasets.world_set import WorldSet
from kwsuite.datasets.worlds import WorldItem
from kwsuite.worlds.trajectory import Call
from kwsuite.worlds.walks import random_walk

CALLS_KEY = "calls"
"""Where a sample's metadata keeps the script: a list of `[tool, arguments]`."""
REPLIES_KEY = "kwsuite:world_replies"
"""Where a sample's store keeps, for each call, what the world model replied each time."""


def fidelity_dataset(worlds: WorldSet, walks: int, walk_steps: int) -> MemoryDataset:
    """Make a sample for each script of each scenario.

    Args:
        worlds: The scenarios.
        walks: Random walks for each, seeded 0, 1, ...
        walk_steps: Calls in each walk, without those that do not fit their schema and would never reach a model.

    Raises:
        DataError: A scenario cannot be played by the engine, so there is nothing to compare with.
    """
    version = worlds.digest()
    samples = [
        Sample(
            id=f"{item.scenario.id}:{name}",
            input=f"Simulate {item.scenario.id}, {name}: {len(calls)} calls.",
            metadata={
                "category": item.scenario.category,
                "scenario_id": item.scenario.id,
                "script": name,
                CALLS_KEY: [[call.tool, dict(call.arguments)] for call in calls],
                SCENARIO_KEY: carry(item),
                "version": version,
            },
        )
        for item in worlds.items
        for name, calls in _scripts(item, walks, walk_steps)
    ]
    return MemoryDataset(samples, name=worlds.source)


def _scripts(item: WorldItem, walks: int, walk_steps: int) -> Iterator[tuple[str, tuple[Call, ...]]]:
    if "world" in item.scenario.needs:
        raise DataError(
            f"{item.where()}: item {item.scenario.id}: some actions are in prose only, so no engine can be compared "
            "with a world model. Add their executable form, or leave the scenario out."
        )
    if item.scenario.reference is not None:
        yield "expert", item.scenario.reference.expert
        yield "surface", item.scenario.reference.surface
    for seed in range(walks):
        steps = (run.steps[-1] for run in random_walk(item.world, seed, 20 * walk_steps))
        fitting = (step.call for step in steps if step.outcome != "malformed")
        yield f"walk_{seed}", tuple(islice(fitting, walk_steps))
