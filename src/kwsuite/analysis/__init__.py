"""Inspect logs to frames, estimates, figures and a report.

`read_frames` reads a folder of logs, `find` works out everything a report says, `compare` sets two folders against each
other. All of them know logs and verdicts only, so they work on logs of other people's tasks as well.
"""

from kwsuite.analysis.compare import Comparison, compare
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
