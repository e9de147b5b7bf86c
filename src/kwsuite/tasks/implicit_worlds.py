"""implicit_worlds: does an agent meet the requirements that nobody stated?"""

from typing import Any, Literal, get_args

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from kwsuite.arguments import check_choice, refuse_unknown
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_format import Category
from kwsuite.datasets.world_sample import worlds_dataset
from kwsuite.datasets.world_set import BUNDLED, WorldSet, load_world_set
from kwsuite.reference.loaded_worlds import remember_worlds
from kwsuite.scorers.all_pass import all_pass
from kwsuite.scorers.judge import ReplyForm, prompt_text
from kwsuite.solvers.world_agent import world_agent
from kwsuite.solvers.world_prompt import PROMPTS
from kwsuite.solvers.world_prompt import prompt_text as world_prompt_text
from kwsuite.solvers.world_reply import WorldCheck
from kwsuite.solvers.world_setup import MAX_STEPS, WorldPlayer, world_setup
from kwsuite.tasks.content_version import content_version
from kwsuite.tasks.score_view import score_view

TASK_VERSION = "1-A"
"""N-X: N rises when results are no longer comparable, X when only the interface changed."""

CategoryChoice = Literal["all", "implicit_reasoning", "catastrophic_risk", "privacy_security", "accessibility"]

_JUDGE_PROMPTS = ("judge_run", "form_schema", "form_text")


@task
def implicit_worlds(
    *,
    dataset: str = BUNDLED,
    category: CategoryChoice = "all",
    world: WorldPlayer = "engine",
    world_check: WorldCheck = "effects",
    world_cache: bool = True,
    clarify: bool = False,
    max_steps: int = MAX_STEPS,
    judge_form: ReplyForm = "auto",
    judge_cache: bool = True,
    votes: int = 1,
    warm: bool = True,
    require_grader: bool = False,
    **unknown: Any,
) -> Task:
    """Simulated worlds with hidden requirements: a simple request, tools to act with, and more to it than it says.

    Args:
        dataset: `bundled` (the scenarios that ship), a path to a scenario's file, or a path to a folder of them.
        category: `all`, or one of the four: `implicit_reasoning`, `catastrophic_risk`, `privacy_security`,
            `accessibility`.
        world: `engine` plays the world by its executable contracts, exactly; `model` asks the role `world`, as in the
            paper.
        world_check: What a world model is held to: `effects` (the executable contract, where there is one), or `types`
            (declared entities, properties and kinds only, as in the paper).
        world_cache: Whether replies of the world model given before in the same state are reused.
        clarify: Give the agent a tool to ask the user. Off by default, so that results stay comparable.
        max_steps: Calls that the agent may make; questions to the user are not among them.
        judge_form: `auto` asks the judge for JSON by schema, `text` for a final line.
        judge_cache: Whether verdicts given before on the same prompt are reused.
        votes: Times each grader is asked; more than one is decided by strict majority.
        warm: Ask each run's first criterion alone, to warm the provider's prefix cache.
        require_grader: Refuse to let the candidate grade itself.
        unknown: Refused.

    Model roles:
        world: Plays the world with `-T world=model`; the engine needs none.
        grader: Judges criteria that are in prose only; the scenarios that ship have none. A list makes a panel.
    """
    refuse_unknown(implicit_worlds, unknown)
    worlds = chosen_worlds(load_world_set(dataset), category)
    remember_worlds(worlds)
    prompts = [*map(world_prompt_text, PROMPTS), *map(prompt_text, _JUDGE_PROMPTS)]
    return Task(
        dataset=worlds_dataset(worlds),
        setup=world_setup(
            world=world, world_check=world_check, world_cache=world_cache, clarify=clarify, max_steps=max_steps
        ),
        solver=world_agent(),
        scorer=all_pass(
            judge_form=judge_form, judge_cache=judge_cache, votes=votes, warm=warm, require_grader=require_grader
        ),
        version=content_version(TASK_VERSION, worlds.digest(), prompts),
        metadata={"dataset": worlds.source, "version": worlds.digest()},
        headline_metric=HeadlineMetric(scorer="all_pass", metric="spr"),
        viewer=score_view("Criteria met", "all_pass", ("all_pass", "fraction", "graded"), {"all_pass": "all pass"}),
        continue_on_fail=True,
        display_name="implicit_worlds: unstated requirements",
    )


def chosen_worlds(worlds: WorldSet, category: CategoryChoice) -> WorldSet:
    """Keep the scenarios of a category.

    Raises:
        ArgumentError: It is no category.
        DataError: No scenario is left.
    """
    check_choice("category", category, ("all", *get_args(Category)))
    if category == "all":
        return worlds
    kept = tuple(item for item in worlds.items if item.scenario.category == category)
    if not kept:
        raise DataError(f"dataset {worlds.source}: holds no scenarios of category {category}. Use category=all.")
    return WorldSet(worlds.source, kept)
