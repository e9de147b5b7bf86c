"""Putting a whole rubric to the judge."""

from collections.abc import Sequence

from inspect_ai.util import collect

from kwsuite.scorers.evidence import Evidence
from kwsuite.scorers.judge import Judge
from kwsuite.verdicts import Criterion, Outcome, Rubric, Unscored, conjunction


async def judge_rubric(
    judge: Judge, rubric: Rubric, evidence: Evidence, *, warm: bool = True, judge_all: bool = True
) -> dict[str, Outcome]:
    """Judge every criterion, each in a call of its own.

    Args:
        judge: Decides one criterion.
        rubric: The criteria.
        evidence: The answer and what it answers.
        warm: Ask the first criterion alone, so that a provider's prefix cache holds the shared text before the rest
            are asked together. Without it all are asked at once.
        judge_all: Without it, the other tiers are left `skipped` once a mandatory criterion is not met.

    Returns:
        An outcome for every criterion id, in the rubric's order.
    """
    mandatory = rubric.tier("mandatory")
    rest = tuple(criterion for criterion in rubric.criteria if criterion.tier != "mandatory")
    first, together = (mandatory[:1], mandatory[1:]) if warm else ((), mandatory)
    if judge_all:
        together += rest
    outcomes = await _judge(judge, first, evidence) | await _judge(judge, together, evidence)
    if not judge_all:
        failed = conjunction(outcomes.values()) is False
        outcomes |= _skipped(rest) if failed else await _judge(judge, rest, evidence)
    return {criterion.id: outcomes[criterion.id] for criterion in rubric.criteria}


async def _judge(judge: Judge, criteria: Sequence[Criterion], evidence: Evidence) -> dict[str, Outcome]:
    if not criteria:
        return {}
    found = await collect(*[judge(criterion, evidence) for criterion in criteria])
    return {criterion.id: outcome for criterion, outcome in zip(criteria, found, strict=True)}


def _skipped(criteria: Sequence[Criterion]) -> dict[str, Outcome]:
    return {criterion.id: Unscored(reason="skipped", attempts=0) for criterion in criteria}
