"""The clarification arm: a user who answers questions from what the scenario lets them know."""

import re
from collections.abc import Sequence
from typing import Any

from inspect_ai.tool import ToolDef, ToolError, ToolParam, ToolParams
from inspect_ai.util import store

from kwsuite.datasets.world_format import UserFactPart
from kwsuite.datasets.world_sample import QUESTIONS_KEY

TOOL = "ask_user"
MAX_QUESTIONS = 20
"""Questions that the user answers in one run. They are not steps; this is what bounds them."""
UNKNOWN = "I don't know."
"""What the user says to a question that no fact is about."""

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
"""Characters of Chinese and Japanese, in which nothing marks where a word begins."""
_OF_A_WORD = rf"[^\W{_UNSPACED}]"


def users_answer(facts: Sequence[UserFactPart], question: str) -> str | None:
    """Give what the user knows about a question: every fact one of whose words begins a word of it, in file order.

    A word of Chinese or Japanese, or one that begins with a sign, may stand anywhere.

    Returns:
        The answers, one a line; None if no fact is about it.
    """
    known = [fact.answer for fact in facts if any(_mentions(question, word) for word in fact.about)]
    return "\n".join(known) or None


def ask_user_tool(facts: Sequence[UserFactPart]) -> ToolDef:
    """Make the tool. The user answers and nothing else: no answer ends the run or changes the world.

    After `MAX_QUESTIONS` the agent is told that the user answers no more, which is an error of the call.
    """

    async def execute(question: str) -> str:
        asked: list[dict[str, Any]] = store().get(QUESTIONS_KEY, [])
        if len(asked) >= MAX_QUESTIONS:
            raise ToolError(f"The user answers no more than {MAX_QUESTIONS} questions.")
        answer = users_answer(facts, question)
        asked.append({"question": question, "answer": answer or UNKNOWN, "known": answer is not None})
        return answer or UNKNOWN

    return ToolDef(
        execute,
        name=TOOL,
        description="Asks the user a question and gives the answer.",
        parameters=ToolParams(
            properties={"question": ToolParam(type="string", description="The question")}, required=["question"]
        ),
    )


def _mentions(question: str, word: str) -> bool:
    begins = rf"(?<!{_OF_A_WORD})" if re.match(_OF_A_WORD, word) else ""
    return re.search(begins + re.escape(word), question, re.IGNORECASE) is not None
