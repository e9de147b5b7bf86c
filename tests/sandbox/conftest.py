"""Sandboxes for tests, and the loud refusal to pass where none can be started.

Set KWSUITE_WITHOUT_SANDBOX=1 to skip, with the reason shown, on a machine that forbids user namespaces.
"""

import os
import subprocess
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from kwsuite.sandbox.box import Box
from kwsuite.sandbox.config import BwrapConfig
from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.prepare import plan_sandbox
from kwsuite.sandbox.provider import BwrapSandboxEnvironment

SMALL = {"memory_mb": 512, "processes": 64, "disk_mb": 64, "file_mb": 48, "wall_seconds": 60}


def settings(**changes: object) -> BwrapConfig:
    """Small limits, so that exhaustion is quick; weak where this user has no control group."""
    return BwrapConfig.model_validate({**SMALL, "allow_weak_limits": True, **changes})


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def start(anyio_backend: str) -> AsyncIterator[Callable[..., object]]:
    """Start sandboxes that are stopped after the test."""
    started: list[BwrapSandboxEnvironment] = []

    async def begin(**changes: object) -> BwrapSandboxEnvironment:
        try:
            plan = plan_sandbox(settings(**changes))
            box = await Box.start(plan)
        except CannotSandbox as error:
            if os.environ.get("KWSUITE_WITHOUT_SANDBOX") == "1":
                pytest.skip(f"no sandbox on this machine: {error}")
            pytest.fail(f"this machine cannot run the sandbox, so nothing here was tested: {error}", pytrace=False)
        started.append(BwrapSandboxEnvironment(plan, box))
        return started[-1]

    yield begin
    for environment in started:
        await environment.box.stop()


@pytest.fixture
async def box(start: Callable[..., object]) -> BwrapSandboxEnvironment:
    """One sandbox with small limits."""
    return await start()  # type: ignore[misc, no-any-return]


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory that every user can reach; pytest's own are closed."""
    with tempfile.TemporaryDirectory(prefix="kwsuite-tests-") as name:
        path = Path(name)
        path.chmod(0o755)
        yield path


@pytest.fixture
def canary(open_directory: Path) -> Path:
    """A file on the host that no sandbox may read or change; its text is nowhere else."""
    (open_directory / "canary").mkdir(mode=0o755)
    path = open_directory / "canary" / "canary.txt"
    path.write_text("canary-4f1d", encoding="utf-8")
    path.chmod(0o666)
    return path


def host_processes(marker: str) -> list[str]:
    """Command lines on the host that contain `marker`."""
    found = subprocess.run(["ps", "axww", "-o", "args="], capture_output=True, text=True, check=True).stdout
    return [line for line in found.splitlines() if marker in line]
