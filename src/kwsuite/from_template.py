"""Starting an item of one's own from a template that ships."""

import re
import shutil
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.writing import writing

_TEMPLATES = Path(str(files("kwsuite.datasets") / "data" / "templates"))


def write_from_template(template: str, placeholder: str, name: str, folder: Path) -> Path:
    """Write a file that passes `kwsuite check` as it stands, to be changed part by part.

    Args:
        template: Name of the template among those that ship.
        placeholder: The word in it that becomes the id.
        name: The id: small letters, digits, `_` and `-`, beginning with a letter or digit.
        folder: Where the file goes; made if missing.

    Returns:
        The file, `<name>.yaml`.

    Raises:
        DataError: The name is no id, there is such a file already, or it cannot be written.
    """
    _require_id(name)
    path = folder / f"{name}.yaml"
    with writing(path):
        _require_new(path)
        folder.mkdir(parents=True, exist_ok=True)
        text = (_TEMPLATES / template).read_text(encoding="utf-8")
        path.write_text(text.replace(placeholder, name), encoding="utf-8", newline="\n")
    return path


def write_kwbench(name: str, folder: Path) -> Path:
    """Write an item's folder with task, material, answers and labels; see `write_from_template`."""
    _require_id(name)
    return copy_template("kwbench", folder / name, {"ITEM_ID": name})


def copy_template(template: str, target: Path, filling: Mapping[str, str]) -> Path:
    """Copy a template that is a folder.

    Args:
        template: Name of the template among those that ship.
        target: The new folder; those above it are made if missing.
        filling: What becomes of which words in its `task.yaml`.

    Returns:
        The new folder.

    Raises:
        DataError: There is such a folder already, or it cannot be written.
    """
    with writing(target):
        _require_new(target)
        shutil.copytree(_TEMPLATES / template, target, ignore=shutil.ignore_patterns("__pycache__"))
        task = target / "task.yaml"
        text = task.read_text(encoding="utf-8")
        for placeholder, value in filling.items():
            text = text.replace(placeholder, value)
        task.write_text(text, encoding="utf-8", newline="\n")
    return target


def _require_id(name: str) -> None:
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name) is None:
        raise DataError(
            f"{name!r} is no id: use small letters, digits, _ and -, beginning with a letter or digit, 64 at most."
        )


def _require_new(path: Path) -> None:
    if path.exists():
        raise DataError(f"{path}: is there already. Choose another name, or delete it first.")
