"""Inspect logs to frames, estimates, figures and a report.

`read_frames` reads a folder of logs, `find` works out everything a report says, `compare` sets two folders against each
other. All of them know logs and verdicts only, so they work on logs of other people's tasks as well.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from kwsuite.analysis.comparing import Comparison, compare
    from kwsuite.analysis.details import read_trajectories
    from kwsuite.analysis.findings import Findings, find
    from kwsuite.analysis.frames import Frames, read_frames
    from kwsuite.analysis.intervals import Estimate, bootstrap, mean, rate, wilson
    from kwsuite.analysis.logs import LogSet, NoLogsError, find_logs
    from kwsuite.analysis.paired import Difference, difference, holm, mcnemar, minimal_detectable_difference

__all__ = [
    "Comparison",
    "Difference",
    "Estimate",
    "Findings",
    "Frames",
    "LogSet",
    "NoLogsError",
    "bootstrap",
    "compare",
    "difference",
    "find",
    "find_logs",
    "holm",
    "mcnemar",
    "mean",
    "minimal_detectable_difference",
    "rate",
    "read_frames",
    "read_trajectories",
    "wilson",
]

_HOMES = {
    "comparing": ("Comparison", "compare"),
    "details": ("read_trajectories",),
    "findings": ("Findings", "find"),
    "frames": ("Frames", "read_frames"),
    "intervals": ("Estimate", "bootstrap", "mean", "rate", "wilson"),
    "logs": ("LogSet", "NoLogsError", "find_logs"),
    "paired": ("Difference", "difference", "holm", "mcnemar", "minimal_detectable_difference"),
}


def __getattr__(name: str) -> Any:
    # The commands live in this package, and a console script must not load pandas to print its help.
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"kwsuite.analysis.{home}"), name)
    raise AttributeError(f"module 'kwsuite.analysis' has no attribute {name!r}")
