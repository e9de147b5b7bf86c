"""Two fresh interpreters that run the programs of gated tasks, beside each other and beside whoever asks."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import kwsuite
from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.gated_work import Done, Order

_HASH_SEEDS = ("1", "2")

# Without the own __init__ of the package, which imports every task and with them Inspect: seconds for nothing.
_PROGRAM = """
import json, sys, types
package = types.ModuleType("kwsuite")
package.__path__ = [sys.argv[1]]
sys.modules["kwsuite"] = package
from kwsuite.audit.gated_work import work
answer, sys.stdout = sys.stdout, sys.stderr  # what a task's program prints is no answer
json.dump(work(json.loads(sys.argv[2])), answer)
"""


class FreshRuns(NamedTuple):
    """Two processes at work, whose sets and dicts of text are ordered by different hashes."""

    seed: int
    """The instance on which they are compared."""
    processes: tuple[subprocess.Popen[str], ...]
    """Both run every task's programs on that instance; each computes the proofs of every other task."""

    def findings(self) -> dict[Path, list[AuditFinding]]:
        """Wait for both, and give what the proofs found in each folder, and whether the two were told the same.

        Raises:
            RuntimeError: One could not be run.
        """
        done = [_answer(process) for process in self.processes]
        found = {
            Path(folder): [AuditFinding(*fields) for fields in proven]
            for one in done
            for folder, proven in one["proven"].items()
        }
        for folder, findings in found.items():
            if len({one["told"][str(folder)] for one in done}) > 1:
                message = f"seed {self.seed}: two runs differ. Sort what comes from a set before it is used."
                findings.append(AuditFinding(str(folder / "verify.py"), folder.name, message, "repeatable"))
        return found


@contextmanager
def fresh_runs(folders: Sequence[Path], seeds: Sequence[int]) -> Iterator[FreshRuns]:
    """Start the two processes, so that they work while something else is done; ended on leaving, whatever came.

    Args:
        folders: The tasks; each must be readable.
        seeds: Instances to prove, at least one; the first is the one that both run.
    """
    named = [str(folder) for folder in folders]
    processes = tuple(
        _start(Order(seeds=list(seeds), tell=named, prove=named[number :: len(_HASH_SEEDS)]), hash_seed)
        for number, hash_seed in enumerate(_HASH_SEEDS)
    )
    try:
        yield FreshRuns(seeds[0], processes)
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def _start(order: Order, hash_seed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(Path(kwsuite.__file__).parent), json.dumps(order)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
    )


def _answer(process: subprocess.Popen[str]) -> Done:
    output, errors = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"a fresh interpreter could not run the programs: {errors.strip()[-500:]}")
    done: Done = json.loads(output)
    return done
