"""The first process inside a sandbox: starts commands, moves file contents, ends process trees.

It runs as a program of its own, on whatever Python (3.8 or newer) the sandbox can see, with the standard library
only. The host speaks to it over one SOCK_SEQPACKET socket. A request is one datagram with the operation's name and
open descriptors: a channel for this request, a memory file with its arguments as JSON, then the streams. The answer
is one JSON datagram on the channel. Closing the channel, or shutting down its writing side, before the answer means:
end this request and everything it started.

Every request has its own *shepherd*, a child that orphans of the request fall back to. While a shepherd lives, a
process that forks twice, or starts a new session, still descends from it. Nothing that model-written code can do to a
shepherd helps it: whatever then falls back to this process, which cannot be killed from inside, is ended at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import struct
import sys
import time
from typing import Any, NoReturn

from .answers import KILLED, send, told
from .processes import PR_SET_DUMPABLE, children_of, descendants, kill, lower, prctl, processes, running
from .shepherd import serve_request
from .streams import CHUNK, discard, read_all

KILL_ROUNDS = 5
MAX_DESCRIPTORS = 8


def main() -> NoReturn:
    """Serve requests until the host goes away; leaving ends every process of the sandbox."""
    control = socket.socket(fileno=int(sys.argv[1]))
    settings = json.loads(control.recv(CHUNK))
    prepare(control.fileno(), settings)
    Supervisor(control, settings).serve()
    os._exit(0)


def prepare(control: int, settings: dict[str, Any]) -> None:
    """Drop what was inherited from the host, and set the limits that every process here shares."""
    os.closerange(3, control)
    os.closerange(control + 1, 65536)
    os.umask(0o022)
    lower(settings["limits"])
    prctl(PR_SET_DUMPABLE, 0)


class Job:
    """One request in progress."""

    def __init__(self, channel: socket.socket, shepherd: int, status: int, spare: list[int]) -> None:
        self.channel = channel
        self.shepherd = shepherd
        self.status = status
        self.spare = spare
        self.answered = False


class Supervisor:
    """The loop: take requests, watch shepherds, answer."""

    def __init__(self, control: socket.socket, settings: dict[str, Any]) -> None:
        self.control = control
        self.settings = settings
        self.jobs: dict[int, Job] = {}
        self.answered: dict[int, Job] = {}
        self.drains: set[int] = set()
        self.wake, waker = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(waker, False)
        # The first process gets from inside only the signals it has a handler for, and Python brings one for this.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)

    def serve(self) -> None:
        """Answer requests until the host closes its end."""
        self.control.send(b'{"ready": true}')
        # Until here a failure can be told on standard error.
        null = os.open("/dev/null", os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        os.close(null)
        while True:
            for descriptor in self.poll():
                if descriptor == self.control.fileno():
                    if not self.take_request():
                        return
                elif descriptor == self.wake:
                    discard(self.wake)
                elif descriptor in self.drains:
                    if not discard(descriptor):
                        self.drains.discard(descriptor)
                        os.close(descriptor)
                elif descriptor in self.answered:
                    self.let_go(descriptor)
                else:
                    self.attend(descriptor)
            self.reap()

    def poll(self) -> list[int]:
        """Wait for something to do; the control socket comes first."""
        poller = select.poll()
        for descriptor in (self.control.fileno(), self.wake, *self.drains, *self.answered):
            poller.register(descriptor, select.POLLIN)
        for job in self.jobs.values():
            if not job.answered:
                poller.register(job.channel.fileno(), select.POLLIN)
                poller.register(job.status, select.POLLIN)
        return [descriptor for descriptor, _ in poller.poll()]

    def take_request(self) -> bool:
        """Start what the host asks for; False when it has closed its end."""
        size = socket.CMSG_SPACE(MAX_DESCRIPTORS * 4)
        message, ancillary, _, _ = self.control.recvmsg(4096, size, socket.MSG_CMSG_CLOEXEC)
        if not message:
            return False
        descriptors = [
            number
            for level, kind, data in ancillary
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS
            for number in struct.unpack(f"{len(data) // 4}i", data)
        ]
        operation = json.loads(message)["op"]
        channel = socket.socket(fileno=descriptors[0])
        arguments = json.loads(read_all(descriptors[1]))
        os.close(descriptors[1])
        streams = descriptors[2:]
        # The last two of an exec are reading ends of its output, to keep a left-over process from dying of SIGPIPE.
        spare = streams[3:] if operation == "exec" else []
        status, report = os.pipe()
        os.set_blocking(status, False)
        try:
            shepherd = os.fork()
        except OSError as error:
            send(channel, {"error": error.errno, "stage": "fork"})
            for number in (*streams, status, report):
                os.close(number)
            channel.close()
            return True
        if shepherd == 0:
            used = streams[: len(streams) - len(spare)]
            serve_request(operation, arguments, used, report, self.settings["command_limits"])
        for number in (*(n for n in streams if n not in spare), report):
            os.close(number)
        self.jobs[shepherd] = Job(channel, shepherd, status, spare)
        return True

    def attend(self, descriptor: int) -> None:
        """Answer the request that reported, or end the one the host has given up."""
        for job in list(self.jobs.values()):
            if job.answered:
                continue
            if descriptor == job.status:
                self.answer(job, told(job.status))
            elif descriptor == job.channel.fileno():
                self.kill_tree(job.shepherd)
                self.answer(job, b'{"killed": true}')

    def answer(self, job: Job, message: bytes) -> None:
        """Answer a request once."""
        job.answered = True
        with contextlib.suppress(OSError):
            job.channel.send(message)
        os.close(job.status)
        self.answered[job.channel.fileno()] = job

    def let_go(self, descriptor: int) -> None:
        """The host has taken the answer and all output it wants: the rest is thrown away, so that none blocks."""
        job = self.answered.pop(descriptor)
        job.channel.close()
        for spare in job.spare:
            os.set_blocking(spare, False)
            self.drains.add(spare)

    def reap(self) -> None:
        """Collect the dead, and answer for a shepherd that could not."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            job = self.jobs.pop(pid, None)
            if job is not None and not job.answered:
                # What the shepherd reported before it ended is still in the pipe.
                self.answer(job, told(job.status))
            if job is None or status != 0:
                self.end_orphans()

    def end_orphans(self) -> None:
        """End what fell back to us because its shepherd was killed."""
        for child in children_of(os.getpid()):
            if child not in self.jobs:
                self.kill_tree(child)

    def kill_tree(self, root: int) -> None:
        """Kill `root` and its descendants; answers only when none is left running."""
        for attempt in range(KILL_ROUNDS):
            family = descendants(root)
            if not family:
                break
            for pid in family:
                kill(pid)
            time.sleep(0.001 * 4**attempt)
        else:
            # It forks faster than we can look. The kernel's own "all" leaves no gap for a fork.
            self.end_everything()
        kill(root)

    def end_everything(self) -> None:
        """Kill every other process of the sandbox; returns when they are dead."""
        try:
            os.kill(-1, signal.SIGKILL)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + 5
        while any(running(pid) for pid in processes() if pid != os.getpid()) and time.monotonic() < deadline:
            self.reap_quietly()
            time.sleep(0.002)

    def reap_quietly(self) -> None:
        """Collect the dead among our children, keeping their jobs for `reap` to answer."""
        for pid in children_of(os.getpid()):
            try:
                done, _ = os.waitpid(pid, os.WNOHANG)
            except ChildProcessError:
                continue
            job = self.jobs.pop(done, None)
            if job is not None and not job.answered:
                self.answer(job, KILLED)
