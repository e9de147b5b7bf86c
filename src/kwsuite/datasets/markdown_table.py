"""Rows of text as a markdown table."""

from collections.abc import Sequence


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Write rows as a markdown table whose first row is the header; short rows are filled up, no rows give "".

    A `|` is escaped and a line break becomes `<br>`, so that a row stays one line.
    """
    if not rows:
        return ""
    width = max(len(row) for row in rows)
    lines = [_line([*row, *[""] * (width - len(row))]) for row in rows]
    return "\n".join([lines[0], "|" + "---|" * width, *lines[1:]])


def _line(row: Sequence[str]) -> str:
    cells = (cell.replace("|", "\\|").replace("\r\n", "\n").replace("\r", "\n").strip("\n") for cell in row)
    return "| " + " | ".join(cell.replace("\n", "<br>") for cell in cells) + " |"
