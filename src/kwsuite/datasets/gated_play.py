"""Playing the reference solution of a gated task outside a sandbox: it is the author's program, not a model's."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import GatedItem, Instance
from kwsuite.datasets.gated_programs import load_program


def play(item: GatedItem, instance: Instance, artefact: Mapping[str, str] | None) -> dict[str, bytes]:
    """Run `solve.py` on an instance and give the outputs.

    Args:
        item: The task.
        instance: Its input files.
        artefact: The files of an artefact; None for no artefact.

    Raises:
        DataError: It left an output out.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        place_data(root, instance)
        return play_in(root, item, artefact)


def place_data(root: Path, instance: Instance) -> None:
    """Write an instance's input files to a folder to play in."""
    _write(root / "data", instance.files)


def changed_data(root: Path, instance: Instance) -> list[str]:
    """Name the input files in a folder that are no longer what they were."""
    there = {str(path.relative_to(root / "data")): path for path in (root / "data").rglob("*") if path.is_file()}
    same = {
        name for name, text in instance.files.items() if name in there and there[name].read_bytes() == text.encode()
    }
    return sorted((set(instance.files) | set(there)) - same)


def play_in(root: Path, item: GatedItem, artefact: Mapping[str, str] | None) -> dict[str, bytes]:
    """Run `solve.py` in a folder that holds the input files; what an earlier play left there is removed first.

    Raises:
        DataError: It left an output out.
    """
    for name in ("specification", "outputs"):
        shutil.rmtree(root / name, ignore_errors=True)
    specification = root / "specification" if artefact else None
    if specification is not None and artefact is not None:
        _write(specification, artefact)
    load_program(item.folder / "solve.py", "solve")(root, specification)
    outputs = {output.path: root / "outputs" / output.path for output in item.task.outputs}
    missing = [name for name, path in outputs.items() if not path.is_file()]
    if missing:
        raise DataError(f"{item.folder / 'solve.py'}: does not write {', '.join(missing)}.")
    return {name: path.read_bytes() for name, path in outputs.items()}


def _write(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
