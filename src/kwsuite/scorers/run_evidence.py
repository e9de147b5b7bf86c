"""What the judge is shown of an agent's run."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser

from kwsuite.scorers.evidence import Evidence
from kwsuite.scorers.submission import MOST_SHOWN
from kwsuite.worlds.engine import Run
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.state import spelled
from kwsuite.worlds.trajectory import Outcome, Step

_OUTCOMES: dict[Outcome, str] = {
    "done": "took effect",
    "refused": "was refused",
    "malformed": "did not fit its schema",
    "error": "broke the world",
}


MOST_CLOSING = 100_000
"""Characters of a closing message that a judge is shown at most; more than any model writes."""

MOST_STEPS = MOST_SHOWN - MOST_CLOSING
"""Characters of steps, and of what they added to the state, that a judge is shown at most.

An agent that could write more would silence a judge whose context it overflows, and leave the denominator.
"""


@dataclass(frozen=True)
class RunEvidence(Evidence):
    """Evidence of a run: `task` is the request, `answer` the agent's closing message."""

    trajectory: str = ""
    """What happened between the request and the closing message, one line after the other."""
    before: str | None = None
    """The state at the start; None where there is no world."""
    after: str | None = None
    """The state at the end."""

    def parts(self) -> dict[str, str]:
        """Give what is fenced, by label, in order; the closing message last."""
        parts = {
            "request": self.task,
            "steps": self.trajectory,
            "state_at_the_start": self.before,
            "state_at_the_end": self.after,
            "closing_message": self.answer,
        }
        return {label: text for label, text in parts.items() if text is not None}

    @property
    def quotable(self) -> str:
        """What the agent wrote, in its calls and at the end."""
        return f"{self.trajectory}\n{self.answer}"


def run_evidence(
    request: str, run: Run, closing: str, rubric_hash: str, questions: Sequence[Mapping[str, Any]] = ()
) -> RunEvidence:
    """Show a run in a world, with everything that each step changed.

    Args:
        request: The request.
        run: The run.
        closing: The agent's closing message.
        rubric_hash: Digest of the rubric.
        questions: What the user was asked and answered, as the store keeps it; shown after the steps, since it is not
            kept between which of them a question came.
    """
    lines = [line for number, step in enumerate(run.steps, start=1) for line in _step(number, step)]
    asked = [line for question in questions for line in _question(question)]
    before, after = _json(run.world.initial), _json(run.state)
    added = max(len(after) - len(before), 0)
    left = MOST_STEPS - added
    return RunEvidence(
        task=request,
        answer=_closing(closing),
        rubric_hash=rubric_hash,
        trajectory=_fitting([*(lines or ["The agent did nothing."]), *asked], left if left > 0 else MOST_STEPS),
        before=before,
        after=after if left > 0 else f"[The steps added {added:,} characters, more than a judge is shown.]",
    )


def conversation_evidence(request: str, messages: Sequence[ChatMessage], closing: str, rubric_hash: str) -> RunEvidence:
    """Show what an agent of any task did, as its conversation tells it.

    Every message is shown but those of the system, the input, and the closing one, which stands apart.
    """
    between = [message for message in messages if message.source != "input"]
    if between and _closes(between[-1], closing):
        between.pop()
    lines = _fitting([line for message in between for line in _message(message)], MOST_STEPS)
    trajectory = lines or "Nothing came between the request and the closing message."
    return RunEvidence(task=request, answer=_closing(closing), rubric_hash=rubric_hash, trajectory=trajectory)


def _closing(text: str) -> str:
    if len(text) <= MOST_CLOSING:
        return text
    return f"[This message has {len(text):,} characters; a judge is shown at most {MOST_CLOSING:,}.]"


def _fitting(lines: Sequence[str], left: int) -> str:
    """Join the lines that fit, each whole; where some do not, it says how many."""
    marked: list[tuple[bool, str]] = []
    for line in lines:
        fits = len(line) <= left
        left -= len(line) if fits else 0
        marked.append((fits, line))
    shown: list[str] = []
    for fits, group in groupby(marked, key=lambda pair: pair[0]):
        run = [line for _, line in group]
        missing = f"[{len(run)} entries with {sum(map(len, run)):,} characters are more than a judge is shown.]"
        shown += run if fits else [missing]
    return "\n".join(shown)


def _step(number: int, step: Step) -> Iterator[str]:
    yield f"{number}. {step.call.tool}({_json(dict(step.call.arguments))}) {_OUTCOMES[step.outcome]}"
    yield f"   told: {step.reply}"
    for change in step.changes:
        what = "is gone" if change.removed else f"= {_json(change.value)}"
        yield f"   changed: {spelled(change.place)} {what}"


def _question(question: Mapping[str, Any]) -> Iterator[str]:
    yield f"asked the user: {question['question']}"
    yield f"   told: {question['answer']}"


def _closes(message: ChatMessage, closing: str) -> bool:
    """Whether a last message is the closing one: an agent may close with other words than it wrote last."""
    said = isinstance(message, ChatMessageAssistant) and not message.tool_calls
    return said and message.text.strip() == closing.strip()


def _message(message: ChatMessage) -> Iterator[str]:
    if isinstance(message, ChatMessageUser):
        yield f"user: {message.text.strip()}"
    elif isinstance(message, ChatMessageAssistant):
        if message.text.strip():
            yield f"said: {message.text.strip()}"
        for call in message.tool_calls or ():
            yield f"called: {call.function}({_json(call.arguments)})"
    elif isinstance(message, ChatMessageTool):
        yield f"told: {message.error.message if message.error else message.text}"


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)
