"""Starting a gated task from a finished small one."""

import re
import uuid
from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.from_template import copy_template


def write_new_gated(name: str, folder: Path) -> Path:
    """Write a task that passes `kwsuite check` as it stands, to be changed part by part.

    Args:
        name: The id: small letters, digits and `-`, beginning with a letter.
        folder: Where its folder goes; made if missing.

    Returns:
        The task's folder.

    Raises:
        DataError: The name is no id, there is such a folder already, or it cannot be written.
    """
    if re.fullmatch(r"[a-z][a-z0-9-]{1,63}", name) is None:
        raise DataError(f"{name!r} is no id: use small letters, digits and -, beginning with a letter.")
    filling = {"TASK_ID": name, "00000000-0000-0000-0000-000000000000": str(uuid.uuid4())}
    return copy_template("gated", folder / name, filling)
