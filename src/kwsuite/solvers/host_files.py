"""Keeping a model that acts off the files of the host."""

from inspect_ai.solver import TaskState

from kwsuite.sandbox.look import shares_host_files


async def refuse_host_files(state: TaskState, *, allow_unsafe: bool, instead: str) -> None:
    """Refuse to let a model act in a sandbox that shares the host's files, as `local` does.

    Reference candidates may act there: what they run ships.

    Args:
        state: The sample, which has a sandbox.
        allow_unsafe: Let the model act there all the same.
        instead: What else to give, for the error.

    Raises:
        ValueError: The sandbox shares the host's files, and the candidate is a model.
    """
    if state.model.api != "reference" and not allow_unsafe and await shares_host_files():
        raise ValueError(
            "this sandbox shares the host's files, so a model could read the answers and act on your machine. "
            f"Use {instead}, or -T allow_unsafe=true if you know what you do."
        )
