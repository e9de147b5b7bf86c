"""The answer of a sample: its last message, and the files it was to produce."""

from inspect_ai.solver import TaskState
from inspect_ai.util import OutputLimitExceededError, sandbox

from kwsuite.datasets.kwbench_sample import OUTPUTS_KEY
from kwsuite.datasets.material import Material, read_deliverable

_STORE_KEY = "kwsuite:deliverables"
"""Where the text of the files is kept, so that a finished log can be scored again without its sandbox."""


async def submission(state: TaskState) -> str:
    """Give everything a candidate handed in, as one text.

    The last message, then each file that the item names under its name. A file that is missing or unreadable is stated
    as such: it is the candidate's fault and is judged, not an error.
    """
    answer = state.output.completion
    kept: dict[str, str] | None = state.store.get(_STORE_KEY)
    if kept is None:
        names: list[str] = list(state.metadata.get(OUTPUTS_KEY) or ())
        if not names:
            return answer
        kept = {name: await _file_text(name) for name in names}
        state.store.set(_STORE_KEY, kept)
    files = [f"===== file: {name} =====\n\n{text}" for name, text in kept.items()]
    return "\n\n".join([answer, *files]).strip()


async def _file_text(name: str) -> str:
    try:
        content = await sandbox().read_file(name, text=False)
    except FileNotFoundError:
        return "[The candidate did not produce this file.]"
    except (IsADirectoryError, PermissionError, OutputLimitExceededError) as error:
        return f"[This file cannot be read: {type(error).__name__}.]"
    read = read_deliverable(name, content)
    return read.text if isinstance(read, Material) else f"[This file cannot be read: {read.reason}]"
