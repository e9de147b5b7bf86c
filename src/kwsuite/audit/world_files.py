"""Checking scenario files: each is loaded, and what loads is proved."""

import re
from pathlib import Path

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.kwbench import schema_findings
from kwsuite.audit.worlds import world_findings
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.world_set import world_files
from kwsuite.datasets.worlds import load_scenario

_TOP_KEY = re.compile(r"^(user_prompt|world|evaluation_rubric)\s*:", re.MULTILINE)


def world_file_findings(path: Path) -> list[AuditFinding]:
    """Check a scenario's file, or every one in a folder.

    Returns:
        All faults, file by file; a file that does not load has its faults of format, or the first of compiling.
    """
    try:
        files = world_files(path)
    except DataError as error:
        return schema_findings(error, "")
    findings: list[AuditFinding] = []
    for file in files:
        try:
            findings += world_findings(load_scenario(file))
        except DataError as error:
            findings += schema_findings(error, file.stem)
    return findings


def looks_like_worlds(path: Path) -> bool:
    """Say whether a path is a scenario's file, or a folder that holds one."""
    files = [path] if path.suffix == ".yaml" else sorted(path.glob("*.yaml")) if path.is_dir() else []
    return any(_TOP_KEY.search(file.read_text(encoding="utf-8", errors="replace")) for file in files if file.is_file())
