"""Showing a document and asking, neutrally, for the problems in it."""

from typing import Any, Literal, get_args

from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, ContentText, get_model
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

from kwsuite.arguments import check_choice, check_count
from kwsuite.asking.grader_role import required_graders
from kwsuite.datasets.message_ids import MESSAGE_KEY
from kwsuite.matching.findings import ReplyFormat
from kwsuite.matching.problem_types import Language
from kwsuite.matching.sections import sections
from kwsuite.solvers.spotting_prompt import Instruction, Stance, Types, spotting_text

Strategy = Literal["direct", "two_stage"]


@solver
def spot_problems(
    *,
    output: ReplyFormat = "xml",
    strategy: Strategy = "direct",
    types: Types = "none",
    stance: Stance = "neutral",
    max_problems: int | None = None,
    needs_grader: str | None = None,
) -> Solver:
    """Show the instruction in the document's language and the document, and let the candidate answer.

    Args:
        output: The form of the reply: xml, json or markdown.
        strategy: `direct` asks once. `two_stage` asks for the claims of each section, then for what does not hold up
            between them, and then shows the whole document again with these notes to locate the problems.
        types: What the instruction says about types of problem: `none`, `named` or `defined`.
        stance: `neutral`, `thorough` or `certain`.
        max_problems: Most findings to report; None says nothing about it.
        needs_grader: What to do instead of binding a grader, where the scorer will need one. The sample then fails
            before the candidate is asked, and not after.

    Raises:
        ArgumentError: An argument is no choice or no count.
        ValueError: When a sample runs, `needs_grader` is given and no grader role is bound.
    """
    check_choice("output", output, get_args(ReplyFormat))
    check_choice("strategy", strategy, get_args(Strategy))
    check_choice("types", types, get_args(Types))
    check_choice("stance", stance, get_args(Stance))
    if max_problems is not None:
        check_count("max_problems", max_problems)
    instruction = Instruction(output, types, stance, max_problems)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if needs_grader is not None:
            required_graders(needs_grader)
        language: Language = "zh" if state.metadata.get("language") == "zh" else "en"
        if strategy == "two_stage":
            state.messages = [_with_notes(state, language, await _notes(state, language))]
        state.messages.insert(0, ChatMessageSystem(content=instruction.text(language)))
        return await generate(state)

    return solve


async def _notes(state: TaskState, language: Language) -> str:
    """Collect the claims section by section, and let the candidate check them against each other."""
    text = state.input_text
    parts = [section.of(text) for section in sections(text)]
    claims = await collect(*[_asked(state, language, "claims", part) for part in parts])
    heading = "Section" if language == "en" else "第"
    ending = "" if language == "en" else "节"
    numbered = [f"## {heading} {number} {ending}".strip() + f"\n\n{said}" for number, said in enumerate(claims, 1)]
    return await _asked(state, language, "check", "\n\n".join(numbered))


async def _asked(state: TaskState, language: Language, stage: Literal["claims", "check"], text: str) -> str:
    messages: list[ChatMessage] = [
        ChatMessageSystem(content=spotting_text(language, stage)),
        ChatMessageUser(content=text, metadata=_ids(state, stage)),
    ]
    return (await get_model().generate(messages)).completion


def _with_notes(state: TaskState, language: Language, notes: str) -> ChatMessageUser:
    return ChatMessageUser(
        content=[
            ContentText(text=state.input_text),
            ContentText(text=f"\n\n---\n\n{spotting_text(language, 'notes')}\n\n{notes}"),
        ],
        metadata=_ids(state, "locate"),
    )


def _ids(state: TaskState, stage: str) -> dict[str, Any] | None:
    """Give the ids that the document's own message carries, with the stage; None on a task of somebody else's."""
    for message in state.messages:
        ids = (message.metadata or {}).get(MESSAGE_KEY)
        if isinstance(ids, dict):
            return {MESSAGE_KEY: {**ids, "stage": stage}}
    return None
