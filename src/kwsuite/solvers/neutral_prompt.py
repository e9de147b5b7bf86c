"""Asking for the deliverable and nothing else."""

from typing import Literal

from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, bash, python, web_search
from inspect_ai.util import sandbox

from kwsuite.datasets.kwbench_sample import OUTPUTS_KEY

Tools = Literal["item", "none"]

SYSTEM_LINE = "Complete the task you are given. Be thorough and specific, and deliver what was asked for in full."
"""All a candidate is told beside the task: nothing here hints that there may be something to notice."""

_TIMEOUT = 120


@solver
def neutral_prompt(*, tools: Tools = "item", system: str = SYSTEM_LINE) -> Solver:
    """Show the system line, then the sample's input, and let the candidate answer.

    Args:
        tools: `item` gives the tools that the sample's metadata allows (`tools`: enable_search, enable_bash,
            enable_code); `none` gives none.
        system: The system line.

    Raises:
        ValueError: An item wants bash or code and the run has no sandbox, or `tools` is neither choice.
    """
    if tools not in ("item", "none"):
        raise ValueError(f"tools is {tools!r}; choose one of item, none.")

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if state.metadata.get(OUTPUTS_KEY):
            _insist_on_sandbox(state, "is to produce files")
        state.messages.insert(0, ChatMessageSystem(content=system))
        if tools == "item":
            state.tools = _allowed(state)
        return await generate(state, tool_calls="loop")

    return solve


def _allowed(state: TaskState) -> list[Tool]:
    config: dict[str, bool] = state.metadata.get("tools") or {}
    allowed: list[Tool] = []
    if config.get("enable_search"):
        allowed.append(web_search())
    if config.get("enable_bash") or config.get("enable_code"):
        _insist_on_sandbox(state, "gives the candidate a shell or code")
    if config.get("enable_bash"):
        allowed.append(bash(timeout=_TIMEOUT))
    if config.get("enable_code"):
        allowed.append(python(timeout=_TIMEOUT))
    return allowed


def _insist_on_sandbox(state: TaskState, why: str) -> None:
    try:
        sandbox()
    except ProcessLookupError as error:
        raise ValueError(
            f"sample {state.sample_id!r} {why}, which needs a sandbox. Add --sandbox docker"
            + (", or take the tools away with -T tools=none." if "shell" in why else ".")
        ) from error
