"""The agent that works on a gated task unless another is given."""

from inspect_ai.agent import AgentSubmit, as_solver, react
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Skill, Tool, bash, python, skill

from kwsuite.datasets.gated_arms import item_of
from kwsuite.datasets.gated_sample import GatedArm, arm_of

SKILL_NAME = "in-house-specification"


@solver
def gated_agent(*, tool_seconds: int = 180) -> Solver:
    """Let the candidate act with bash, python and a submit, and no system prompt; the same tools in every condition.

    Replace it by any agent: `inspect eval kwsuite/knowledge_gated --solver YOUR_AGENT`. Probe and scoring stay. It
    submits once, since the outputs are read once: an agent must not ask for its score while it works.

    Args:
        tool_seconds: Longest run of one tool call, in seconds.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        tools = [bash(timeout=tool_seconds), python(timeout=tool_seconds), *_skill(arm_of(state.metadata))]
        agent = react(prompt=None, tools=tools, submit=AgentSubmit(answer_only=True))
        return await as_solver(agent)(state, generate)

    return solve


def _skill(arm: GatedArm) -> list[Tool]:
    if arm.delivery != "skill" or arm.condition == "without":
        return []
    artefact = item_of(arm).artefact_in(arm.condition)
    listing = ", ".join(f"references/{name}" for name in artefact)
    made = Skill(
        name=SKILL_NAME,
        description="The established in-house specification for this kind of work.",
        instructions=f"Read the specification before you start: {listing}.",
        references=dict(artefact),
    )
    return [skill([made])]
