"""The small process that cleans up if the evaluating process is killed."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

_PROGRAM = """
trap '' INT TERM HUP
read -r group || exit 0
read -r ready || kill -s KILL -- "-$group" 2>/dev/null
[ $# -gt 0 ] || exit 0
[ -z "$ready" ] || read -r _
tries=0
while [ $tries -lt 100 ]; do
  left=0
  for directory; do [ ! -d "$directory" ] || rmdir "$directory" 2>/dev/null || left=1; done
  [ $left = 1 ] || exit 0
  tries=$((tries + 1))
  sleep 0.1
done
"""


class Keeper:
    """Ends a sandbox that was only half started, and removes control groups, once its input ends.

    A whole sandbox ends by itself when its host does. Bubblewrap's child does not, in the first milliseconds, before
    bubblewrap has set it up.
    """

    def __init__(self, directories: Sequence[Path]) -> None:
        """Start it; `directories` are removed at the end, where they exist and are empty."""
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _PROGRAM, "sh", *map(str, directories)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
            env={"PATH": os.defpath},
            bufsize=0,
        )

    def watch(self, group: int) -> None:
        """Name the process group to end if this process is killed before `ready`."""
        self._say(str(group))

    def ready(self) -> None:
        """The sandbox now ends by itself; its group's number must not be used any more."""
        self._say("ready")

    def close(self) -> None:
        """End it, after what it should remove is gone. Does nothing the second time."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            self._process.stdin.close()
            self._process.wait()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{line}\n".encode("ascii"))
