"""The settings of a `bwrap` sandbox."""

from pathlib import Path, PurePosixPath
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.strict_yaml import load_model, read_yaml

CONFIG_FILE = "bwrap.yaml"
"""Name that Inspect looks for beside a task."""

RESERVED_MB = 192
"""Memory that files can never take: 64 MiB are /dev/shm, the rest keeps the sandbox answering."""

HOME = "/home/agent"
"""Home and working directory inside."""


class Shown(BaseModel):
    """A file or directory of the host that a sandbox sees, read-only."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str
    """Absolute path on the host."""

    inside: str
    """Absolute path inside; not in /proc, /dev or /run."""

    @field_validator("host", "inside")
    @classmethod
    def _absolute(cls, value: str) -> str:
        if not PurePosixPath(value).is_absolute() or ".." in PurePosixPath(value).parts:
            raise ValueError(f"{value!r} is not an absolute path without '..'. Write it out in full")
        return value

    @field_validator("inside")
    @classmethod
    def _apart(cls, value: str) -> str:
        parts = PurePosixPath(value).parts
        if len(parts) < 2 or parts[1] in ("proc", "dev", "run"):
            raise ValueError(f"{value!r} cannot be replaced inside the sandbox. Choose another place, like /opt/x")
        return value


class BwrapConfig(BaseModel):
    """What a sandbox may use, and whether it may start where that cannot be enforced.

    Give it as `SandboxEnvironmentSpec("bwrap", BwrapConfig(...))`, or as a YAML file: `--sandbox bwrap:limits.yaml`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    memory_mb: int = Field(default=4096, ge=64)
    """Memory of all processes and of all files together, in MiB."""

    processes: int = Field(default=256, ge=8)
    """Processes and threads alive at once."""

    disk_mb: int = Field(default=1024, ge=1)
    """Space in each of the home directory, /tmp and /var/tmp, in MiB. These live in memory and count there too."""

    file_mb: int = Field(default=1024, ge=1)
    """Largest single file, in MiB."""

    wall_seconds: int = Field(default=3600, ge=1)
    """Longest life of one command, in seconds; a shorter timeout of the caller wins."""

    allow_weak_limits: bool = False
    """Start although this machine cannot enforce every limit. Each sample's log then lists those that do not hold."""

    read_only: tuple[Shown, ...] = ()
    """More of the host to show. Empty shows the system directories only."""

    @model_validator(mode="after")
    def _files_leave_memory(self) -> Self:
        needed = 3 * self.disk_mb + RESERVED_MB
        if self.memory_mb < needed:
            raise ValueError(
                f"memory_mb is {self.memory_mb}, and full disks would leave nothing of it: with disk_mb {self.disk_mb} "
                f"it has to be at least {needed}"
            )
        return self


def read_config(config: BaseModel | str | None) -> BwrapConfig:
    """Give the settings from what Inspect was given: nothing, a file, or the model itself.

    Raises:
        DataError: The file cannot be read as settings, or the model is another provider's.
    """
    match config:
        case None:
            return BwrapConfig()
        case BwrapConfig():
            return config
        case str():
            document = read_yaml(Path(config))
            return load_model(BwrapConfig, document, "bwrap sandbox")
        case _:
            raise DataError(
                f"the bwrap sandbox was given a {type(config).__name__}. Give a kwsuite.sandbox.config.BwrapConfig or "
                "the path of a YAML file with its fields."
            )
