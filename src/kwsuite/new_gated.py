"""Starting a gated task from a finished small one."""

import re
import shutil
import uuid
from importlib.resources import files
from pathlib import Path

from kwsuite.datasets.data_error import DataError


def write_new_gated(name: str, folder: Path) -> Path:
    """Write a task that passes `kwsuite check` as it stands, to be changed part by part.

    Args:
        name: The id: small letters, digits and `-`, beginning with a letter.
        folder: Where its folder goes; made if missing.

    Returns:
        The task's folder.

    Raises:
        DataError: The name is no id, or there is such a folder already.
    """
    if re.fullmatch(r"[a-z][a-z0-9-]{1,63}", name) is None:
        raise DataError(f"{name!r} is no id: use small letters, digits and -, beginning with a letter.")
    target = folder / name
    if target.exists():
        raise DataError(f"{target}: is there already. Choose another name, or delete it first.")
    shutil.copytree(Path(str(files("kwsuite.datasets") / "data" / "templates" / "gated")), target)
    task = target / "task.yaml"
    text = task.read_text(encoding="utf-8").replace("TASK_ID", name)
    text = text.replace("00000000-0000-0000-0000-000000000000", str(uuid.uuid4()))
    task.write_text(text, encoding="utf-8", newline="\n")
    return target
