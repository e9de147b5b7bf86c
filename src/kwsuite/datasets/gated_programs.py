"""Running the programs that ship with a gated task: a generator, a reference solution and a verifier.

They are the author's, run on the host, and use the standard library (and `kwsuite.checking`) only. What a model wrote
never gets here.
"""

import hashlib
import importlib.util
import pickle
import random
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from kwsuite.datasets.data_error import DataError


class Remembered:
    """What a verifier's function `reference` gave for the same arguments before.

    Proofs verify a hundred deliveries of one instance, and what is right for it need be computed once. Arguments and
    results are kept as bytes, so that nothing a verifier does to one reaches the next call; what cannot be pickled is
    computed each time.
    """

    def __init__(self) -> None:
        self._held: dict[bytes, bytes] = {}

    def attach(self, module: ModuleType) -> None:
        """Let a module's `reference` be answered from memory, if it has one."""
        function = getattr(module, "reference", None)
        if callable(function):
            vars(module)["reference"] = self._answering(function)

    def _answering(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def reference(*given: Any, **named: Any) -> Any:
            key = _pickled((given, named))
            if key is not None and key in self._held:
                return pickle.loads(self._held[key])  # inspect-evals-lint: ignore[IESC002] -- pickled by itself
            result = function(*given, **named)
            held = _pickled(result)
            if key is not None and held is not None:
                self._held[key] = held
            return result

        return reference


def load_program(path: Path, function: str, remembered: Remembered | None = None) -> Any:
    """Load a program afresh and give its function.

    Raises:
        DataError: The file or the function is missing, or the file cannot be loaded.
    """
    if not path.is_file():
        raise DataError(f"{path}: is missing. Write it, with a function {function}.")
    module = _module(path)
    if remembered is not None:
        remembered.attach(module)
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
        text = path.read_text(encoding="utf-8")
        code = _code(path, text)
        exec(code, module.__dict__)  # inspect-evals-lint: ignore[IESC002] -- the author's file, as an import runs it
    except SystemExit as error:
        raise DataError(
            f"{path}: ends the process when it is loaded. Keep such a call under a __main__ guard."
        ) from error
    except (SyntaxError, ImportError, UnicodeDecodeError) as error:
        raise DataError(
            f"{path}: cannot be loaded ({error}). Correct it; only the standard library is at hand."
        ) from error
    return module


@lru_cache(maxsize=64)
def _code(path: Path, text: str) -> CodeType:
    return compile(text, str(path), "exec")  # inspect-evals-lint: ignore[IESC002] -- the author's file


def _pickled(value: Any) -> bytes | None:
    try:
        return pickle.dumps(value)
    except (pickle.PicklingError, AttributeError, TypeError):  # a class or function of the program's own
        return None
