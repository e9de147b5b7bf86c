"""kwbench: does a candidate see the problem that nobody pointed at?"""

from typing import Any, Literal

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from kwsuite.arguments import check_choice, check_count, refuse_unknown
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.item_set import BUNDLED, ItemSet, load_items
from kwsuite.datasets.kwbench import Framing
from kwsuite.datasets.kwbench_sample import MATERIAL_LINE, kwbench_dataset
from kwsuite.reference.loaded_items import remember_items
from kwsuite.scorers.conjunctive_gate import JudgeSees, conjunctive_gate
from kwsuite.scorers.judge import JudgeStyle, ReplyForm, prompt_text
from kwsuite.solvers.neutral_prompt import SYSTEM_LINE, Tools, neutral_prompt
from kwsuite.tasks.content_version import content_version
from kwsuite.tasks.score_view import score_view

TASK_VERSION = "1-A"
"""N-X: N rises when results are no longer comparable, X when only the interface changed."""

_PROMPTS = ("judge", "judge_strict", "form_schema", "form_text")

PolarityChoice = Literal["all", "positive", "neighbour"]

_NUMBERS = ("gate", "score", "mandatory", "good_to_have", "ideal", "graded")


@task
def kwbench(
    *,
    dataset: str = BUNDLED,
    framing: Framing = "cold",
    polarity: PolarityChoice = "all",
    tools: Tools = "item",
    message_limit: int = 100,
    allow_unsafe: bool = False,
    judge_style: JudgeStyle = "substance",
    judge_sees: JudgeSees = "task",
    judge_form: ReplyForm = "auto",
    judge_all: bool = True,
    judge_cache: bool = True,
    votes: int = 1,
    warm: bool = True,
    require_grader: bool = False,
    **unknown: Any,
) -> Task:
    """Unprompted recognition: raw professional material, a deliverable to produce, and no hint of the problem in it.

    Args:
        dataset: `bundled` (the items that ship); a path to an item, a folder of items, or a `.jsonl` file in the
            published format; or a Hub id such as `clio-ai/kwbench`, optionally with `@revision`.
        framing: `cold` shows the task as it is, `hinted` adds a sentence that says where to look, `specified` one that
            names the problem.
        polarity: `all`, only `positive` items, or only `neighbour` items, in which the plain answer is right.
        tools: `item` gives the tools each item allows, `none` gives none.
        message_limit: Messages of a run; what stands by then is judged.
        allow_unsafe: Let a model use an item's bash or code in a sandbox that shares the host's files.
        judge_style: `substance`, or `strict` as the published code prompts its judge.
        judge_sees: `task`, or `ground_truth` to show the judge the expert's reasoning too.
        judge_form: `auto` asks the judge for JSON by schema, `text` for a final line.
        judge_all: Without it, other tiers are skipped once a mandatory criterion is not met.
        judge_cache: Whether verdicts given before on the same prompt are reused.
        votes: Times each grader is asked; more than one is decided by strict majority.
        warm: Ask each answer's first criterion alone, to warm the provider's prefix cache.
        require_grader: Refuse to let the candidate grade itself.
        unknown: Refused.

    Model roles:
        grader: The judge; a list makes a panel. Without it the candidate grades itself, with a warning.
    """
    refuse_unknown(kwbench, unknown)
    check_count("message_limit", message_limit)
    check_choice("framing", framing, ("cold", "hinted", "specified"))
    items = _chosen(load_items(dataset), polarity)
    remember_items(items)
    return Task(
        dataset=kwbench_dataset(items, framing),
        solver=neutral_prompt(tools=tools, allow_unsafe=allow_unsafe),
        scorer=conjunctive_gate(
            judge_style=judge_style,
            judge_sees=judge_sees,
            judge_form=judge_form,
            judge_all=judge_all,
            judge_cache=judge_cache,
            votes=votes,
            warm=warm,
            require_grader=require_grader,
        ),
        message_limit=message_limit,
        version=content_version(TASK_VERSION, items.digest(), _prompts()),
        metadata={"dataset": items.source, "revision": items.revision, "version": items.digest()},
        headline_metric=HeadlineMetric(scorer="conjunctive_gate", metric="pass_rate"),
        viewer=score_view("Gate and score", "conjunctive_gate", _NUMBERS, {"good_to_have": "good to have"}),
        continue_on_fail=True,
        display_name="kwbench: unprompted recognition",
    )


def _chosen(items: ItemSet, polarity: PolarityChoice) -> ItemSet:
    check_choice("polarity", polarity, ("all", "positive", "neighbour"))
    if polarity == "all":
        return items
    kept = tuple(loaded for loaded in items.items if loaded.item.polarity == polarity)
    if not kept:
        raise DataError(f"dataset {items.source}: holds no {polarity} items. Use polarity=all.")
    return ItemSet(items.source, items.revision, kept)


def _prompts() -> list[str]:
    """Give every text that candidate and judge are told beside the items."""
    return [SYSTEM_LINE, MATERIAL_LINE, *map(prompt_text, _PROMPTS)]
