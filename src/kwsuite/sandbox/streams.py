"""Streams between the host and a sandbox: bounded tails, feeding, and pipes that are always closed."""

import os
import socket
from collections import deque
from contextlib import AsyncExitStack, suppress

import anyio

CHUNK = 1 << 18
"""Bytes moved at once."""

FLOOD = 10
"""A stream that brings this many times what is kept ends its command."""


class Tail:
    """The last bytes of a stream."""

    def __init__(self, descriptor: int, keep: int) -> None:
        self._descriptor = descriptor
        self._keep = keep
        self._chunks: deque[bytes] = deque()
        self._held = 0
        self._seen = 0
        self.flooded = False

    async def follow(self, channel: socket.socket) -> None:
        """Read to the end of the stream; a flood asks for the end of the command."""
        while chunk := await receive(self._descriptor):
            self._add(chunk)
            if self._seen > FLOOD * self._keep and not self.flooded:
                self.flooded = True
                with suppress(OSError):
                    channel.shutdown(socket.SHUT_WR)

    def finish(self) -> None:
        """Take what is still in the pipe, and no more than a pipe holds: someone may go on writing."""
        for _ in range(16):
            try:
                chunk = os.read(self._descriptor, CHUNK)
            except BlockingIOError:
                return
            if not chunk:
                return
            self._add(chunk)

    def content(self) -> bytes:
        """The last `keep` bytes."""
        return b"".join(self._chunks)[-self._keep :]

    def _add(self, chunk: bytes) -> None:
        self._chunks.append(chunk)
        self._held += len(chunk)
        self._seen += len(chunk)
        while self._held - len(self._chunks[0]) >= self._keep:
            self._held -= len(self._chunks.popleft())


async def receive(descriptor: int) -> bytes:
    """Wait for bytes; empty at the end of the stream."""
    while True:
        try:
            return os.read(descriptor, CHUNK)
        except BlockingIOError:
            await anyio.wait_readable(descriptor)


async def feed(pipes: "Pipes", descriptor: int, content: bytes) -> None:
    """Write all of it and close; stops early when the other side no longer reads."""
    view = memoryview(content)
    while view:
        try:
            view = view[os.write(descriptor, view[:CHUNK]) :]
        except BlockingIOError:
            await anyio.wait_writable(descriptor)
        except BrokenPipeError:
            break
    pipes.close(descriptor)


class Pipes:
    """Pipes that are closed when the stack unwinds; only the host's end of each is non-blocking."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._open: set[int] = set()
        stack.callback(self._close_all)

    def from_inside(self) -> tuple[int, int]:
        """Give the host's reading end and the sandbox's writing end."""
        ours, theirs = self._open_pipe()
        os.set_blocking(ours, False)
        return ours, theirs

    def to_inside(self) -> tuple[int, int]:
        """Give the sandbox's reading end and the host's writing end."""
        theirs, ours = self._open_pipe()
        os.set_blocking(ours, False)
        return theirs, ours

    def _open_pipe(self) -> tuple[int, int]:
        ends = os.pipe()
        self._open.update(ends)
        return ends

    def close(self, *descriptors: int) -> None:
        """Close now what is not needed further."""
        for descriptor in descriptors:
            self._open.discard(descriptor)
            os.close(descriptor)

    def _close_all(self) -> None:
        for descriptor in self._open:
            os.close(descriptor)
        self._open.clear()
