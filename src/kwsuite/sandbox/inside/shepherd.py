"""A child of the supervisor that serves one request and outlives it while anything of it is left."""

from __future__ import annotations

import errno
import os
import signal
from typing import Any, NoReturn

from .files import read_file, write_file
from .processes import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, lower, prctl
from .streams import close_quietly, tell


def serve_request(
    operation: str, arguments: dict[str, Any], streams: list[int], report: int, limits: dict[str, int]
) -> NoReturn:
    """Run one request in a child of its own and stay until nothing it started is left. Never returns."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        os.closerange(3, min([*streams, report]))
        keep = {*streams, report}
        for number in range(3, max(keep) + 1):
            if number not in keep:
                close_quietly(number)
        os.closerange(max(keep) + 1, 4096)
        if operation == "exec":
            prctl(PR_SET_CHILD_SUBREAPER, 1)
            tend(arguments, streams, report, limits)
        elif operation == "read":
            read_file(arguments, streams[0], report)
        elif operation == "write":
            write_file(arguments, streams[0], report)
        code = 0
    except OSError as error:
        tell(report, {"error": error.errno, "stage": "file"})
        code = 0
    except ValueError:
        tell(report, {"error": errno.EINVAL, "stage": "file"})
        code = 0
    finally:
        os._exit(code)


def tend(arguments: dict[str, Any], streams: list[int], report: int, limits: dict[str, int]) -> None:
    """Start the command, report how it ends, and stay while any descendant lives."""
    command = os.fork()
    if command == 0:
        run_command(arguments, streams, report, limits)
    for number in (0, 1, 2):
        close_quietly(number)
    for number in streams:
        os.close(number)
    while True:
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return
        if pid == command:
            signalled = os.WIFSIGNALED(status)
            tell(report, {"exit": 128 + os.WTERMSIG(status) if signalled else os.WEXITSTATUS(status)})


def run_command(arguments: dict[str, Any], streams: list[int], report: int, limits: dict[str, int]) -> NoReturn:
    """Become the command. Never returns."""
    stage = "start"
    try:
        os.setsid()
        for standard, number in enumerate(streams):
            os.dup2(number, standard)
        # Until now nothing inside could look into this process; its remaining secrets are its descriptors, all
        # close-on-exec. The kernel should rather end a command than this supervisor when memory runs out.
        prctl(PR_SET_DUMPABLE, 1)
        with open("/proc/self/oom_score_adj", "w", encoding="ascii") as score:
            score.write("1000")
        lower(limits)
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        stage = "cwd"
        os.chdir(arguments["cwd"])
        stage = "command"
        os.execvpe(arguments["cmd"][0], arguments["cmd"], arguments["env"])
    except OSError as error:
        tell(report, {"error": error.errno, "stage": stage})
    except ValueError:
        tell(report, {"error": errno.EINVAL, "stage": stage})
    finally:
        os._exit(127)
