"""Workbooks as text."""

import datetime
import io
import zipfile

import openpyxl
import pytest
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.worksheet.formula import ArrayFormula

from kwsuite.datasets import workbook
from kwsuite.datasets.file_fault import FileFault
from kwsuite.datasets.workbook import workbook_text


def saved(book: openpyxl.Workbook) -> bytes:
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def with_cells(cells: dict[str, object]) -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    for place, value in cells.items():
        book.active[place] = value
    return book


def with_saved_value(data: bytes, before: str, after: str) -> bytes:
    """The same workbook as a spreadsheet program saves it: openpyxl writes no values beside formulas."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            part = old.read(name)
            for empty in (b"<v></v>", b"<v />"):  # as lxml and as the standard library write it
                part = part.replace(empty, b"<v/>")
            if name == "xl/worksheets/sheet1.xml":
                assert before.encode() in part
                part = part.replace(before.encode(), after.encode())
            new.writestr(name, part)
    return buffer.getvalue()


SUM = saved(with_cells({"A1": 2, "A2": 3, "A3": "=A1+A2"}))


def test_a_formula_without_a_saved_value_says_so() -> None:
    """C42."""
    assert workbook_text(SUM) == (
        "## Sheet Sheet\n\n|  | A |\n|---|---|\n| 1 | 2 |\n| 2 | 3 |\n| 3 | =A1+A2 [no cached value] |"
    )


def test_a_formula_is_shown_with_its_saved_value() -> None:
    """C42."""
    data = with_saved_value(SUM, "<f>A1+A2</f><v/>", "<f>A1+A2</f><v>5</v>")
    assert "| 3 | =A1+A2 [value: 5] |" in workbook_text(data)


def test_a_saved_empty_text_is_a_value() -> None:
    """C42."""
    data = with_saved_value(SUM, '<c r="A3"><f>A1+A2</f><v/>', '<c r="A3" t="str"><f>A1+A2</f><v></v>')
    assert "=A1+A2 [value: empty text]" in workbook_text(data)


def test_a_saved_error_is_a_value() -> None:
    """C42."""
    data = with_saved_value(SUM, '<c r="A3"><f>A1+A2</f><v/>', '<c r="A3" t="e"><f>A1+A2</f><v>#REF!</v>')
    assert "=A1+A2 [value: #REF!]" in workbook_text(data)


def test_an_array_formula_is_shown() -> None:
    """C42."""
    text = workbook_text(saved(with_cells({"A1": 1, "B1": ArrayFormula("B1:B2", "=A1:A2*2")})))
    assert "=A1:A2*2 [no cached value]" in text


def test_a_shared_formula_is_shown_in_each_cell() -> None:
    """C42: spreadsheet programs store a filled-down formula once."""
    data = saved(with_cells({"A1": 1, "A2": 2, "B1": "=A1*2", "B2": "=A2*2"}))
    data = with_saved_value(data, "<f>A1*2</f>", '<f t="shared" ref="B1:B2" si="0">A1*2</f>')
    data = with_saved_value(data, "<f>A2*2</f>", '<f t="shared" si="0"/>')
    assert "=A2*2" in workbook_text(data)


@pytest.mark.parametrize(
    ("value", "layout", "shown"),
    [
        (0.1 + 0.2, "General", "0.3"),
        (0.25, "0%", "25%"),
        (12345678, "#,##0", "12345678"),
        (True, "General", "TRUE"),
        (datetime.datetime.fromisoformat("2024-01-02"), "yyyy-mm-dd", "2024-01-02"),
        (datetime.datetime.fromisoformat("2024-01-02T09:30"), "yyyy-mm-dd hh:mm", "2024-01-02 09:30:00"),
        (datetime.time(9, 30), "hh:mm", "09:30:00"),
        ("007", "General", "007"),
        ("a|b\nc", "General", "a\\|b<br>c"),
    ],
)
def test_a_value_is_shown_as_a_reader_of_the_sheet_knows_it(value: object, layout: str, shown: str) -> None:
    book = with_cells({"A1": value})
    book.active["A1"].number_format = layout
    assert workbook_text(saved(book)).splitlines()[-1] == f"| 1 | {shown} |"


def test_every_sheet_is_named_also_empty_and_hidden_ones_and_charts() -> None:
    """C42."""
    book = with_cells({"A1": 1})
    book.create_sheet("Empty")
    book.create_sheet("Secret").sheet_state = "hidden"
    for holder in (book.active, book.create_chartsheet("Chart")):
        chart = BarChart()
        chart.add_data(Reference(book.active, min_col=1, min_row=1, max_row=1))
        holder.add_chart(chart)
    text = workbook_text(saved(book))
    assert "[1 chart not shown]\n\n## Sheet Empty\n\n[no content]\n\n## Sheet Secret (hidden)" in text
    assert text.endswith("## Sheet Chart\n\n[a chart without cells]")


def test_a_note_on_a_cell_is_shown_also_where_the_cell_is_empty() -> None:
    book = with_cells({"A1": 1})
    book.active["C9"].comment = Comment("check with legal", "Ann")
    assert workbook_text(saved(book)).endswith("[note at C9 by Ann: check with legal]")


def test_rows_and_columns_without_content_are_left_out_and_their_numbers_show_it() -> None:
    text = workbook_text(saved(with_cells({"A1": "near", "XFD1048576": "far"})))
    assert text.splitlines()[2:] == [
        "|  | A | XFD |",
        "|---|---|---|",
        "| 1 | near |  |",
        "| 1048576 |  | far |",
    ]


def test_a_table_that_would_draw_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """A diagonal of few cells spans a table of many."""
    monkeypatch.setattr(workbook, "MAX_CELLS", 8)
    with pytest.raises(FileFault) as caught:
        workbook_text(saved(with_cells({"A1": 1, "B2": 2, "C3": 3})))
    assert str(caught.value) == "the tables have 9 cells or more, over the limit of 8. Split the file."


def test_an_archive_that_is_no_workbook_is_refused() -> None:
    """C50."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("hello.txt", "hello")
    with pytest.raises(FileFault, match="cannot be read as a workbook, it may be damaged"):
        workbook_text(buffer.getvalue())
