"""recitation_probe: does a model that can restate the knowledge also answer right, without tools?"""

from typing import Any

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from kwsuite.arguments import check_count, refuse_unknown
from kwsuite.datasets.gated import DEFAULT_SEED
from kwsuite.datasets.gated_set import BUNDLED, load_gated_set
from kwsuite.datasets.recitation_sample import RECITATION_PROMPTS, recitation_dataset
from kwsuite.reference.loaded_gated import remember_gated
from kwsuite.scorers.recitation import recitation
from kwsuite.solvers.recite import recite
from kwsuite.tasks.content_version import content_version
from kwsuite.tasks.knowledge_gated import chosen_tasks

TASK_VERSION = "1-A"
"""N-X: N rises when results are no longer comparable, X when only the interface changed."""


@task
def recitation_probe(
    *,
    tasks: str | list[str] = "all",
    seed: int = DEFAULT_SEED,
    dataset: str = BUNDLED,
    budget: int = 60_000,
    **unknown: Any,
) -> Task:
    """Two turns without tools: restate the private conventions as JSON, then do the gated task with its data inline.

    The first turn rehearses the conventions right before they are used, so a pass says less about finding them.

    Args:
        tasks: `all`, one name, or names separated by commas.
        seed: Which instance to generate, a whole number from 0.
        dataset: `bundled`, or a path to a task's folder or a folder of such.
        budget: Largest size of a task's input files together, in characters; larger tasks are left out.
        unknown: Refused.
    """
    refuse_unknown(recitation_probe, unknown)
    check_count("seed", seed, least=0)
    check_count("budget", budget)
    chosen = chosen_tasks(load_gated_set(dataset), tasks)
    remember_gated(chosen)
    return Task(
        dataset=recitation_dataset(chosen, seed, budget),
        solver=recite(),
        scorer=recitation(),
        version=content_version(TASK_VERSION, chosen.digest(), RECITATION_PROMPTS),
        metadata={"dataset": chosen.source, "version": chosen.digest(), "seed": seed},
        headline_metric=HeadlineMetric(scorer="recitation", metric="recited_answered"),
        continue_on_fail=True,
        display_name="recitation_probe: restated and used",
    )
