"""Looking into a sandbox from outside: programs that read and report, and trust nothing they find."""

import json
import tempfile
import uuid
from importlib.resources import files
from pathlib import Path
from typing import Any

from inspect_ai.util import sandbox

_SECONDS = 120


async def look(program: str, question: dict[str, Any]) -> Any:
    """Run one of `sandbox/looking/*.py` in the sandbox and give its answer.

    The question goes in by stdin, so that nothing of it stays behind.

    Raises:
        RuntimeError: The sandbox has no python3, or the program failed.
    """
    code = (files("kwsuite.sandbox") / "looking" / f"{program}.py").read_text(encoding="utf-8")
    done = await sandbox().exec(["python3", "-I", "-c", code], input=json.dumps(question), timeout=_SECONDS)
    if not done.success:
        raise RuntimeError(
            f"looking into the sandbox failed ({program}): {done.stderr.strip()[-500:]}. It needs a python3."
        )
    return json.loads(done.stdout)


async def shares_host_files() -> bool:
    """Tell whether the sandbox sees the host's files, as `local` does, whatever it is called."""
    with tempfile.TemporaryDirectory() as folder:
        secret = Path(folder) / "seen"
        secret.write_text(uuid.uuid4().hex, encoding="utf-8")
        seen = await sandbox().exec(["cat", str(secret)])
        return seen.success and seen.stdout.strip() == secret.read_text(encoding="utf-8")
