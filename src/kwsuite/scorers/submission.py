"""The answer of a sample: its last message, and the files it was to produce."""

from collections.abc import Mapping

from inspect_ai.solver import TaskState
from inspect_ai.util import OutputLimitExceededError, sandbox

from kwsuite.datasets.kwbench_sample import OUTPUTS_KEY
from kwsuite.datasets.material import Material, read_deliverable

MOST_SHOWN = 400_000
"""Characters of an answer that a judge is shown at most, message and files together.

More than any model writes in a message; a candidate that could hand in more would silence a judge whose context it
overflows, and leave the denominator.
"""

_STORE_KEY = "kwsuite:deliverables"
"""Where the text of the files is kept, so that a finished log can be scored again without its sandbox."""


async def submission(state: TaskState) -> str:
    """Give everything a candidate handed in, as one text of little more than `MOST_SHOWN` characters.

    The last message, then each file that the item names under its name. A file that is missing or unreadable, and a
    part that no longer fits whole, is stated as such: it is the candidate's fault and is judged, not an error.
    """
    kept: Mapping[str, str] | None = state.store.get(_STORE_KEY)
    if kept is None:
        kept = {name: await _file_text(name) for name in state.metadata.get(OUTPUTS_KEY) or ()}
        if kept:
            state.store.set(_STORE_KEY, kept)
    return _within_limit(state.output.completion, kept)


def _within_limit(message: str, files: Mapping[str, str]) -> str:
    """Put the parts together in their order; nothing is cut, so what a judge is shown of a part is all of it."""
    left = MOST_SHOWN
    shown: list[str] = []
    for name, text in (("", message), *files.items()):
        heading = f"===== file: {name} =====\n\n" if name else ""
        fits = len(text) <= left
        shown.append(heading + (text if fits else _too_long("file" if name else "message", text)))
        left -= len(text) if fits else 0
    return "\n\n".join(shown).strip() if files else shown[0]


def _too_long(part: str, text: str) -> str:
    return f"[This {part} has {len(text):,} characters; a judge is shown at most {MOST_SHOWN:,} of message and files.]"


async def _file_text(name: str) -> str:
    try:
        content = await sandbox().read_file(name, text=False)
    except FileNotFoundError:
        return "[The candidate did not produce this file.]"
    except (IsADirectoryError, PermissionError, OutputLimitExceededError) as error:
        return f"[This file cannot be read: {type(error).__name__}.]"
    read = read_deliverable(name, content)
    if not isinstance(read, Material):
        return f"[This file cannot be read: {read.reason}]"
    return read.text if len(read.text) <= MOST_SHOWN else _too_long("file", read.text)
