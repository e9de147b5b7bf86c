"""Asking the grader whether a finding and a planted problem are the same."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from inspect_ai.util import collect

from kwsuite.matching.match import Comparison, Key, Pair
from kwsuite.matching.places import Source
from kwsuite.matching.spans import Span
from kwsuite.scorers.evidence import Evidence
from kwsuite.scorers.judge import Judge
from kwsuite.verdicts import Criterion, Outcome, Verdict

QUESTION = "Does the report name the known problem?"

MOST_COMPARED = 20_000
"""Characters of a finding's description beyond which it names no problem; the judge's context might not hold it."""


@dataclass(frozen=True)
class PairEvidence(Evidence):
    """Evidence of a pair: `task` is the passages concerned, `answer` the finding's description."""

    problem: str = ""
    """The planted problem's description."""

    def parts(self) -> dict[str, str]:
        """Give what is fenced, by label, in order; what the candidate wrote last."""
        return {"passages": self.task, "known_problem": self.problem, "report": self.answer}


async def judge_pairs(judge: Judge, comparison: Comparison, source: Source, digest: str) -> dict[Key, Outcome]:
    """Ask about every pair that agrees in place, each in a call of its own.

    Args:
        judge: Decides one question.
        comparison: The pairs.
        source: The document.
        digest: Identifies the planted problems; goes into the fence and the cache.

    Returns:
        An outcome for every pair; empty for no pairs. A description of more than `MOST_COMPARED` characters is not
        met without a call.
    """
    if not comparison.pairs:
        return {}

    async def compare(pair: Pair) -> Outcome:
        length = len(pair.wording.said)
        if length > MOST_COMPARED:
            said = f"The description has {length:,} characters; at most {MOST_COMPARED:,} are compared."
            return Verdict(state="not_met", rationale=said, source="check")
        return await judge(_criterion(pair, comparison), _evidence(pair, comparison, source, digest))

    outcomes = await collect(*[compare(pair) for pair in comparison.pairs])
    return {Key(pair.finding, pair.problem): one for pair, one in zip(comparison.pairs, outcomes, strict=True)}


def similarities(outcomes: Mapping[Key, Outcome]) -> dict[Key, float | None]:
    """Read outcomes as similarities: 1 for the same, 0 for another, None where there is no verdict."""
    return {key: float(one.state == "met") if isinstance(one, Verdict) else None for key, one in outcomes.items()}


def _criterion(pair: Pair, comparison: Comparison) -> Criterion:
    return Criterion(id=comparison.planted[pair.problem].id, text=QUESTION)


def _evidence(pair: Pair, comparison: Comparison, source: Source, digest: str) -> PairEvidence:
    spans = (*comparison.planted[pair.problem].spans, *comparison.reported[pair.finding].place.spans)
    return PairEvidence(
        task="\n[...]\n".join(span.of(source.text) for span in _joined(source.widen(span) for span in spans)),
        answer=pair.wording.said,
        problem=pair.wording.planted,
        rubric_hash=digest,
    )


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Put spans in order, with those that overlap made one."""
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start < joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
