"""From settings to a plan of the sandbox on this machine."""

import os
import platform
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
            "settings": self.config.model_dump(),
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
    for inside, outside in config.read_only.items():
        if not Path(outside).exists():
            raise CannotSandbox(f"read_only: {outside}, to be shown at {inside}, does not exist. Correct the path.")
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
    return Plan(config, bubblewrap, interpreter, view, limits, places, program)


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
