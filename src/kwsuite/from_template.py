"""Starting a file of one's own from a template that ships."""

import re
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.data_error import DataError


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
        DataError: The name is no id, or there is such a file already.
    """
    if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", name) is None:
        raise DataError(
            f"{name!r} is no id: use small letters, digits, _ and -, beginning with a letter or digit, 64 at most."
        )
    path = folder / f"{name}.yaml"
    if path.exists():
        raise DataError(f"{path}: is there already. Choose another name, or delete it first.")
    folder.mkdir(parents=True, exist_ok=True)
    text = (files("kwsuite.datasets") / "data" / "templates" / template).read_text(encoding="utf-8")
    path.write_text(text.replace(placeholder, name), encoding="utf-8", newline="\n")
    return path
