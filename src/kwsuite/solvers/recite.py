"""Two turns: restate the conventions, then do the task, without tools."""

from inspect_ai.model import ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from kwsuite.datasets.recitation_sample import RECITED_KEY


@solver
def recite() -> Solver:
    """Ask for the conventions as JSON, keep the reply, and ask for the deliverable in the same conversation."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state = await generate(state)
        state.store.set(RECITED_KEY, state.output.completion)
        if state.completed:
            return state
        state.messages.append(ChatMessageUser(content=str(state.metadata["second_turn"])))
        return await generate(state)

    return solve
