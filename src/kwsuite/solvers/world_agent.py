"""The agent that acts in a world unless another is given."""

from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver

from kwsuite.solvers.ask_user import MAX_QUESTIONS, TOOL
from kwsuite.solvers.world_session import WorldSession, current_session

SYSTEM_LINE = (
    "Carry out the user's request with your tools. You learn about the state of things only through them. "
    "When the request is carried out, reply with a short closing message and no tool call."
)
"""All an agent is told beside the request: nothing here hints that there may be more to it than it says."""


@solver
def world_agent(*, system: str = SYSTEM_LINE) -> Solver:
    """Let the candidate call tools until it stops doing so, or until its steps are used up.

    Every call counts against the steps, also one that does not fit its schema; questions that the user answers do not.
    A candidate that has taken its last step may still close; if it calls a tool of the world instead, it is stopped
    and graded on the state it reached.

    Args:
        system: The system line.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        session = current_session()
        state.messages.insert(0, ChatMessageSystem(content=system))
        while not (session.stopped or state.completed):
            state = await generate(state, tool_calls="single")
            if not state.output.message.tool_calls:
                break
            if _counted(state, session) > session.max_steps:
                session.stop()
        return state

    return solve


def _counted(state: TaskState, session: WorldSession) -> int:
    called = [
        call.function
        for message in state.messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or ()
    ]
    # Questions past their own limit count, so that a candidate that only asks comes to an end.
    free = 0 if session.facts is None else min(called.count(TOOL), MAX_QUESTIONS)
    return len(called) - free
