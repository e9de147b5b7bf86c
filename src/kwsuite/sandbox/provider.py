"""The Inspect sandbox provider `bwrap`."""

import errno
import logging
import os
import posixpath
from contextlib import nullcontext
from typing import Any, Literal, overload

from inspect_ai.log import transcript
from inspect_ai.util import (
    ExecResult,
    OutputLimitExceededError,
    SandboxEnvironment,
    SandboxEnvironmentConfigType,
    SandboxEnvironmentLimits,
    SandboxUnavailableError,
    SandboxUserUnsupportedError,
    sandboxenv,
)
from inspect_ai.util import (
    concurrency as throttled,
)
from pydantic import BaseModel
from typing_extensions import override

from kwsuite.sandbox.box import Box, BoxGone, Finished
from kwsuite.sandbox.cgroup import find_own_places, remove_stale
from kwsuite.sandbox.config import CONFIG_FILE, HOME, BwrapConfig, read_config
from kwsuite.sandbox.errors import ExecTimeoutError
from kwsuite.sandbox.interpreter import SHOWN_AT
from kwsuite.sandbox.prepare import Plan, plan_sandbox
from kwsuite.sandbox.view import PATH, UID, USER

FILE_SECONDS = 180
"""Longest time that one file may take to be read or written."""

_logger = logging.getLogger(__name__)


@sandboxenv(name="bwrap")
class BwrapSandboxEnvironment(SandboxEnvironment):
    """A sandbox of Linux namespaces, one for each sample."""

    def __init__(self, plan: Plan, box: Box) -> None:
        super().__init__()
        self.plan = plan
        self.box = box

    @override
    @classmethod
    async def task_init(cls, task_name: str, config: SandboxEnvironmentConfigType | None) -> None:
        """Start and stop one sandbox, so that a machine that cannot is told so once and before any model call."""
        plan = plan_sandbox(read_config(config))
        if plan.limits.weak:
            weak = ", ".join(weakness.limit for weakness in plan.limits.weak)
            _logger.warning("bwrap sandbox: allow_weak_limits is set; not enforced here: %s.", weak)
        box = await Box.start(plan)
        await box.stop()

    @override
    @classmethod
    async def sample_init(
        cls, task_name: str, config: SandboxEnvironmentConfigType | None, metadata: dict[str, str]
    ) -> dict[str, SandboxEnvironment]:
        """Start the sample's sandbox and record in its log what is enforced."""
        plan = plan_sandbox(read_config(config))
        transcript().info(plan.record(), source="bwrap")
        return {"default": cls(plan, await Box.start(plan))}

    @override
    @classmethod
    async def sample_cleanup(
        cls,
        task_name: str,
        config: SandboxEnvironmentConfigType | None,
        environments: dict[str, SandboxEnvironment],
        interrupted: bool,
    ) -> None:
        """End the sample's processes; its files live in memory and go with them."""
        for environment in environments.values():
            await environment.as_type(BwrapSandboxEnvironment).box.stop()

    @override
    @classmethod
    async def cli_cleanup(cls, id: str | None) -> None:
        """Remove control groups of evaluations that were killed together with their keepers."""
        places = find_own_places()
        removed = remove_stale(places) if places else []
        _logger.info("bwrap sandbox: removed %d control groups.", len(removed))

    @override
    @classmethod
    def config_files(cls) -> list[str]:
        return [CONFIG_FILE]

    @override
    @classmethod
    def config_deserialize(cls, config: dict[str, Any]) -> BaseModel:
        return BwrapConfig.model_validate(config)

    @override
    @classmethod
    def default_concurrency(cls) -> int | None:
        return 2 * (os.cpu_count() or 1)

    @override
    def default_polling_interval(self) -> float:
        return 0.2

    @override
    async def exec(
        self,
        cmd: list[str],
        input: str | bytes | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        user: str | None = None,
        timeout: int | None = None,
        timeout_retry: bool = True,
        concurrency: bool = True,
    ) -> ExecResult[str]:
        """Run a command; see `SandboxEnvironment.exec`.

        The last bytes of each stream are kept, up to Inspect's limit. A stream ten times over it ends the command. A
        program that does not exist, a missing `cwd` and an argument list that is too long are failed results.

        Raises:
            ExecTimeoutError: `timeout`, or `wall_seconds` of the settings, has passed.
            OutputLimitExceededError: The command flooded a stream.
            PermissionError: The program is there and may not be run.
            SandboxUnavailableError: The sandbox has ended.
            SandboxUserUnsupportedError: `user` is another one than the sandbox's own.
        """
        if user not in (None, USER, str(UID)):
            raise SandboxUserUnsupportedError(
                f"the bwrap sandbox cannot run as {user!r}: its only user is {USER!r} ({UID}). Leave `user` unset."
            )
        words = [*cmd, *(env or {}), *(env or {}).values(), cwd or ""]
        if any("\0" in word for word in words):
            raise ValueError("embedded null byte in a command, its environment or its directory")
        seconds = min(timeout or self.plan.config.wall_seconds, self.plan.config.wall_seconds)
        directory = posixpath.join(HOME, cwd or "")
        content = input.encode() if isinstance(input, str) else input
        keep = SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE
        limiter = throttled("subprocesses", os.cpu_count() or 1) if concurrency else nullcontext()
        try:
            async with limiter:
                finished = await self.box.run(
                    cmd, cwd=directory, env=self._environment(env), stdin=content, seconds=seconds, keep=keep
                )
        except BoxGone as error:
            raise SandboxUnavailableError(str(error)) from error
        return _result(finished, cmd, directory, seconds)

    @override
    async def write_file(self, file: str, contents: str | bytes) -> None:
        """Write a file from inside the sandbox; see `SandboxEnvironment.write_file`.

        Raises:
            OSError: As the kernel gave it; ENOSPC when `disk_mb` is used up, EFBIG over `file_mb`, EINVAL for what
                is no regular file.
            SandboxUnavailableError: The sandbox has ended.
            TimeoutError: It took longer than three minutes.
        """
        content = contents.encode() if isinstance(contents, str) else contents
        try:
            answer = await self.box.write(_inside(file), content, FILE_SECONDS)
        except BoxGone as error:
            raise SandboxUnavailableError(str(error)) from error
        if answer.size != len(content):
            raise _file_error(answer.error, file)

    @overload
    async def read_file(self, file: str, text: Literal[True] = True) -> str: ...

    @overload
    async def read_file(self, file: str, text: Literal[False]) -> bytes: ...

    @override
    async def read_file(self, file: str, text: bool = True) -> str | bytes:
        """Read a file from inside the sandbox; see `SandboxEnvironment.read_file`.

        Raises:
            OSError: As the kernel gave it; EINVAL for what is no regular file.
            OutputLimitExceededError: The file is larger than Inspect's limit; no more than that was transferred.
            SandboxUnavailableError: The sandbox has ended.
            TimeoutError: It took longer than three minutes.
            UnicodeDecodeError: It is not UTF-8.
        """
        limit = SandboxEnvironmentLimits.MAX_READ_FILE_SIZE
        try:
            read = await self.box.read(_inside(file), limit, FILE_SECONDS)
        except BoxGone as error:
            raise SandboxUnavailableError(str(error)) from error
        if isinstance(read, bytes):
            return read.decode("utf-8") if text else read
        if read.error == errno.EFBIG:
            raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_READ_FILE_SIZE_STR, None)
        raise _file_error(read.error, file)

    def _environment(self, more: dict[str, str] | None) -> dict[str, str]:
        own = {"PATH": PATH, "HOME": HOME, "USER": USER, "LOGNAME": USER, "LANG": "C.UTF-8", "SHELL": "/bin/bash"}
        interpreter = self.plan.interpreter
        if interpreter.installation is not None:
            own["PATH"] += f":{SHOWN_AT}/bin"
        if interpreter.libraries is not None:
            own["LD_LIBRARY_PATH"] = interpreter.libraries
        return {**own, **(more or {})}


def _inside(file: str) -> str:
    if "\0" in file:
        raise ValueError("embedded null byte in a file name")
    return posixpath.join(HOME, file)


def _file_error(number: int | None, file: str) -> OSError:
    """The error of a file operation; Python picks the subclass by its number."""
    if number == errno.ENOSPC:
        return OSError(number, "The sandbox's disk_mb is used up", file)
    if number == errno.EINVAL:
        return OSError(number, "Not a regular file", file)
    known = number if number is not None else errno.EIO
    return OSError(known, os.strerror(known), file)


def _result(finished: Finished, cmd: list[str], directory: str, seconds: float) -> ExecResult[str]:
    stdout, stderr = finished.stdout.decode(errors="replace"), finished.stderr.decode(errors="replace")
    answer = finished.answer
    if finished.flooded:
        raise OutputLimitExceededError(SandboxEnvironmentLimits.MAX_EXEC_OUTPUT_SIZE_STR, stdout + stderr)
    if finished.timed_out:
        raise ExecTimeoutError(f"the command did not end within {seconds:g} seconds", stdout + stderr)
    if answer.error is None:
        code = answer.exit if answer.exit is not None else 1
        return ExecResult(code == 0, code, stdout, stderr)
    reason = os.strerror(answer.error)
    match answer.stage, answer.error:
        case "command", errno.EACCES:
            raise PermissionError(errno.EACCES, "Permission denied.", cmd[0])
        case "command", errno.ENOENT:
            return ExecResult(False, 127, stdout, f"{cmd[0]}: command not found\n")
        case "cwd", _:
            return ExecResult(False, 126, stdout, f"{directory}: cannot be the working directory: {reason}\n")
        case _:
            return ExecResult(False, 126, stdout, f"{cmd[0]}: cannot be run: {reason}\n")
