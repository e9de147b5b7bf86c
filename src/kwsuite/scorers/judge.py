"""One criterion, one verdict: the judge that every benchmark shares."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from inspect_ai.model import (
    ChatMessage,
    ChatMessageSystem,
    ChatMessageUser,
    ContentText,
    Model,
    ResponseSchema,
)
from inspect_ai.util import collect, json_schema
from pydantic import BaseModel

from kwsuite.arguments import ArgumentError, check_choice, check_flags
from kwsuite.asking import Answer, Decision, Question, ask, read_verdict
from kwsuite.asking.ask import cut
from kwsuite.asking.criterion_part import write_criterion
from kwsuite.datasets.message_ids import MESSAGE_KEY
from kwsuite.scorers.evidence import Evidence
from kwsuite.verdicts import Criterion, Outcome, Unscored, Verdict, state_of

JudgeStyle = Literal["substance", "strict"]
Rules = JudgeStyle | Literal["run", "same"]
"""What the judge is told: two styles for an answer, one for a run of an agent, and one for two remarks to compare."""
ReplyForm = Literal["auto", "text"]

RULES: dict[Rules, str] = {"substance": "judge", "strict": "judge_strict", "run": "judge_run", "same": "judge_same"}
"""The prompt text of each."""

PROMPT_VERSION = "1"
"""Raised with every change of the prompt texts; part of the cache key and of the record."""

KEPT_RATIONALE = 1_500
"""Characters of a rationale that the record keeps."""


MAX_VOTES = 99
"""More asks of the same grader buy nothing but cost."""


class JudgeReply(BaseModel):
    """The shape asked of providers that take one; rationale before verdict."""

    rationale: str
    """A few sentences that point at the answer."""
    verdict: Literal["MET", "NOT_MET", "CANNOT_TELL"]
    """The decision."""


def check_judge_options(judge_form: str, votes: int, **switches: bool) -> None:
    """Refuse options of a judging scorer that cannot be.

    Args:
        judge_form: See `Judge.form`.
        votes: From 1 to `MAX_VOTES`.
        switches: Options that are true or false, by name.

    Raises:
        ArgumentError: Names the option, its value and the choices.
    """
    check_flags(**switches)
    check_choice("judge_form", judge_form, get_args(ReplyForm))
    if isinstance(votes, bool) or not isinstance(votes, int) or not 1 <= votes <= MAX_VOTES:
        raise ArgumentError(f"votes is {votes!r}; it must be a whole number from 1 to {MAX_VOTES}.")


@dataclass(frozen=True)
class Judge:
    """Decides one criterion at a time on the evidence it is given."""

    graders: tuple[Model, ...]
    """The judging models; more than one make a panel with strict majority."""
    style: Rules = "substance"
    """`substance` as the paper describes its judge, `strict` as its released code prompts it, `run` for agents, `same`
    for two remarks."""
    form: ReplyForm = "auto"
    """`auto` asks for JSON by schema and falls back to text, `text` asks for a final line only."""
    votes: int = 1
    """Times each grader is asked; they join the panel."""
    cache: bool = True
    """Whether a verdict that was given before on the same prompt is reused."""
    epoch: int = 1
    """Keeps the cached verdicts of epochs apart."""
    ids: tuple[tuple[str, str], ...] = ()
    """Names of benchmark and item for the message metadata."""

    async def __call__(self, criterion: Criterion, evidence: Evidence) -> Outcome:
        """Decide `criterion`. Never raises for what a grader does; its silence is an `Unscored` with a reason."""
        seats = [(grader, vote) for grader in self.graders for vote in range(self.votes)]
        if len(seats) == 1:
            return await self._vote(criterion, evidence, *seats[0])
        cast = await collect(*[self._vote(criterion, evidence, grader, vote) for grader, vote in seats])
        return majority(cast)

    async def _vote(self, criterion: Criterion, evidence: Evidence, grader: Model, vote: int) -> Outcome:
        scopes = {"rubric": evidence.rubric_hash, "prompt": PROMPT_VERSION, "epoch": str(self.epoch), "vote": str(vote)}
        question = Question(
            messages=judge_messages(criterion, evidence, self.style, self.form, dict(self.ids)),
            read=lambda reply: read_verdict(reply, evidence.quotable),
            schema=_reply_schema() if self.form == "auto" else None,
            cache_scopes=scopes if self.cache else None,
        )
        reply = await ask(grader, question)
        if not isinstance(reply, Answer):
            seen = reply.reply or reply.fault.message
            return Unscored(
                reason=reply.fault.reason,
                rationale=cut(seen, KEPT_RATIONALE),
                grader=str(grader),
                attempts=reply.attempts,
            )
        return _outcome(reply.value, str(grader), reply.attempts)


def judge_messages(
    criterion: Criterion, evidence: Evidence, style: Rules, form: ReplyForm, ids: dict[str, str]
) -> tuple[ChatMessage, ...]:
    """Write the prompt: the rules, then one user message of two parts, the shared text and the criterion."""
    rules = prompt_text(RULES[style])
    closing = prompt_text("form_schema" if form == "auto" else "form_text")
    metadata = {MESSAGE_KEY: {**ids, "criterion": criterion.id}} if ids else None
    return (
        ChatMessageSystem(content=rules),
        ChatMessageUser(
            content=[
                ContentText(text=evidence.shared_text, cache_breakpoint=True),
                ContentText(text=write_criterion(criterion.text, closing)),
            ],
            metadata=metadata,
        ),
    )


@cache
def prompt_text(name: str) -> str:
    """Read a prompt text that ships beside this module."""
    return (files("kwsuite.scorers") / "prompts" / f"{name}.md").read_text(encoding="utf-8").strip()


def majority(cast: Sequence[Outcome]) -> Outcome:
    """Let a panel decide: a state that more than half of its members give, else `Unscored("no_majority")`.

    Members without a verdict stay in the denominator, so the order of the panel never matters.
    """
    votes = tuple(state_of(outcome) for outcome in cast)
    state, count = Counter(votes).most_common(1)[0]
    graders = ", ".join(dict.fromkeys(outcome.grader or "" for outcome in cast))
    attempts = sum(outcome.attempts for outcome in cast)
    reasons = (f"[{vote}] {outcome.rationale}" for vote, outcome in zip(votes, cast, strict=True))
    rationale = cut("\n".join(reasons), KEPT_RATIONALE)
    if state in ("met", "not_met") and count * 2 > len(cast):
        return Verdict.model_validate(
            {"state": state, "rationale": rationale, "grader": graders, "attempts": attempts, "votes": votes}
        )
    return Unscored(reason="no_majority", rationale=rationale, grader=graders, attempts=attempts, votes=votes)


@cache
def _reply_schema() -> ResponseSchema:
    return ResponseSchema(name="verdict", json_schema=json_schema(JudgeReply), strict=True)


def _outcome(decision: Decision, grader: str, attempts: int) -> Outcome:
    if decision.state == "abstained":
        return Unscored(
            reason="abstained", rationale=cut(decision.rationale, KEPT_RATIONALE), grader=grader, attempts=attempts
        )
    return Verdict(
        state=decision.state, rationale=cut(decision.rationale, KEPT_RATIONALE), grader=grader, attempts=attempts
    )
