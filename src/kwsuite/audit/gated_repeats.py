"""Whether the programs of gated tasks give the same in every process: what depends on the order of a set does not."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import kwsuite

_HASH_SEEDS = ("1", "2")

# Without the own __init__ of the package, which imports every task and with them Inspect: seconds for nothing.
_FRESH = """
import hashlib, json, sys, types
from pathlib import Path
package = types.ModuleType("kwsuite")
package.__path__ = [sys.argv[1]]
sys.modules["kwsuite"] = package
from kwsuite.datasets.gated import read_gated
from kwsuite.datasets.gated_play import play

def told(folder, seed):
    item = read_gated(Path(folder))
    instance = item.instance(seed)
    answers = [play(item, instance, item.artefact(item.task.values)), play(item, instance, None)]
    due = {output.path for output in item.task.verified_outputs}
    checks = [
        item.verify(instance, {path: data for path, data in answer.items() if path in due}, item.task.values)
        for answer in answers
    ]
    sha = hashlib.sha256(repr([sorted(answer.items()) for answer in answers]).encode()).hexdigest()
    return [instance.digest(), instance.planted, sha, checks]

seen = {}
for folder in sys.argv[3:]:
    try:
        seen[folder] = json.dumps(told(folder, int(sys.argv[2])))
    except Exception as error:
        seen[folder] = f"{type(error).__name__}: {error}"
sys.stdout.write(json.dumps(seen))
"""


class Repeats(NamedTuple):
    """Two processes at work, whose sets and dicts of text are ordered by different hashes."""

    runs: tuple[subprocess.Popen[str], ...]
    """They generate, solve and verify each task, and tell what came of it."""

    def differing(self) -> list[str]:
        """Wait for both, and name the folders of which they tell different things.

        Raises:
            RuntimeError: One could not be run.
        """
        told: list[dict[str, str]] = []
        for run in self.runs:
            output, errors = run.communicate()
            if run.returncode != 0:
                raise RuntimeError(f"a fresh interpreter could not run the programs: {errors.strip()[-500:]}")
            told.append(json.loads(output))
        return [
            folder
            for folder in told[0]
            if any(folder not in other or other[folder] != told[0][folder] for other in told)
        ]


@contextmanager
def repeats(folders: Sequence[Path], seed: int) -> Iterator[Repeats]:
    """Start the two processes, so that they work while something else is done; ended on leaving, whatever came."""
    package = str(Path(kwsuite.__file__).parent)
    command = [sys.executable, "-c", _FRESH, package, str(seed), *(str(folder.resolve()) for folder in folders)]
    runs = tuple(
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
        )
        for hash_seed in _HASH_SEEDS
    )
    try:
        yield Repeats(runs)
    finally:
        for run in runs:
            run.kill()
            run.communicate()
