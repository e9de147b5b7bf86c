"""Every command of README and docs runs, page by page and in the order of the page, or says here why it does not.

The names that stand for a reader's own things (PROVIDER/MODEL, path/to/items) are filled with the reference candidates
and copies of what ships. Commands run in this process, through the entry points that a shell would call.
"""

import re
import shlex
import shutil
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pandas as pd
import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from kwsuite.datasets.item_set import bundled_folder
from kwsuite.datasets.world_set import bundled_world_folder

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
ITEM, SCENARIO = "inter-bilateral-bank-lines", "cr_bilge"
NOT_RUN = {
    r"^make (demo|test|test-model|docs|pictures)$": "builds an environment and runs everything, this test too",
    r"^pip install": "installs; the wheel test does",
    r"^inspect view|view bundle": "serves until interrupted, or publishes; tests marked browser open it",
    r"clio-ai/kwbench|OWNER/NAME": "asks the Hub; loader and export are tested offline",
    r"your_task|systemd-run|pytest tests/sandbox|sandbox cleanup|sandbox_cost": "tests/sandbox runs the sandbox",
    r"command_line_agent": "tests/test_worlds_examples.py runs it with an agent of its own",
    r"^kwsuite demo": "plays everything; tests/test_cli.py does",
    r"^kwsuite screen": "wants the runs of three agents; tests/screening makes them",
    r"judge_overhead": "measures for minutes",
    r"small_model|^export LOCAL|openai-api/": "serves a model; tests marked model do it",
}
STANDS_FOR = {
    "PROVIDER/A,PROVIDER/B,PROVIDER/C": "reference/labels",
    "PROVIDER/GRADER": "reference/labels",
    "PROVIDER/WORLD": "reference/engine",
    "PROVIDER/MODEL": "reference/expert",
    " [FOLDER]": "",
}
BLOCK_OR_NAMED = re.compile(
    r"^```(\w*)\n(.*?)^```|`((?:kwsuite|inspect|python|make|pip|pytest) [^`]*)`", re.DOTALL | re.MULTILINE
)
"""A block of code, or a command inside a sentence; a bare name of a command there is not one to run."""


def commands_of(page: Path) -> list[str]:
    """List the commands of a page in order, comments taken off, lines joined."""
    text = page.read_text(encoding="utf-8")
    found: dict[str, None] = {}
    for block in BLOCK_OR_NAMED.finditer(text):
        language, code, named = block.groups()
        if named:
            command = " ".join(named.split())
            if len(command.split()) > 2:
                found.setdefault(command)
        elif language == "bash":
            for line in code.replace("\\\n", " ").splitlines():
                command = " ".join(shlex.split(line, comments=True, posix=False))
                if command:
                    found.setdefault(command)
    return list(found)


def is_run(command: str) -> bool:
    return not any(re.search(rule, command) for rule in NOT_RUN)


RUN = [pytest.param(page, id=page.name) for page in PAGES if any(map(is_run, commands_of(page)))]


@pytest.fixture(scope="module")
def earlier(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A log of each scorer that pages score again or read."""
    folder = tmp_path_factory.mktemp("earlier")
    runs = {
        "conjunctive_gate": "inspect eval kwsuite/kwbench --model-role grader=reference/labels --model reference/null",
        "all_pass": "inspect eval kwsuite/implicit_worlds --model reference/expert",
        "verified": "inspect eval kwsuite/knowledge_gated --model reference/surface -T tasks=escrow -T sandbox=bwrap",
        "spotted": "inspect eval kwsuite/problem_spotting --model reference/surface -T match=lexical",
    }
    for name, command in runs.items():
        assert not call(f"{command} --limit 2 --log-dir {folder / name} --display none"), command
    return {name: folder / name for name in runs}


@pytest.fixture
def reader(tmp_path: Path, earlier: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder that holds what a reader has by then: items, scenarios, rubrics, earlier logs."""
    shutil.copytree(bundled_folder() / ITEM, tmp_path / "path/to/items" / ITEM)
    for name in ("path/to/scenarios", "paper_scenarios"):
        (tmp_path / name).mkdir()
        shutil.copy(bundled_world_folder() / f"{SCENARIO}.yaml", tmp_path / name)
    (tmp_path / "rubric.yaml").write_text("mandatory:\n  - Does it name the two banks?\n", encoding="utf-8")
    (tmp_path / "criteria.yaml").write_text("- The closing message names the backup.\n", encoding="utf-8")
    shutil.copy(ROOT / "docs/examples/worlds_agents.py", tmp_path)
    for name in ("logs-before", "logs-after", "LOGS", "BASELINE", "NEW"):
        shutil.copytree(earlier["conjunctive_gate"], tmp_path / name)
    for folder in earlier.values():
        for name in ("logs", "logs/demo"):
            shutil.copytree(folder, tmp_path / name, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    monkeypatch.setenv("INSPECT_LOG_DIR", "logs")
    return tmp_path


@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_run(page: Path, reader: Path, earlier: dict[str, Path]) -> None:
    faults = [run_command(command, reader, earlier) for command in filter(is_run, commands_of(page))]
    assert [fault for fault in faults if fault] == []


@pytest.mark.parametrize("rule", NOT_RUN)
def test_every_exception_still_has_a_command(rule: str) -> None:
    assert any(re.search(rule, command) for page in PAGES for command in commands_of(page))


def run_command(command: str, folder: Path, earlier: dict[str, Path]) -> str | None:
    """Run a command of a page in the reader's folder, and say what went wrong, if anything did."""
    for word, stand_in in STANDS_FOR.items():
        command = command.replace(word, stand_in)
    if command.startswith("inspect eval ") and "--limit" not in command:
        command += " --limit 1"
    if command.startswith("inspect score"):
        scorer = command.split("kwsuite/", 1)[1].split()[0]
        shutil.copy(next(earlier[scorer].glob("*.eval")), folder / "LOG.eval")
        command = command.replace(" LOG ", " LOG.eval ")
    if command.startswith("kwsuite calibrate-matching"):
        command = command.replace("LOGS", str(earlier["spotted"]))
    if command.startswith("kwsuite calibrate-matching") and "--sample" not in command:
        label(folder / "labels.csv")
    before = {info.name for info in list_eval_logs(str(folder / "logs"))}
    if code := call(command):
        return f"{command}: exit code {code}"
    for info in list_eval_logs(str(folder / "logs")):
        if info.name not in before:
            log = read_eval_log(info)
            errors = [sample.error.message for sample in log.samples or [] if sample.error]
            if log.status != "success" or errors:
                return f"{command}: {log.status}, {log.error}, {errors}"
    return None


def label(sheet: Path) -> None:
    """Do what the people do who label the sheet; which label does not matter here."""
    rows = pd.read_csv(sheet)
    rows["label"] = ["same" if place % 2 else "different" for place in range(len(rows))]
    rows.to_csv(sheet, index=False)


def call(command: str) -> int | str | None:
    """Run a console script in this process, as its entry point does in a shell, and give its exit code."""
    name, *arguments = shlex.split(command)
    (script,) = entry_points(group="console_scripts", name=name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [name, *arguments])
        try:
            script.load()()
        except SystemExit as ended:
            return ended.code
    return 0
