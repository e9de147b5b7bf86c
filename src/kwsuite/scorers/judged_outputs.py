"""The part of a gated task that a judge decides: its free-form outputs."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from kwsuite.datasets.gated import GatedItem
from kwsuite.datasets.gated_outputs import CollectedOutputs, handed_in, oversize_fault, text_fault
from kwsuite.datasets.gated_sample import BENCHMARK, GatedArm
from kwsuite.scorers.evidence import Evidence
from kwsuite.scorers.graders import bound_graders
from kwsuite.scorers.judge import PROMPT_VERSION, Judge, ReplyForm
from kwsuite.scorers.judging import judge_rubric
from kwsuite.verdicts import Criterion, Outcome, Rubric, Verdict


@dataclass(frozen=True)
class JudgeOptions:
    """How a judge is asked."""

    form: ReplyForm = "auto"
    """See `Judge.form`."""
    cache: bool = True
    """Whether a verdict that was given before on the same prompt is reused."""
    votes: int = 1
    """Times each grader is asked."""
    warm: bool = True
    """Whether the first criterion is asked alone, for the provider's prefix cache."""
    require_grader: bool = False
    """Refuse to let the candidate grade itself."""


class JudgedPart(NamedTuple):
    """What became of the judged criteria."""

    criteria: tuple[Criterion, ...]
    """The questions; empty for a task without a judged output."""
    outcomes: dict[str, Outcome]
    """One for each."""
    context: dict[str, Any]
    """Who judged, for the record; no grader where none was asked."""


async def judge_outputs(
    item: GatedItem, arm: GatedArm, outputs: CollectedOutputs, options: JudgeOptions, epoch: int
) -> JudgedPart:
    """Put every judged criterion of a task to the grader, but those whose file has no text to be shown.

    They are not met, without a call; an output of the verifier's that is too long to be shown fails all of them.

    Args:
        item: The task.
        arm: How it was played.
        outputs: What was delivered.
        options: How to ask.
        epoch: Keeps cached verdicts apart.

    Raises:
        ValueError: No grader is bound, one is needed and `require_grader` is set.
    """
    criteria = tuple(Criterion(id=criterion.id, text=criterion.text) for criterion in item.task.judged)
    outcomes = _without_text(item, outputs)
    context: dict[str, Any] = {"grader": None, "self_graded": False}
    asked = tuple(criterion for criterion in criteria if criterion.id not in outcomes)
    if asked:
        graders = bound_graders(require=options.require_grader)
        rubric_hash = Rubric(criteria=criteria).digest()
        context = {
            "grader": graders.name,
            "self_graded": graders.self_graded,
            "prompt_version": PROMPT_VERSION,
            "judged_rubric_hash": rubric_hash,
        }
        ids = (("benchmark", BENCHMARK), ("item", item.task.id), ("seed", str(arm.seed)))
        judge = Judge(graders.models, "substance", options.form, options.votes, options.cache, epoch, ids)
        evidence = Evidence(item.instruction, handed_in(item.task, outputs), rubric_hash=rubric_hash)
        outcomes |= await judge_rubric(judge, Rubric(criteria=asked), evidence, warm=options.warm)
    return JudgedPart(criteria, {criterion.id: outcomes[criterion.id] for criterion in criteria}, context)


def _without_text(item: GatedItem, outputs: CollectedOutputs) -> dict[str, Outcome]:
    beside = next((fault for one in item.task.verified_outputs if (fault := oversize_fault(one, outputs))), None)
    faults = {output: text_fault(output, outputs) or beside for output in item.task.judged_outputs}
    return {
        criterion.id: Verdict(state="not_met", rationale=fault, source="check")
        for output, fault in faults.items()
        if fault
        for criterion in output.judged
    }
