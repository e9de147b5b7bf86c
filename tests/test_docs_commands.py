"""Every command in the README and the docs runs, or is listed here with the reason why it is not run."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kwsuite.datasets.item_set import bundled_folder

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ITEM = "inter-bilateral-bank-lines"
NOT_RUN = {
    r"^make (demo|test)$": "builds an environment and runs everything, this test too",
    r"^(pip|huggingface-cli) ": "installs or uploads; the wheel test installs",
    r"inspect view": "serves until interrupted; tests marked browser open it",
    r"clio-ai/kwbench|OWNER/NAME": "asks the Hub; its loader and our export are tested offline",
    r"--sandbox bwrap": "needs bubblewrap and a task of the reader's; tests/sandbox runs it",
    r"^python bench/small_model|^export LOCAL|openai-api/": "serves a model; the test marked model does it",
}
STANDS_FOR = {
    "PROVIDER/A,PROVIDER/B,PROVIDER/C": "reference/labels",
    "PROVIDER/GRADER": "reference/labels",
    "PROVIDER/MODEL": "reference/expert",
    "path/to/items": "items",
    "s3://...": "logs",
}


def _commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"^```(?:bash|sh)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
            for line in block.replace("\\\n", " ").splitlines():
                command = " ".join(shlex.split(line, comments=True, posix=False))
                if command:
                    found.append((page.name, command))
    return found


COMMANDS = _commands()
RUN = sorted({command for _, command in COMMANDS if not any(re.search(rule, command) for rule in NOT_RUN)})


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reader")
    shutil.copytree(bundled_folder() / ITEM, folder / "items" / ITEM)
    for side in ("logs/old", "logs/new"):
        _call(
            folder,
            "inspect eval kwsuite/kwbench --model reference/expert --model-role grader=reference/labels --limit 3",
            INSPECT_LOG_DIR=side,
        )
    for name in ("LOGS", "BASELINE", "NEW"):
        shutil.copytree(folder / "logs/old", folder / name)
    return folder


@pytest.mark.parametrize("command", RUN)
def test_a_command_of_the_docs_runs(scratch: Path, command: str) -> None:
    for word, stand_in in STANDS_FOR.items():
        command = command.replace(word, stand_in)
    if command.startswith("inspect eval") and "--limit" not in command:
        command += " --limit 1"
    if command.startswith("inspect score"):
        command = command.replace(" LOG ", f" {next((scratch / 'logs/old').glob('*.eval'))} ")
    _call(scratch, command, INSPECT_LOG_DIR="logs")


@pytest.mark.parametrize("rule", NOT_RUN)
def test_every_exception_still_has_a_command(rule: str) -> None:
    assert any(re.search(rule, command) for _, command in COMMANDS)


def _call(folder: Path, command: str, **variables: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "INSPECT_DISPLAY": "plain", **variables}
    words = shlex.split(command)
    if words[0] == "inspect":
        words[:1] = [sys.executable, "-m", "inspect_ai"]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
