"""The programs that ship with gated tasks: what they import, how they write, and that any locale suits them."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import kwsuite
from kwsuite.audit.gated import gated_findings
from kwsuite.audit.gated_fresh import _PROGRAM
from kwsuite.datasets.gated import CONDITIONS
from kwsuite.datasets.gated_sample import gated_dataset
from kwsuite.datasets.gated_set import bundled_gated_folder, load_gated_set, task_folders
from tests.gated.small import small_task

FOLDERS = task_folders(bundled_gated_folder())
TEMPLATE = bundled_gated_folder().parent / "templates" / "gated"


@pytest.mark.parametrize("folder", [*FOLDERS, TEMPLATE], ids=lambda folder: folder.name)
def test_programs_use_the_standard_library_and_the_checks_only(folder: Path) -> None:
    """C123"""
    allowed = {*sys.stdlib_module_names} - {"socket", "subprocess", "urllib", "http", "ssl"}
    for program in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                ours = program.name == "verify.py" and name == "kwsuite.checking"
                assert ours or name.split(".")[0] in allowed, f"{program}: {name}"


def test_a_verifier_reads_and_writes_no_file() -> None:
    """C123: so it works under a read-only root, and sees nothing of the candidate's but what it is given."""
    for folder in FOLDERS:
        for node in ast.walk(ast.parse((folder / "verify.py").read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = (
                called.id if isinstance(called, ast.Name) else called.attr if isinstance(called, ast.Attribute) else ""
            )
            assert name not in ("open", "read_text", "write_text", "read_bytes", "write_bytes", "Path"), folder.name


@pytest.mark.parametrize("condition", CONDITIONS)
def test_files_placed_in_a_sandbox_have_bare_line_feeds(condition: str) -> None:
    """C124"""
    import base64

    for sample in gated_dataset(load_gated_set(), condition, 3):  # type: ignore[arg-type]
        for name, url in (sample.files or {}).items():
            assert b"\r" not in base64.b64decode(url.split(",", 1)[1]), f"{sample.id}: {name}"


def test_what_a_clone_on_windows_places_is_the_same() -> None:
    """C124"""
    assert "* text=auto eol=lf" in (Path(__file__).parents[2] / ".gitattributes").read_text(encoding="utf-8")


def test_every_program_names_the_encoding_of_what_it_opens() -> None:
    """C125"""
    folders = [str(folder) for folder in FOLDERS]
    order = json.dumps({"seeds": [3], "tell": folders, "prove": folders[:1]})
    flags = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    command = [sys.executable, *flags, "-c", _PROGRAM, str(Path(kwsuite.__file__).parent), order]
    plain = {"PATH": "/usr/bin:/bin", "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False, env=plain)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {folder: told for folder, told in answer["told"].items() if not told.startswith("[")} == {}
    assert answer["proven"] == {folders[0]: []}


def test_what_a_program_prints_is_no_answer(tmp_path: Path) -> None:
    loud = ('    """Write outputs/fees.csv', '    print("]}")\n    """Write outputs/fees.csv')
    assert [str(finding) for finding in gated_findings(small_task(tmp_path, solve_py=loud), (7,))] == []


def test_a_program_that_cannot_be_loaded_is_found_once(tmp_path: Path) -> None:
    task = small_task(tmp_path, verify_py=("def verify(case):", "def verify(case:"))
    (found,) = gated_findings(task, (7,))
    assert f"{task / 'verify.py'}: cannot be loaded" in str(found)


def test_a_generator_that_breaks_is_found_once(tmp_path: Path) -> None:
    task = small_task(tmp_path, generate_py=("    rng.shuffle(rows)\n", "    rng.shuffle(rows); [][1]\n"))
    (found,) = gated_findings(task, (7,))
    assert "breaks with IndexError: list index out of range" in str(found)


def test_a_candidate_is_given_data_canary_and_artefact_and_no_program() -> None:
    """C112"""
    for item, sample in zip(load_gated_set().items, gated_dataset(load_gated_set(), "with", 3), strict=True):
        data = {f"data/{name}" for name in item.instance(3).files}
        assert set(sample.files or {}) == {*data, "CANARY.txt", *(f"specification/{name}" for name in item.templates)}
