"""Findings as files for other programs."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import pandas as pd

from kwsuite.analysis.findings import Findings, all_tables
from kwsuite.analysis.frames import Frames

Format = Literal["csv", "json", "parquet"]


def write_tables(findings: Sequence[Findings], frames: Frames, target: Path, form: Format) -> list[Path]:
    """Write the tables of a report.

    Args:
        findings: One a benchmark.
        frames: For the logs left out.
        target: A file for json (one object of lists of rows, NaN as null), a folder for csv and parquet (one file a
            table; lists and maps inside cells are JSON text). The folder is made.
        form: Which.

    Returns:
        The files written, in order. Empty tables are written too, so that a reader finds every name.
    """
    tables = all_tables(findings, frames)
    if form == "json":
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(_rows(tables), ensure_ascii=False, indent=1, default=str) + "\n", encoding="utf-8")
        return [target]
    target.mkdir(parents=True, exist_ok=True)
    written = []
    for name, table in tables.items():
        path = target / f"{name}.{form}"
        flat = table.map(lambda cell: json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell)
        if form == "csv":
            flat.to_csv(path, index=False, encoding="utf-8", lineterminator="\n")
        else:
            flat.to_parquet(path, index=False)
        written.append(path)
    return written


def _rows(tables: Mapping[str, pd.DataFrame]) -> dict[str, list[dict[str, object]]]:
    found = {}
    for name, table in tables.items():
        # Only objects can hold None, and JSON has no NaN.
        plain = table.astype(object)
        whole = plain.where(plain.map(lambda cell: isinstance(cell, list | dict)) | plain.notna(), None)
        found[name] = json.loads(whole.to_json(orient="records", force_ascii=False))
    return found
