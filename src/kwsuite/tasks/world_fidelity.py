"""world_fidelity: does a model play a world as its contracts say, and the same way twice?"""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from kwsuite.arguments import check_count, refuse_unknown
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.fidelity_sample import fidelity_dataset
from kwsuite.datasets.world_set import BUNDLED, load_world_set
from kwsuite.reference.loaded_worlds import remember_worlds
from kwsuite.scorers.fidelity import fidelity
from kwsuite.solvers.simulate_script import simulate_script
from kwsuite.solvers.world_prompt import PROMPTS, prompt_text
from kwsuite.tasks.content_version import content_version
from kwsuite.tasks.implicit_worlds import CategoryChoice, chosen_worlds

TASK_VERSION = "1-A"
"""N-X: N rises when results are no longer comparable, X when only the interface changed."""


@task
def world_fidelity(
    *,
    dataset: str = BUNDLED,
    category: CategoryChoice = "all",
    repeats: int = 5,
    walks: int = 2,
    walk_steps: int = 10,
    **unknown: Any,
) -> Task:
    """How well a model plays simulated worlds: against itself over repeats, as in the paper, and against the engine.

    Args:
        dataset: `bundled` (the scenarios that ship), a path to a scenario's file, or a path to a folder of them.
        category: `all`, or one of the four: `implicit_reasoning`, `catastrophic_risk`, `privacy_security`,
            `accessibility`.
        repeats: Times each call is asked about, at least 1; the rates over repeats need 2.
        walks: Seeded random walks beside the expert and the surface run of each scenario.
        walk_steps: Calls in each walk.
        unknown: Refused.

    Model roles:
        world: The world model under test; without it the model of the run is.
    """
    refuse_unknown(world_fidelity, unknown)
    for name, given in (("walks", walks), ("walk_steps", walk_steps)):
        check_count(name, given, least=0)
    worlds = chosen_worlds(load_world_set(dataset), category)
    remember_worlds(worlds)
    samples = fidelity_dataset(worlds, walks, walk_steps)
    if not len(samples):
        raise DataError(
            f"{worlds.source}: no call to ask a model about: no scenario has reference runs, and there are no walks. "
            "Set walks and walk_steps to 1 or more."
        )
    return Task(
        dataset=samples,
        solver=simulate_script(repeats=repeats),
        scorer=fidelity(),
        version=content_version(TASK_VERSION, worlds.digest(), map(prompt_text, PROMPTS)),
        metadata={"dataset": worlds.source, "version": worlds.digest()},
        headline_metric=HeadlineMetric(scorer="fidelity", metric="exact_engine"),
        continue_on_fail=True,
        display_name="world_fidelity: models that play worlds",
    )
