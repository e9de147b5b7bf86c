"""The scorer of problem_spotting, usable on any Inspect task whose samples carry planted problems."""

import hashlib
from typing import get_args

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from kwsuite.arguments import check_choice, check_share
from kwsuite.datasets.message_ids import is_of_this_suite
from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.datasets.spotting_sample import BENCHMARK, document_of
from kwsuite.matching.findings import ReplyFormat
from kwsuite.matching.match import IOU, Key, compare_places, locate_all
from kwsuite.matching.match import match as assign
from kwsuite.matching.meaning import THRESHOLDS, MatchBy, Similarity, embedding, lexical, require_embedding
from kwsuite.matching.near_misses import near_misses
from kwsuite.matching.places import Source
from kwsuite.matching.replies import read_reply
from kwsuite.scorers.coverage import coverage
from kwsuite.scorers.graders import bound_graders
from kwsuite.scorers.judge import PROMPT_VERSION, Judge, ReplyForm, check_judge_options
from kwsuite.scorers.same_problem import judge_pairs, similarities
from kwsuite.scorers.spotted_metrics import (
    caution_index,
    clean_documents,
    f1_scores,
    false_alarms,
    format_failures,
    precision_and_recall,
    recall_by_type,
    type_accuracy,
)
from kwsuite.scorers.spotted_record import spotted_record
from kwsuite.scorers.spotting import Spotting
from kwsuite.verdicts import Outcome

WITHOUT_GRADER = "Or compare meanings without a grader: -T match=embedding (needs kwsuite[embed]) or -T match=lexical."
"""What to do without a grader role, for the error."""

_MEASURES: dict[MatchBy, Similarity] = {"embedding": embedding, "lexical": lexical}


@scorer(
    name="spotted",
    metrics=[
        f1_scores(),
        precision_and_recall(),
        recall_by_type(),
        type_accuracy(),
        false_alarms(),
        clean_documents(),
        caution_index(),
        format_failures(),
        coverage(),
    ],
)
def spotted(
    *,
    match: MatchBy = "judge",
    threshold: float | None = None,
    iou: float = IOU,
    output: ReplyFormat = "xml",
    judge_form: ReplyForm = "auto",
    judge_cache: bool = True,
    votes: int = 1,
) -> Scorer:
    """Match the findings of a reply with the problems planted in a document, one to one; precision, recall and F1.

    A finding names a problem if their places agree, widened to sentences, and their descriptions mean the same. Works
    on a finished log too: `inspect score LOG --scorer kwsuite/spotted -S match=lexical`; and on any task whose sample
    input is a document and whose sample metadata has `problems` (as in an authored file) and `language`.

    Args:
        match: What decides that descriptions mean the same: `judge` asks the grader, `embedding` and `lexical` measure.
        threshold: Least similarity that counts as the same, above 0 and at most 1; None takes the measure's own.
        iou: Least agreement in place, above 0 and at most 1.
        output: The format that the reply was asked in; the others are read only where it holds no complete list in it.
        judge_form: `auto` asks the judge for JSON by schema and reads text as well; `text` asks for a final line.
        judge_cache: Whether verdicts given before on the same pair and epoch are reused.
        votes: Times each grader is asked, from 1 to 99; more than one is decided by strict majority.

    Model roles:
        grader: Compares meanings with `match=judge`; a list of models makes a panel. Without one that is an error;
            if the candidate itself is bound, a warning and `self_graded: true` in the record.
    """
    least = _least_similarity(match, threshold)
    check_share("iou", iou)
    check_judge_options(judge_form, votes, judge_cache=judge_cache)
    check_choice("output", output, get_args(ReplyFormat))

    async def score(state: TaskState, target: Target) -> Score:
        document = document_of(state.sample_id, state.input_text, state.metadata)
        source = Source(document.text)
        reply = read_reply(state.output.completion, output)
        comparison = compare_places(locate_all(reply.findings, source), document.planted(), source, iou)
        judged: dict[Key, Outcome] = {}
        by: dict[str, object] = {"grader": None, "self_graded": False, "prompt_version": None}
        measure = _MEASURES.get(match)
        if measure is None:
            graders = bound_graders(require=True, otherwise=WITHOUT_GRADER)
            by = {"grader": graders.name, "self_graded": graders.self_graded, "prompt_version": PROMPT_VERSION}
            ids = (("benchmark", BENCHMARK), ("item", str(state.sample_id)))
            judge = Judge(graders.models, "same", judge_form, votes, judge_cache, state.epoch, ids)
            judged = await judge_pairs(judge, comparison, source, document.digest())
            alike = similarities(judged)
        else:
            keys = [Key(pair.finding, pair.problem) for pair in comparison.pairs]
            alike = dict(zip(keys, measure([pair.wording for pair in comparison.pairs]), strict=True))
        matching = assign(comparison, alike, least)
        near = near_misses(comparison, matching, source, measure or lexical)
        spotting = Spotting(document, reply, comparison, alike, matching, judged, near, match, least)
        context = {
            "epoch": state.epoch,
            "polarity": "neighbour" if document.clean else "positive",
            "rubric_hash": _rubric_hash(document, match, least, iou),
            "version": state.metadata.get("version") if is_of_this_suite(state.input) else None,
            "match": match,
            "threshold": least,
            "iou": iou,
            "output": output,
            # A sample that a limit ended before the candidate replied has no choices.
            "stop_reason": state.output.stop_reason if state.output.choices else None,
            **by,
        }
        return spotted_record(spotting, state.output.completion, context)

    return score


def _rubric_hash(document: SpottingDocument, match: MatchBy, least: float, iou: float) -> str:
    """Identify what is scored against and by which rule: whoever compares logs then sees that two of them differ."""
    rule = (document.digest(), match, str(least), str(float(iou)))
    return hashlib.sha256("\x1f".join(rule).encode()).hexdigest()[:16]


def _least_similarity(match: MatchBy, threshold: float | None) -> float:
    check_choice("match", match, tuple(THRESHOLDS))
    if match == "embedding":
        require_embedding()
    if threshold is None:
        return THRESHOLDS[match]
    check_share("threshold", threshold)
    return float(threshold)
