"""From settings to a plan of the sandbox on this machine."""

import os
import platform
import stat
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from pydantic import JsonValue

import kwsuite
from kwsuite.sandbox.bubblewrap import Bubblewrap, find_bubblewrap
from kwsuite.sandbox.cgroup import CgroupPlaces, find_own_places
from kwsuite.sandbox.config import BwrapConfig
from kwsuite.sandbox.errors import CannotSandbox
from kwsuite.sandbox.interpreter import Interpreter, find_interpreter, package_directories
from kwsuite.sandbox.limits import Limits, Machine, kernel_version, plan_limits, refusal
from kwsuite.sandbox.seccomp import build_filter
from kwsuite.sandbox.view import View, plan_view


@dataclass(frozen=True)
class Plan:
    """All that a sandbox is started from."""

    config: BwrapConfig
    bubblewrap: Bubblewrap
    interpreter: Interpreter
    view: View
    limits: Limits
    places: CgroupPlaces | None
    filter: bytes | None

    def record(self) -> dict[str, JsonValue]:
        """What a log should say of it: settings, and each limit that does not hold."""
        return {
            "settings": self.config.model_dump(mode="json"),
            "bubblewrap": ".".join(str(part) for part in self.bubblewrap.version),
            "cgroup": self.places.version if self.places else None,
            "limits_not_enforced": {weakness.limit: weakness.missing for weakness in self.limits.weak},
        }


def plan_sandbox(config: BwrapConfig) -> Plan:
    """Plan a sandbox, without starting anything that stays.

    Raises:
        CannotSandbox: Bubblewrap or a Python is missing, something to show does not exist, or a limit cannot be
            enforced here and `allow_weak_limits` is not set.
    """
    bubblewrap = find_bubblewrap()
    places = find_own_places()
    program = build_filter(platform.machine())
    machine = Machine(
        cgroup=places is not None,
        kernel=kernel_version(platform.release()),
        own_identity=os.geteuid() == 0,
        filtered=program is not None,
    )
    limits = plan_limits(config, machine)
    if limits.weak and not config.allow_weak_limits:
        raise CannotSandbox(refusal(limits.weak))
    interpreter = _interpreter()
    view = plan_view(config, interpreter, hidden_directories())
    _check_shown(view)
    return Plan(config, bubblewrap, interpreter, view, limits, places, program)


def _check_shown(view: View) -> None:
    for host, inside in view.shown:
        if not host.exists():
            raise CannotSandbox(f"{host}, to be shown at {inside}, does not exist. Correct the path.")
        if os.geteuid() == 0:
            closed = next((path for path in (host, *host.parents) if not _open_to_others(path)), None)
            if closed is not None:
                raise CannotSandbox(
                    f"{host}, to be shown at {inside}, cannot be reached: {closed} is closed to other users, and a "
                    f"sandbox that root starts runs as one. Move it, or open the way: `chmod o+rx {closed}`."
                )


def _open_to_others(path: Path) -> bool:
    needed = stat.S_IROTH | stat.S_IXOTH if path.is_dir() else stat.S_IROTH
    return path.stat().st_mode & needed == needed


def hidden_directories() -> list[Path]:
    """Directories of the host that no sandbox may see: homes, the project, sources, installed packages."""
    found = {Path.home(), Path.cwd(), Path("/usr/src"), Path("/usr/local/src"), Path(sys.prefix)}
    found |= {Path(kwsuite.__file__).parents[1], *package_directories()}
    # A system Python's own installation is not a project.
    found -= {Path(sys.base_prefix)}
    return sorted({path.resolve() for path in found})


@lru_cache(maxsize=1)
def _interpreter() -> Interpreter:
    return find_interpreter()
