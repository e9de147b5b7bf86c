"""Asking for the deliverable and nothing else."""

from typing import Literal

from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, bash, python, web_search
from inspect_ai.util import sandbox

from kwsuite.arguments import check_choice, check_flags
from kwsuite.datasets.kwbench_sample import OUTPUTS_KEY
from kwsuite.solvers.host_files import refuse_host_files

Tools = Literal["item", "none"]

SYSTEM_LINE = "Complete the task you are given. Be thorough and specific, and deliver what was asked for in full."
"""All a candidate is told beside the task: nothing here hints that there may be something to notice."""

_TIMEOUT = 120


@solver
def neutral_prompt(*, tools: Tools = "item", system: str = SYSTEM_LINE, allow_unsafe: bool = False) -> Solver:
    """Show the system line, then the sample's input, and let the candidate answer.

    A candidate with tools goes on until it answers without a call, so the task should have a message limit.

    Args:
        tools: `item` gives the tools that the sample's metadata allows (`tools`: enable_search, enable_bash,
            enable_code); `none` gives none.
        system: The system line.
        allow_unsafe: Let a model use bash or code in a sandbox that shares the host's files. Only for models you would
            let use your own shell.

    Raises:
        ArgumentError: `tools` or `allow_unsafe` is no choice.
        ValueError: When a sample runs: the item wants bash or code and there is no sandbox, or one that shares the
            host's files while the candidate is a model.
    """
    check_choice("tools", tools, ("item", "none"))
    check_flags(allow_unsafe=allow_unsafe)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.metadata.get(OUTPUTS_KEY):
            _insist_on_sandbox(state, "is to produce files", "Add --sandbox docker.")
        state.messages.insert(0, ChatMessageSystem(content=system))
        if tools == "item":
            state.tools = await _allowed(state, allow_unsafe)
        return await generate(state, tool_calls="loop")

    return solve


async def _allowed(state: TaskState, allow_unsafe: bool) -> list[Tool]:
    config: dict[str, bool] = state.metadata.get("tools") or {}
    allowed: list[Tool] = []
    if config.get("enable_search"):
        allowed.append(web_search())
    if config.get("enable_bash") or config.get("enable_code"):
        advice = "Add --sandbox docker, or take the tools away with -T tools=none."
        _insist_on_sandbox(state, "gives the candidate a shell or code", advice)
        await refuse_host_files(state, allow_unsafe=allow_unsafe, instead="--sandbox docker or --sandbox bwrap")
    if config.get("enable_bash"):
        allowed.append(bash(timeout=_TIMEOUT))
    if config.get("enable_code"):
        allowed.append(python(timeout=_TIMEOUT))
    return allowed


def _insist_on_sandbox(state: TaskState, why: str, advice: str) -> None:
    try:
        sandbox()
    except ProcessLookupError as error:
        raise ValueError(f"sample {state.sample_id!r} {why}, which needs a sandbox. {advice}") from error
