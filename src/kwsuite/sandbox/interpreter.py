"""The Python that runs the supervisor inside."""

import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

from kwsuite.sandbox.errors import CannotSandbox

SHOWN_AT = "/opt/python"
"""Where the evaluating Python's installation appears when the system has none of its own."""

_SYSTEM = ("/usr/bin/python3", "/usr/local/bin/python3", "/usr/libexec/platform-python")
_PROBE = "import sys, ctypes, json, select, socket; sys.exit(sys.version_info < (3, 8))"


@dataclass(frozen=True)
class Interpreter:
    """A Python as the sandbox sees it."""

    executable: str
    """Path inside."""

    installation: Path | None
    """Directory of the host to show at `SHOWN_AT`; None when the system directories hold it already."""

    libraries: str | None
    """Directory inside where its shared library is looked for; None when none is needed."""


def find_interpreter(system: tuple[str, ...] = _SYSTEM) -> Interpreter:
    """Choose the system's Python, or the one that runs this process.

    Args:
        system: Paths under /usr to try, in order.

    Raises:
        CannotSandbox: The installation of the running Python cannot be told.
    """
    for candidate in system:
        if Path(candidate).exists() and _serves(candidate):
            return Interpreter(candidate, None, None)
    installation = Path(sys.base_prefix).resolve()
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    if not (installation / "bin" / name).exists() or installation in (Path("/"), Path("/usr")):
        raise CannotSandbox(
            f"no Python 3.8 or newer for the sandbox: none of {', '.join(system)} serves and {installation} is no "
            "installation that can be shown. Install your distribution's python3."
        )
    shared = any((installation / "lib").glob("libpython*.so*"))
    return Interpreter(f"{SHOWN_AT}/bin/{name}", installation, f"{SHOWN_AT}/lib" if shared else None)


def package_directories() -> list[Path]:
    """The directories where the evaluating Python keeps installed packages; task answers may lie in them."""
    found = {Path(sysconfig.get_path(kind)) for kind in ("purelib", "platlib")}
    found |= {Path(entry) for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))}
    base = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    found.add(Path(sys.base_prefix) / base)
    return sorted(path.resolve() for path in found if path.is_dir())


def _serves(executable: str) -> bool:
    try:
        done = subprocess.run([executable, "-I", "-S", "-c", _PROBE], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0
