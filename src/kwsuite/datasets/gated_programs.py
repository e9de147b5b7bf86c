"""Running the programs that ship with a gated task: a generator, a reference solution and a verifier.

They are the author's, run on the host, and use the standard library (and `kwsuite.checking`) only. What a model wrote
never gets here.
"""

import hashlib
import importlib.util
import random
from pathlib import Path
from types import ModuleType
from typing import Any

from kwsuite.datasets.data_error import DataError


def load_program(path: Path, function: str) -> Any:
    """Load a program and give its function.

    Raises:
        DataError: The file or the function is missing, or the file cannot be loaded.
    """
    if not path.is_file():
        raise DataError(f"{path}: is missing. Write it, with a function {function}.")
    module = _module(path)
    found = getattr(module, function, None)
    if not callable(found):
        raise DataError(f"{path}: has no function {function}. Add it.")
    return found


def rng_of(task: str, seed: int) -> random.Random:
    """Give the random numbers of a task's instance; the same task and seed give the same on every machine."""
    return random.Random(int.from_bytes(hashlib.sha256(f"{task}|{seed}".encode()).digest(), "big"))


def _module(path: Path) -> ModuleType:
    name = f"kwsuite_gated_{hashlib.sha256(str(path).encode()).hexdigest()[:16]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DataError(f"{path}: is no Python file. Rename it to end in .py.")
    module = importlib.util.module_from_spec(spec)
    try:
        # Compiled here and not by the loader, which would leave a __pycache__ in the author's folder.
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), module.__dict__)
    except (SyntaxError, ImportError) as error:
        raise DataError(
            f"{path}: cannot be loaded ({error}). Correct it; only the standard library is at hand."
        ) from error
    return module
