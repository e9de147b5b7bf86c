"""A running sandbox, from the host's side: requests to its supervisor, streams, and the end."""

import json
import os
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from typing import NamedTuple

import anyio
from pydantic import BaseModel, ConfigDict, ValidationError

from kwsuite.sandbox.launch import Launched, end, launch
from kwsuite.sandbox.prepare import Plan
from kwsuite.sandbox.streams import Pipes, Tail, feed, receive

GRACE_SECONDS = 15
"""How long the supervisor may take to end a process tree before the whole sandbox is ended instead."""


class BoxGone(RuntimeError):
    """The sandbox has ended, or its supervisor no longer makes sense."""


class Answer(BaseModel):
    """What the supervisor said about a request. It comes from inside, so nothing else is accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    exit: int | None = None
    """Exit status of the command; 128 and the number of the signal that ended it."""

    error: int | None = None
    """An errno: the request failed."""

    stage: str | None = None
    """What failed: file, fork, start, cwd or command."""

    size: int | None = None
    """Bytes read or written."""

    killed: bool = False
    """Ended as the host asked."""


class Finished(NamedTuple):
    """How a command went."""

    answer: Answer
    stdout: bytes
    stderr: bytes
    timed_out: bool
    flooded: bool


class Box:
    """One running sandbox."""

    def __init__(self, launched: Launched) -> None:
        self._launched = launched
        self._gone: str | None = None

    @classmethod
    async def start(cls, plan: Plan) -> "Box":
        """Start a sandbox.

        Raises:
            CannotSandbox: This machine refuses.
        """
        return cls(await launch(plan))

    @property
    def first_pid(self) -> int:
        """The supervisor's process id on the host."""
        return self._launched.first_pid

    @property
    def cgroup(self) -> tuple[str, ...]:
        """Directories of its control group; empty where there is none."""
        group = self._launched.cgroup
        return tuple(str(directory) for directory in group.directories) if group else ()

    async def stop(self) -> None:
        """End every process of the sandbox; its files go with them. Does nothing the second time."""
        self._gone = self._gone or "it was stopped"
        await end(self._launched)

    async def run(
        self, cmd: Sequence[str], *, cwd: str, env: dict[str, str], stdin: bytes | None, seconds: float, keep: int
    ) -> Finished:
        """Run a command to its end, its timeout, or its flood.

        Args:
            cmd: Program and arguments; not empty.
            cwd: Absolute working directory inside.
            env: The whole environment.
            stdin: Standard input; None and empty both read as empty.
            seconds: Time until it and all it started are ended.
            keep: Bytes kept of each stream, the last ones.

        Raises:
            BoxGone: The sandbox ended, before or meanwhile.
        """
        async with AsyncExitStack() as stack:
            pipes = Pipes(stack)
            source, sink = pipes.to_inside()
            out, out_in = pipes.from_inside()
            err, err_in = pipes.from_inside()
            streams = [source, out_in, err_in, out, err]
            channel = await stack.enter_async_context(
                self._request("exec", {"cmd": list(cmd), "cwd": cwd, "env": env}, streams)
            )
            pipes.close(source, out_in, err_in)
            tails = [Tail(out, keep), Tail(err, keep)]
            answer: Answer | None = None
            async with anyio.create_task_group() as group:
                group.start_soon(feed, pipes, sink, stdin or b"")
                for tail in tails:
                    group.start_soon(tail.follow, channel)
                with anyio.move_on_after(seconds) as clock:
                    answer = await self._answer(channel)
                group.cancel_scope.cancel()
            if clock.cancelled_caught:
                answer = await self._end_request(channel)
            for tail in tails:
                tail.finish()
        if answer is None:
            raise BoxGone(await self._lost())
        flooded = any(tail.flooded for tail in tails)
        timed_out = answer.killed and not flooded
        return Finished(answer, tails[0].content(), tails[1].content(), timed_out, flooded)

    async def read(self, path: str, limit: int, seconds: float) -> bytes | Answer:
        """Read a file inside; gives its bytes, or the answer that says why not (EFBIG: more than `limit` bytes).

        Raises:
            BoxGone: The sandbox ended.
            TimeoutError: It took longer than `seconds`.
        """
        async with AsyncExitStack() as stack:
            pipes = Pipes(stack)
            source, sink = pipes.from_inside()
            channel = await stack.enter_async_context(self._request("read", {"path": path, "limit": limit}, [sink]))
            pipes.close(sink)
            content = bytearray()
            answer: Answer | None = None
            with anyio.move_on_after(seconds) as clock:
                # The cap is kept here as well: the sender is inside.
                while len(content) <= limit and (chunk := await receive(source)):
                    content += chunk
                if len(content) <= limit:
                    answer = await self._answer(channel)
                else:
                    return Answer(error=27, stage="file")
            if clock.cancelled_caught:
                raise TimeoutError(f"reading {path!r} took longer than {seconds:g} seconds")
        if answer is None:
            raise BoxGone(await self._lost())
        return bytes(content) if answer.size == len(content) else answer

    async def write(self, path: str, content: bytes, seconds: float) -> Answer:
        """Write a file inside, with its parent directories; gives the answer, whose `error` says if it failed.

        Raises:
            BoxGone: The sandbox ended.
            TimeoutError: It took longer than `seconds`.
        """
        async with AsyncExitStack() as stack:
            pipes = Pipes(stack)
            source, sink = pipes.to_inside()
            channel = await stack.enter_async_context(self._request("write", {"path": path}, [source]))
            pipes.close(source)
            answer: Answer | None = None
            with anyio.move_on_after(seconds) as clock:
                await feed(pipes, sink, content)
                answer = await self._answer(channel)
            if clock.cancelled_caught:
                raise TimeoutError(f"writing {path!r} took longer than {seconds:g} seconds")
        if answer is None:
            raise BoxGone(await self._lost())
        return answer

    @asynccontextmanager
    async def _request(
        self, operation: str, arguments: dict[str, object], streams: list[int]
    ) -> AsyncIterator[socket.socket]:
        """Send a request; leaving the block before its answer came ends it."""
        if self._gone:
            raise BoxGone(self._gone)
        with ExitStack() as stack:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            stack.callback(ours.close)
            stack.callback(theirs.close)
            ours.setblocking(False)
            payload = os.memfd_create("kwsuite", os.MFD_CLOEXEC)
            try:
                with open(payload, "wb", closefd=False) as file:
                    file.write(json.dumps(arguments).encode("ascii"))
                await self._send(json.dumps({"op": operation}).encode("ascii"), [theirs.fileno(), payload, *streams])
            finally:
                os.close(payload)
            theirs.close()
            yield ours

    async def _send(self, message: bytes, descriptors: list[int]) -> None:
        control = self._launched.control
        with anyio.move_on_after(GRACE_SECONDS):
            while True:
                try:
                    socket.send_fds(control, [message], descriptors)
                except BlockingIOError:
                    await anyio.wait_writable(control)
                except OSError:
                    break
                else:
                    return
        raise BoxGone(await self._lost())

    async def _answer(self, channel: socket.socket) -> Answer | None:
        """Wait for the answer; None when the supervisor has gone or talks nonsense."""
        while True:
            await anyio.wait_readable(channel)
            try:
                message = channel.recv(4096)
            except BlockingIOError:
                continue
            except OSError:
                return None
            try:
                return Answer.model_validate_json(message)
            except ValidationError:
                return None

    async def _end_request(self, channel: socket.socket) -> Answer | None:
        """End a request's processes; if they will not go, None, and the sandbox is ended by who called."""
        with suppress(OSError):
            channel.shutdown(socket.SHUT_WR)
        with anyio.move_on_after(GRACE_SECONDS, shield=True):
            return await self._answer(channel)
        return None

    async def _lost(self) -> str:
        await self.stop()
        self._gone = (
            "the sandbox has ended: its supervisor was killed or does not answer, most likely because memory ran out. "
            "Give it more memory_mb, or a task that needs less"
        )
        return self._gone
