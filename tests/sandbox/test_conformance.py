"""Inspect's own conformance checks.

They live in a private module of Inspect, made for providers to run; nothing else of it is used.
"""

from collections.abc import Awaitable, Callable

import pytest
from inspect_ai.util import SandboxEnvironment, SandboxUserUnsupportedError
from inspect_ai.util._sandbox import self_check
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment
from inspect_ai.util._sandbox.self_check import *  # noqa: F403

pytestmark = pytest.mark.anyio

FAILS = {"test_exec_as_user": "a sandbox has one user: a user namespace made without root's help maps one id"}
"""Each check that fails, with the reason. All others pass, as root and as an ordinary user."""


@pytest.fixture
async def sandbox_env(
    request: pytest.FixtureRequest, start: Callable[..., Awaitable[SandboxEnvironment]]
) -> SandboxEnvironment:
    name = request.node.originalname
    if name in FAILS:
        request.applymarker(pytest.mark.xfail(reason=FAILS[name], strict=True))
    return await start(memory_mb=1024, disk_mb=128, file_mb=128)


def test_only_known_checks_are_excused() -> None:
    assert set(FAILS) <= set(self_check.__all__)


async def test_the_check_that_fails_fails_on_local_as_well() -> None:
    local = LocalSandboxEnvironment()
    with pytest.raises(SandboxUserUnsupportedError):
        await local.exec(["whoami"], user="inspect-ai-test-exec-as-user")
    local.directory.cleanup()
