"""A workbook as text, formulas and values side by side."""

import io
import warnings
from collections.abc import Iterator
from datetime import datetime, time
from typing import Any

from kwsuite.datasets.archive import check_archive
from kwsuite.datasets.extras import import_extra
from kwsuite.datasets.file_fault import FileFault, parsing
from kwsuite.datasets.markdown_table import markdown_table

MAX_CELLS = 500_000
"""Most cells that the drawn tables of a workbook may have."""


def workbook_text(data: bytes) -> str:
    """Give every sheet as a markdown table with the sheet's own row numbers and column letters.

    A formula is shown with the value that was saved beside it, or with "no cached value"; rows and columns without
    content are left out, which their numbers show. Notes on cells, charts, pictures and hidden sheets are named.

    Args:
        data: The bytes of an .xlsx or .xlsm file.

    Raises:
        FileFault: The file is unsafe (see `check_archive`), damaged or larger than `MAX_CELLS`.
        DataError: openpyxl is not installed.
    """
    openpyxl = import_extra("openpyxl", "docs", "reading .xlsx files")
    letter = import_extra("openpyxl.utils", "docs", "reading .xlsx files").get_column_letter
    check_archive(data)
    with parsing("a workbook"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of what it would not save again; nothing is saved here
        # Twice, because openpyxl gives either the formula or the value that was saved beside it. Not calamine: a
        # 5 KB sheet whose one far cell makes it ask for 500 GB ends the whole process.
        formulas = openpyxl.load_workbook(io.BytesIO(data))
        values = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    drawn = 0
    parts: list[str] = []
    for name in formulas.sheetnames:
        sheet = formulas[name]
        hidden = "" if sheet.sheet_state == "visible" else " (hidden)"
        if sheet in formulas.chartsheets:
            parts.append(f"## Sheet {name}{hidden}\n\n[a chart without cells]")
            continue
        shown = _shown(sheet, values[name])
        rows = sorted({row for row, _ in shown})
        columns = sorted({column for _, column in shown})
        drawn += len(rows) * len(columns)
        if drawn > MAX_CELLS:
            raise FileFault(
                f"the tables have {drawn:,} cells or more, over the limit of {MAX_CELLS:,}. Split the file."
            )
        table = [["", *(letter(column) for column in columns)]]
        table += [[str(row), *(shown.get((row, column), "") for column in columns)] for row in rows]
        body = markdown_table(table) if shown else "[no content]"
        parts.append("\n\n".join([f"## Sheet {name}{hidden}", body, *_extras(sheet)]))
    return "\n\n".join(parts)


def _shown(sheet: Any, values: Any) -> dict[tuple[int, int], str]:
    # openpyxl's only view of the cells that exist; its public ones create every cell up to the farthest.
    cells, cached = sheet._cells, values._cells
    shown = {place: _cell(cell, cached[place]) for place, cell in cells.items()}
    return {place: text for place, text in shown.items() if text}


def _cell(cell: Any, cached: Any) -> str:
    if cell.data_type != "f":
        return _value(cell)
    formula = getattr(cell.value, "text", cell.value)
    if not isinstance(formula, str):
        formula = f"=TABLE({cell.value.r1 or ''},{cell.value.r2 or ''})"
    if cached.value is None:
        # A formula whose saved value is the empty text keeps its type; one that was never computed has none.
        return f"{formula} [{'value: empty text' if cached.data_type == 'str' else 'no cached value'}]"
    return f"{formula} [value: {_value(cached)}]"


def _value(cell: Any) -> str:
    match cell.value:
        case None:
            return ""
        case bool() as truth:
            return "TRUE" if truth else "FALSE"
        case int() | float() as number:
            return _number(number, cell.number_format)
        case datetime() as moment:
            return moment.date().isoformat() if moment.time() == time() else moment.isoformat(sep=" ")
        case other:  # text, an error value, a date, a time or a span of time
            return str(other)


def _number(number: int | float, layout: str) -> str:
    # A reader of the sheet sees 25% where 0.25 is stored; and a spreadsheet shows 15 digits.
    if "%" in layout:
        return f"{number * 100:.15g}%"
    return str(number) if isinstance(number, int) else f"{number:.15g}"


def _extras(sheet: Any) -> Iterator[str]:
    for cell in (sheet._cells[place] for place in sorted(sheet._cells)):
        if cell.comment:
            yield f"[note at {cell.coordinate} by {cell.comment.author}: {cell.comment.text}]"
    for what, found in (("chart", sheet._charts), ("picture", sheet._images)):
        if found:
            yield f"[{len(found)} {what}{'s' if len(found) > 1 else ''} not shown]"
