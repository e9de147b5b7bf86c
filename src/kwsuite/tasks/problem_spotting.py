"""problem_spotting: does a candidate find what is wrong in a document when nobody says that something is?"""

from typing import Any, get_args

from inspect_ai import Task, task
from inspect_ai.log import HeadlineMetric

from kwsuite.arguments import check_choice, check_flags, refuse_unknown
from kwsuite.datasets.spotting_sample import spotting_dataset
from kwsuite.datasets.spotting_set import BUNDLED, LanguageChoice, load_document_set
from kwsuite.matching.findings import ReplyFormat
from kwsuite.matching.match import IOU
from kwsuite.matching.meaning import MatchBy
from kwsuite.reference.loaded_documents import remember_documents
from kwsuite.scorers.judge import ReplyForm, prompt_text
from kwsuite.scorers.spotted import WITHOUT_GRADER, spotted
from kwsuite.solvers.spot_problems import Strategy, spot_problems
from kwsuite.solvers.spotting_prompt import Stance, Types, spotting_texts
from kwsuite.tasks.content_version import content_version
from kwsuite.tasks.score_view import score_view

TASK_VERSION = "1-A"
"""N-X: N rises when results are no longer comparable, X when only the interface changed."""

_JUDGE_PROMPTS = ("judge_same", "form_schema", "form_text")

_COUNTS = ("planted", "reported", "hits")


@task
def problem_spotting(
    *,
    dataset: str = BUNDLED,
    language: LanguageChoice = "all",
    domain: str = "all",
    output: ReplyFormat = "xml",
    strategy: Strategy = "direct",
    types: Types = "none",
    stance: Stance = "neutral",
    max_problems: int | None = None,
    match: MatchBy = "judge",
    threshold: float | None = None,
    iou: float = IOU,
    judge_form: ReplyForm = "auto",
    judge_cache: bool = True,
    votes: int = 1,
    **unknown: Any,
) -> Task:
    """Problem spotting: a document and a neutral instruction; problems are to be found, located, typed and described.

    Args:
        dataset: `bundled` (the documents that ship), a path to a `.yaml` or `.jsonl` file, or to a folder of them.
        language: `all`, `en` or `zh`: which documents. Each is asked about in its own language.
        domain: `all`, or one kind of document, such as contract, report, paper, manual, minutes or code_review.
        output: The form that the instruction asks for: `xml`, `json` or `markdown`. Replies in another are read too.
        strategy: `direct` asks once; `two_stage` collects claims section by section, cross-checks them, then locates.
        types: What the instruction gives away of the taxonomy: `none`, the types `named`, or `defined`.
        stance: What it stresses: nothing (`neutral`), that nothing be missed (`thorough`), or that all be sure
            (`certain`).
        max_problems: Most findings to report; unset, the instruction says nothing about it.
        match: What decides that two descriptions mean the same: `judge` asks the grader; `embedding` (needs
            kwsuite[embed]) and `lexical` measure, offline. Results of the three do not compare.
        threshold: Least similarity that counts as the same, above 0 and at most 1; unset, the measure's own.
        iou: Least agreement in place, widened to sentences, above 0 and at most 1.
        judge_form: `auto` asks the judge for JSON by schema, `text` for a final line.
        judge_cache: Whether verdicts given before on the same pair are reused.
        votes: Times each grader is asked; more than one is decided by strict majority.
        unknown: Refused.

    Model roles:
        grader: Compares descriptions with `-T match=judge`; a list makes a panel. Without one that is an error.
    """
    refuse_unknown(problem_spotting, unknown)
    check_flags(judge_cache=judge_cache)
    check_choice("language", language, get_args(LanguageChoice))
    documents = load_document_set(dataset).only(language, domain)
    remember_documents(documents)
    prompts = [*spotting_texts(), *map(prompt_text, _JUDGE_PROMPTS)]
    return Task(
        dataset=spotting_dataset(documents, output),
        solver=spot_problems(
            output=output,
            strategy=strategy,
            types=types,
            stance=stance,
            max_problems=max_problems,
            needs_grader=WITHOUT_GRADER if match == "judge" else None,
        ),
        scorer=spotted(
            match=match,
            threshold=threshold,
            iou=iou,
            output=output,
            judge_form=judge_form,
            judge_cache=judge_cache,
            votes=votes,
        ),
        version=content_version(TASK_VERSION, documents.digest(), prompts),
        metadata={
            "dataset": documents.source,
            "documents": len(documents.documents),
            "version": documents.digest(),
        },
        headline_metric=HeadlineMetric(scorer="spotted", metric="micro_f1"),
        viewer=score_view(
            "Problems found",
            "spotted",
            ("f1", "precision", "recall", *_COUNTS, "type_accuracy", "readable", "graded"),
            {"f1": "F1", "hits": "found", "type_accuracy": "type right"},
            counts=_COUNTS,
        ),
        continue_on_fail=True,
        display_name="problem_spotting: what nobody said was wrong",
    )
