"""knowledge_gated: is it ignorance or incompetence? The same task with, without and with perturbed knowledge."""

from importlib.resources import files
from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric
from inspect_ai.util import SandboxEnvironmentSpec

from kwsuite.arguments import check_choice, check_count, refuse_unknown
from kwsuite.datasets.gated import CONDITIONS, DEFAULT_SEED, Condition
from kwsuite.datasets.gated_sample import Delivery, gated_dataset
from kwsuite.datasets.gated_set import BUNDLED, GatedSet, load_gated_set
from kwsuite.reference.loaded_gated import remember_gated
from kwsuite.scorers.judge import ReplyForm, prompt_text
from kwsuite.scorers.verified import verified
from kwsuite.solvers.gated_agent import gated_agent
from kwsuite.solvers.gated_setup import gated_setup
from kwsuite.tasks.content_version import content_version
from kwsuite.tasks.score_view import score_view

TASK_VERSION = "1-A"
"""N-X: N rises when results are no longer comparable, X when only the interface changed."""

SandboxChoice = Literal["docker", "bwrap", "local"]

_NUMBERS = ("reward", "deterministic", "judged", "fraction", "graded")


@task
def knowledge_gated(
    *,
    condition: Condition = "with",
    tasks: str | list[str] = "all",
    seed: int = DEFAULT_SEED,
    dataset: str = BUNDLED,
    delivery: Delivery = "folder",
    sandbox: SandboxChoice = "docker",
    message_limit: int = 100,
    token_limit: int | None = None,
    time_limit: int | None = None,
    tool_seconds: int = 180,
    allow_unsafe: bool = False,
    judge_form: ReplyForm = "auto",
    judge_cache: bool = True,
    votes: int = 1,
    warm: bool = True,
    require_grader: bool = False,
    **unknown: Any,
) -> Task:
    """Professional tasks that cannot be done right without private knowledge, which is supplied, withheld or perturbed.

    Args:
        condition: `with` places the true artefact, `without` none, `perturbed` one with some values changed. The prompt
            is the same, byte for byte.
        tasks: `all`, one name, or names separated by commas; `kwsuite check --benchmark knowledge_gated` names them.
        seed: Which instance to generate, a whole number from 0; results are compared on the default.
        dataset: `bundled`, or a path to a task's folder or a folder of such.
        delivery: `folder` places the artefact in the sandbox. `skill` offers it by a tool and `inline` puts it into the
            prompt: these are other designs, since prompt or tools then differ between conditions.
        sandbox: `docker`, `bwrap` (Linux, no daemon), or `local` for reference candidates only.
        message_limit: Messages of a run.
        token_limit: Tokens of a run; None for no limit.
        time_limit: Seconds of a run; None for no limit.
        tool_seconds: Longest run of one tool call, in seconds.
        allow_unsafe: Let a model act in a sandbox that shares the host's files.
        judge_form: `auto` asks the judge of free-form outputs for JSON by schema, `text` for a final line.
        judge_cache: Whether verdicts given before on the same prompt are reused.
        votes: Times each grader is asked; more than one is decided by strict majority.
        warm: Ask each run's first judged criterion alone, to warm the provider's prefix cache.
        require_grader: Refuse to let the candidate grade itself.
        unknown: Refused.

    Model roles:
        grader: Judges the free-form outputs of the tasks that have one, no other part. A list makes a panel.
    """
    refuse_unknown(knowledge_gated, unknown)
    check_choice("condition", condition, CONDITIONS)
    check_choice("delivery", delivery, ("folder", "skill", "inline"))
    check_count("seed", seed, least=0)
    check_choice("sandbox", sandbox, ("docker", "bwrap", "local"))
    chosen = chosen_tasks(load_gated_set(dataset), tasks)
    remember_gated(chosen)
    return Task(
        dataset=gated_dataset(chosen, condition, seed, delivery),
        setup=gated_setup(allow_unsafe=allow_unsafe),
        solver=gated_agent(tool_seconds=tool_seconds),
        scorer=verified(
            judge_form=judge_form, judge_cache=judge_cache, votes=votes, warm=warm, require_grader=require_grader
        ),
        sandbox=sandbox_spec(sandbox),
        message_limit=message_limit,
        token_limit=token_limit,
        time_limit=time_limit,
        version=content_version(TASK_VERSION, chosen.digest(), _prompts(chosen)),
        metadata={"dataset": chosen.source, "version": chosen.digest(), "seed": seed, "condition": condition},
        headline_metric=HeadlineMetric(scorer="verified", metric="verified_rate"),
        viewer=score_view("Reward", "verified", _NUMBERS, {}),
        continue_on_fail=True,
        display_name="knowledge_gated: tasks that need supplied knowledge",
    )


def chosen_tasks(tasks: GatedSet, names: str | list[str]) -> GatedSet:
    """Keep the tasks that an argument names: `all`, names separated by commas, or a list.

    Raises:
        DataError: A name is none of the set's.
    """
    if names == "all":
        return tasks
    listed = names.split(",") if isinstance(names, str) else names
    return tasks.chosen([name.strip() for name in listed])


def sandbox_spec(sandbox: SandboxChoice) -> SandboxEnvironmentSpec:
    """Name the sandbox with its settings: for docker our compose file, without network."""
    if sandbox == "docker":
        compose = files("kwsuite.datasets") / "data" / "gated" / "compose.yaml"
        return SandboxEnvironmentSpec("docker", str(compose))
    return SandboxEnvironmentSpec(sandbox)


def _prompts(tasks: GatedSet) -> list[str]:
    """Give the judge's prompt texts where a task has something to judge."""
    judged = any(item.task.judged for item in tasks.items)
    return [prompt_text(name) for name in ("judge", "form_schema", "form_text")] if judged else []
