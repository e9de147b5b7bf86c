"""A gated task with its programs: loading it, making instances, verifying outputs."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, get_args

from kwsuite.checking import Case, Check, Checks, Tolerance, Unreadable
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated_artefact import render
from kwsuite.datasets.gated_format import GatedTask
from kwsuite.datasets.gated_programs import Remembered, load_program, rng_of
from kwsuite.datasets.strict_yaml import load_model, read_yaml

Condition = Literal["with", "without", "perturbed"]

CONDITIONS: tuple[Condition, ...] = get_args(Condition)
"""All of them, in the order of reports."""

PROGRAMS = ("generate.py", "solve.py", "verify.py")
DEFAULT_SEED = 20260831
"""The instance that results are compared on."""

_MAX_FILE = 200_000


@dataclass(frozen=True)
class Instance:
    """One generated set of input files."""

    seed: int
    """What it was made from."""
    files: Mapping[str, str]
    """Text by file name, to stand in the folder `data`."""
    planted: Mapping[str, tuple[str, ...]]
    """Keys of planted rows by convention; never shown."""

    def digest(self) -> str:
        """Identify the files by content: 16 hex digits of SHA-256."""
        sha = hashlib.sha256()
        for name in sorted(self.files):
            sha.update(f"{name}\0{self.files[name]}\0".encode())
        return sha.hexdigest()[:16]


@dataclass(frozen=True)
class GatedItem:
    """A task as authored."""

    task: GatedTask
    """The authored file."""
    folder: Path
    """Where it stands."""
    instruction: str
    """The same in every condition."""
    templates: Mapping[str, str] = field(repr=False)
    """The artefact's files before its values are filled in."""

    def artefact(self, values: Mapping[str, Any]) -> dict[str, str]:
        """Give the artefact's files for values of the conventions."""
        return {
            name: render(text, values, str(self.folder / "artefact" / name)) for name, text in self.templates.items()
        }

    def artefact_in(self, condition: Condition) -> dict[str, str]:
        """Give the artefact's files in a condition; none without."""
        match condition:
            case "with":
                return self.artefact(self.task.values)
            case "perturbed":
                return self.artefact(self.task.perturbed_values)
            case "without":
                return {}

    def instance(self, seed: int = DEFAULT_SEED) -> Instance:
        """Generate the input files of a seed.

        Raises:
            DataError: The generator gives no files, one that is too large, or planted rows for what is no convention.
        """
        place = self.folder / "generate.py"
        program = load_program(place, "generate")
        try:
            made = program(rng_of(self.task.id, seed))
            files, planted = dict(made["files"]), {name: tuple(keys) for name, keys in made["planted"].items()}
        except SystemExit as error:
            raise DataError(f"{place}: ends the process. Let generate() return instead.") from error
        except (KeyError, TypeError, AttributeError) as error:
            raise DataError(
                f"{place}: generate(rng) does not give {{'files': {{name: text}}, 'planted': {{convention: [keys]}}}} "
                f"({type(error).__name__}: {error})."
            ) from error
        odd = sorted(
            str(name)
            for name, text in files.items()
            if not (isinstance(text, str) and text == text.encode("utf-8", "ignore").decode("utf-8"))
        )
        if odd:
            raise DataError(f"{place}: {', '.join(odd)}: is no text that UTF-8 can hold.")
        large = [name for name, text in files.items() if len(text.encode()) > _MAX_FILE]
        if not files or large:
            raise DataError(f"{place}: gives {f'files over {_MAX_FILE} bytes: {large}' if large else 'no files'}.")
        missing = set(self.task.conventions) ^ set(planted)
        if missing:
            raise DataError(
                f"{place}: planted rows must name the conventions, one entry each; off are {sorted(missing)}."
            )
        return Instance(seed, files, planted)

    def verify(
        self,
        instance: Instance,
        outputs: Mapping[str, bytes],
        values: Mapping[str, Any],
        remembered: Remembered | None = None,
    ) -> list[Check]:
        """Decide every criterion of the verifier; an unreadable output fails `schema`, and the rest are not evaluated.

        Args:
            instance: The instance that the outputs answer.
            outputs: Every output that the verifier decides on.
            values: The conventions that they should follow.
            remembered: What is right for this instance, kept between calls; None computes it afresh.

        Raises:
            DataError: The verifier gives other criteria than the task names.
        """
        tolerance = Tolerance(self.task.tolerance.absolute, self.task.tolerance.relative)
        case = Case(instance.files, outputs, values, instance.planted, tolerance, self.task.names)
        try:
            checks = load_program(self.folder / "verify.py", "verify", remembered)(case)
        except Unreadable as error:
            unread = Checks(self.task.names)
            unread.decide("schema", [str(error)])
            return unread.report()
        if not isinstance(checks, list | tuple):
            raise DataError(f"{self.folder / 'verify.py'}: gives {checks!r}. Return checks.report().")
        if [check.name for check in checks or ()] != list(self.task.names):
            raise DataError(
                f"{self.folder / 'verify.py'}: gives other criteria than the task names. Return checks.report()."
            )
        return list(checks)

    def digest(self) -> str:
        """Identify the task by content: 12 hex digits of SHA-256 over what was posed and the verifier."""
        return hashlib.sha256(f"{self.posed_digest()} {self.verifier_digest()}".encode()).hexdigest()[:12]

    def verifier_digest(self) -> str:
        """Identify `verify.py` by content: 12 hex digits of SHA-256."""
        return hashlib.sha256((self.folder / "verify.py").read_bytes()).hexdigest()[:12]

    def posed_digest(self) -> str:
        """Identify what was posed: 12 hex digits of SHA-256 over the task's file, instruction, artefact and programs.

        The verifier is left out, so that a log can be scored again once a broken one is mended.
        """
        sha = hashlib.sha256(self.task.model_dump_json().encode())
        sha.update(self.instruction.encode())
        for name in sorted(self.templates):
            sha.update(f"\0{name}\0{self.templates[name]}".encode())
        for name in ("generate.py", "solve.py"):
            sha.update(b"\0" + (self.folder / name).read_bytes())
        return sha.hexdigest()[:12]


def read_gated(folder: Path) -> GatedItem:
    """Read one task from its folder.

    Raises:
        DataError: A file is missing or broken, or the id is not the folder's name.
    """
    document = read_yaml(folder / "task.yaml")
    task = load_model(GatedTask, document, folder.name)
    if task.id != folder.resolve().name:
        raise DataError(
            f"{document.where(('id',))}: item {task.id}: id differs from its folder {folder.name!r}. Rename one."
        )
    for name in ("instruction.md", "artefact/conventions.md", *PROGRAMS):
        if not (folder / name).is_file():
            raise DataError(f"{folder}: item {task.id}: {name} is missing. Write it; `kwsuite new gated` shows one.")
    templates = {
        path.name: _text_of(path)
        for path in sorted((folder / "artefact").iterdir())
        if path.suffix in (".md", ".py") and path.is_file()
    }
    return GatedItem(task, folder, _text_of(folder / "instruction.md").strip() + "\n", templates)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 (byte {error.start}). Save it as UTF-8.") from error
