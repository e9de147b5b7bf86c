"""Starting a scenario from the template that ships."""

import re
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.data_error import DataError

_PLACEHOLDER = "SCENARIO_ID"


def write_new_world(name: str, folder: Path) -> Path:
    """Write a scenario that passes `kwsuite check` as it stands, to be changed part by part.

    Args:
        name: The id: small letters, digits, `_` and `-`, beginning with a letter or digit.
        folder: Where the file goes; made if missing.

    Returns:
        The file, `<name>.yaml`.

    Raises:
        DataError: The name is no id, or there is such a file already.
    """
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]*", name) is None:
        raise DataError(f"{name!r} is no id: use small letters, digits, _ and -, beginning with a letter or digit.")
    path = folder / f"{name}.yaml"
    if path.exists():
        raise DataError(f"{path}: is there already. Choose another name, or delete it first.")
    folder.mkdir(parents=True, exist_ok=True)
    template = (files("kwsuite.datasets") / "data" / "templates" / "world.yaml").read_text(encoding="utf-8")
    path.write_text(template.replace(_PLACEHOLDER, name), encoding="utf-8", newline="\n")
    return path
