"""All of these tests once more as an ordinary user, when they are run by root."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from kwsuite.sandbox.bubblewrap import find_bubblewrap
from kwsuite.sandbox.errors import CannotSandbox
from tests.sandbox.ending import assert_nothing_left

UID = 54321
HERE = Path(__file__).parent
FILES = ("test_conformance.py", "test_escapes.py", "test_exhaustion.py", "test_lifecycle.py")


pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="this run is an ordinary user's already")


@pytest.fixture
def home(open_directory: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the user's own, and a bubblewrap on PATH: the virtual environment may lie where they cannot go."""
    try:
        bubblewrap = find_bubblewrap()
    except CannotSandbox as error:
        pytest.fail(f"nothing here was tested: {error}", pytrace=False)
    (open_directory / "bin").mkdir(mode=0o755)
    shutil.copy(bubblewrap.path, open_directory / "bin" / "bwrap")
    (open_directory / "home").mkdir()
    os.chown(open_directory / "home", UID, UID)
    monkeypatch.setenv("HOME", str(open_directory / "home"))
    monkeypatch.setenv("USER", "ordinary")
    monkeypatch.setenv("PATH", f"{open_directory / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setenv("KWSUITE_TESTS_AS_USER", "1")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    return open_directory / "home"


@pytest.mark.parametrize("file", FILES)
def test_an_ordinary_user_gets_the_same(file: str, home: Path) -> None:
    arguments = [HERE / "as_user.py", UID, HERE / file, "--basetemp", home / "tests", "-p", "no:cacheprovider", "-rs"]
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupt", "kill -9"])
def test_nothing_is_left_of_an_ordinary_users_evaluation(
    home: Path, open_directory: Path, number: signal.Signals
) -> None:
    assert_nothing_left(open_directory, number, [str(HERE / "as_user.py"), str(UID), "--program"])
