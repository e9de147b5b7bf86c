"""Whether this machine can run the `bwrap` sandbox."""

from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.provider import BwrapSandboxEnvironment


async def bwrap_refusal() -> str | None:
    """Say why a sandbox with default settings cannot start here; None if one can, which is tried."""
    try:
        await BwrapSandboxEnvironment.task_init("probe", None)
    except CannotSandbox as error:
        return str(error)
    return None
