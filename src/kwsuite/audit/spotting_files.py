"""Checking documents from the command line."""

import json
import re
from pathlib import Path

from kwsuite.audit.finding import AuditFinding
from kwsuite.audit.spotting import MEASURES, Measure, audit_spotting
from kwsuite.matching.meaning import EmbeddingUnavailable, require_embedding

_TOP_KEY = re.compile(r"^(text|problems)\s*:", re.MULTILINE)


def spotting_file_findings(path: Path, *, complete: bool) -> list[AuditFinding]:
    """Check a document's file, or every one in a folder, by every measure that is installed.

    Args:
        path: A .yaml or .jsonl file, or a folder of them.
        complete: Whether a document must ship reference answers.
    """
    return audit_spotting(path, require_references=complete, measures=_measures())


def looks_like_documents(path: Path) -> bool:
    """Say whether a path is a document's file or a JSONL of annotated spans, or a folder that holds one."""
    kinds = (".yaml", ".yml", ".jsonl")
    files = sorted(file for file in path.iterdir() if file.suffix in kinds) if path.is_dir() else [path]
    return any(_is_document(file) for file in files if file.suffix in kinds)


def _is_document(file: Path) -> bool:
    if not file.is_file():
        return False
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix != ".jsonl":
        return _TOP_KEY.search(text) is not None
    try:
        row = json.loads(text.lstrip("\ufeff").split("\n", 1)[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(row, dict) and {"doc_id", "annotations"} <= row.keys()


def _measures() -> tuple[Measure, ...]:
    try:
        require_embedding()
    except EmbeddingUnavailable:
        return ("lexical",)
    return tuple(MEASURES)
