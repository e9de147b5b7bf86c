"""The scorer of kwbench, usable on any Inspect task."""

from pathlib import Path
from typing import Any, Literal, get_args

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from kwsuite.arguments import check_choice
from kwsuite.datasets.message_ids import is_of_this_suite
from kwsuite.datasets.strict_yaml import read_text
from kwsuite.scorers.coverage import coverage
from kwsuite.scorers.evidence import Evidence
from kwsuite.scorers.gate_metrics import (
    best_run,
    conditional_score,
    false_alarm_rate,
    gated_out_fraction,
    mean_score,
    near_misses,
    pass_rate,
    pass_rate_all,
    pass_rate_by_category,
)
from kwsuite.scorers.gate_record import gate_record
from kwsuite.scorers.graders import bound_graders
from kwsuite.scorers.judge import PROMPT_VERSION, Judge, JudgeStyle, ReplyForm, check_judge_options
from kwsuite.scorers.judging import judge_rubric
from kwsuite.scorers.rubric_source import rubric_source
from kwsuite.scorers.submission import submission
from kwsuite.verdicts import gate_score

JudgeSees = Literal["task", "ground_truth"]


@scorer(
    name="conjunctive_gate",
    metrics=[
        pass_rate(),
        pass_rate_all(),
        false_alarm_rate(),
        mean_score(),
        conditional_score(),
        gated_out_fraction(),
        near_misses(),
        coverage(),
        pass_rate_by_category(),
        best_run(),
    ],
)
def conjunctive_gate(
    *,
    rubric: str | dict[str, Any] | None = None,
    material: str | None = None,
    judge_style: JudgeStyle = "substance",
    judge_sees: JudgeSees = "task",
    judge_form: ReplyForm = "auto",
    judge_all: bool = True,
    judge_cache: bool = True,
    votes: int = 1,
    warm: bool = True,
    require_grader: bool = False,
) -> Scorer:
    """Judge an answer criterion by criterion; 0 unless every mandatory one is met, else 0.40 + 0.35 g + 0.25 i.

    The value has the keys `gate`, `score`, `mandatory`, `good_to_have`, `ideal` and `graded`; a number that cannot be
    known for want of a verdict is NaN, with its bounds in the metadata. Works on a finished log of any task too:
    `inspect score LOG --scorer kwsuite/conjunctive_gate -S rubric=FILE --model-role grader=PROVIDER/MODEL`.

    Args:
        rubric: None takes each sample's own. Else a YAML or JSON file (or its content) with one rubric for all samples,
            or a map from sample id to rubric; a sample it lacks is an error.
        material: A text file in UTF-8 shown to the judge beside the sample's input. None: the input is the material.
        judge_style: `substance` (as the paper describes its judge) or `strict` (as its released code prompts it).
        judge_sees: `task`, or `ground_truth` to show the judge the sample's target as the expert's reasoning too.
        judge_form: `auto` asks for JSON by schema and reads text as well; `text` asks for a final line.
        judge_all: Without it, other tiers are left unscored (`skipped`) once a mandatory criterion is not met.
        judge_cache: Whether verdicts given before on the same prompt, rubric and epoch are reused.
        votes: Times each grader is asked, from 1 to 99; more than one is decided by strict majority.
        warm: Ask an answer's first criterion alone, so that the provider's prefix cache is warm for the rest.
        require_grader: Refuse to let the candidate grade itself.

    Model roles:
        grader: The judge; a list of models makes a panel. Without one the candidate grades itself, with a warning and
            `self_graded: true` in the record.
    """
    check_choice("judge_style", judge_style, get_args(JudgeStyle))
    check_choice("judge_sees", judge_sees, get_args(JudgeSees))
    check_judge_options(
        judge_form, votes, judge_all=judge_all, judge_cache=judge_cache, warm=warm, require_grader=require_grader
    )
    rubric_of = rubric_source(rubric)
    beside = read_text(Path(material)) if material else None

    async def score(state: TaskState, target: Target) -> Score:
        graders = bound_graders(require=require_grader)
        of_sample = rubric_of(state)
        answer = await submission(state)
        evidence = Evidence(
            task=_task_text(state),
            answer=answer,
            material=beside,
            ground_truth=target.text if judge_sees == "ground_truth" else None,
            rubric_hash=of_sample.digest(),
        )
        ids = (("benchmark", "kwbench"), ("item", str(state.sample_id)))
        judge = Judge(graders.models, judge_style, judge_form, votes, judge_cache, state.epoch, ids)
        outcomes = await judge_rubric(judge, of_sample, evidence, warm=warm, judge_all=judge_all)
        context = {
            "epoch": state.epoch,
            "polarity": "neighbour" if state.metadata.get("polarity") == "neighbour" else "positive",
            "rubric_hash": evidence.rubric_hash,
            "version": state.metadata.get("version") if is_of_this_suite(state.input) else None,
            "prompt_version": PROMPT_VERSION,
            "judge_style": judge_style,
            "judge_sees": judge_sees,
            "grader": graders.name,
            "self_graded": graders.self_graded,
        }
        return gate_record(of_sample, outcomes, gate_score(of_sample, outcomes), answer, context)

    return score


def _task_text(state: TaskState) -> str:
    """Give the whole input without the sentence of a framing: the judge sees one task, whatever the candidate was told.

    An input of several messages is shown whole, each under its role.
    """
    if isinstance(state.input, list) and len(state.input) > 1:
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in state.input)
    sentence = state.metadata.get("framing_sentence")
    return state.input_text.replace(f"\n\n{sentence}", "", 1) if sentence else state.input_text
