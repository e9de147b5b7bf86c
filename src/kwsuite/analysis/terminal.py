"""The findings in a terminal."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import pandas as pd
from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from kwsuite.analysis.comparing import Comparison
from kwsuite.analysis.findings import Findings
from kwsuite.analysis.logs import Progress as Told
from kwsuite.analysis.rows import rows
from kwsuite.analysis.story import takeaways
from kwsuite.analysis.wording import change as change_of
from kwsuite.analysis.wording import (
    change_span,
    counted,
    level_of,
    money,
    number,
    percent,
    probability,
    span_of,
)

WIDTH = 24
"""Characters of an interval picture."""
NAME = 24
"""Characters that a candidate's name gets before another column is left out for it."""
WIDE = 116
"""Characters of a terminal that has room for it."""


def summary(findings: Sequence[Findings], left_out: pd.DataFrame, width: int = 80) -> Group:
    """Give a short account of a report: a table, the main sentences and the cautions of each benchmark.

    Args:
        findings: One a benchmark.
        left_out: Logs that do not count.
        width: Of the terminal, in characters; wide ones get pictures of the intervals.

    Returns:
        Something rich can print. What logs say is never read as markup.
    """
    parts: list[RenderableType] = []
    for own in findings:
        parts += [Text(""), Text(own.benchmark, style="bold"), _table(own, width)]
        parts += [Padding(Text(f"• {sentence}"), (0, 0, 0, 1)) for sentence in takeaways(own)]
        for caution in own.cautions:
            style = "yellow" if caution.level == "warning" else "dim"
            sign = "!" if caution.level == "warning" else "i"
            parts.append(Padding(Text.assemble((f"{sign} {caution.title}: ", style), caution.text), (0, 0, 0, 1)))
    if len(left_out):
        reasons = ", ".join(f"{count} {reason}" for reason, count in left_out["reason"].value_counts().items())
        parts.append(Text(f"Left out: {reasons}.", style="dim"))
    return Group(*parts)


def comparison_summary(found: Sequence[Comparison], margin: float, level: float) -> Group:
    """Give comparisons with their verdicts, what was left out of the pairing, and what so many items can show.

    Args:
        found: At least one comparison.
        margin: As it was given.
        level: As it was given.

    Returns:
        Something rich can print.
    """
    parts: list[RenderableType] = []
    for own in found:
        shares, change = own.metric != "mean score", own.difference
        head = Text.assemble((own.benchmark, "bold"), f", {own.metric}: ", (own.verdict, _STYLES[own.verdict]))
        grid = Table.grid(padding=(0, 2))
        for side, name, alone in (("A", own.first, own.a), ("B", own.second, own.b)):
            items = counted(alone.n, "item")
            said = f"{percent(alone.value)} of {items}" if shares else f"mean {number(alone.value)} over {items}"
            grid.add_row(side, escape(name), f"{said} ({span_of(alone.low, alone.high, shares)})")
        grid.add_row(
            "B − A",
            change_of(change.value, shares),
            f"{change_span(change.low, change.high, shares)}, {probability(own.p_holm, 'p = ')} after Holm",
        )
        dropped = [
            f"{counted(count, noun)} {what}"
            for count, noun, what in (
                (own.unmatched, "item", "on one side only"),
                (own.unscored, "pair", "without both scores"),
                (own.changed, "item", "whose rubric or rules changed"),
            )
            if count
        ]
        notes = [
            f"{counted(change.n, 'pair')}: {change.gained} up, {change.lost} down",
            "all change alike, which leaves open what so many show"
            if math.isnan(change.detectable)
            else f"so many show differences from {change_of(change.detectable, shares).lstrip('+')} with 80% power",
            *([f"left out: {', '.join(dropped)}"] if dropped else []),
        ]
        parts += [head, Padding(grid, (0, 0, 0, 2)), *_not_alike(own)]
        parts.append(Padding(Text("; ".join(notes), style="dim"), (0, 0, 1, 2)))
    return Group(*parts, Text(f"{100 * level:.0f}% intervals, margin {100 * margin:g} points", style="dim"))


def _not_alike(own: Comparison) -> Iterator[RenderableType]:
    if own.unlike:
        told = "; ".join(f"{part.what} (A: {part.a}, B: {part.b})" for part in own.unlike)
        text = Text.assemble(("! Not measured alike: ", "yellow"), f"{told}. The change may come from that.")
        yield Padding(text, (0, 0, 0, 2))


_STYLES = {"better": "green", "worse": "red", "equivalent": "blue", "inconclusive": "yellow"}


@contextmanager
def reading(console: Console) -> Iterator[Told]:
    """Show progress bars while logs are read; nothing where the console is no terminal, and nothing is left behind."""
    columns = (TextColumn("reading {task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bars = {}

        def told(what: str, done: int, total: int) -> None:
            if what not in bars:
                bars[what] = progress.add_task(what, total=total)
            progress.update(bars[what], completed=done, total=total)

        yield told


def _table(findings: Findings, width: int) -> Table:
    columns = _fitting(_columns(findings, width), width)
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(
            column.head,
            justify="left" if column.left else "right",
            style="bold" if column.main else "",
            overflow="fold",
            no_wrap=column.head != "candidate",
        )
    for cells in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*cells)
    return table


class _Column(NamedTuple):
    head: str
    cells: list[Text]
    rank: int
    """The column with the highest goes first where all do not fit; those of 0 stay."""
    main: bool = False
    left: bool = False
    """Whether it is set flush left."""

    @property
    def width(self) -> int:
        return max(cell_len(line) for text in (self.head, *map(str, self.cells)) for line in text.split("\n"))


def _columns(findings: Findings, width: int) -> list[_Column]:
    rates = findings.metric == "rate"
    wide = rates and width >= WIDE
    table = list(rows(findings.headline))
    levels = [
        (row.rate, row.rate_low, row.rate_high) if rates else (row.score, row.score_low, row.score_high)
        for row in table
    ]
    names = [
        Text.assemble(str(row.candidate), (" (reference)" if row.reference and wide else "", "dim")) for row in table
    ]
    columns = [
        _Column("", [Text(str(place)) for place in range(1, len(table) + 1)], 0),
        _Column("candidate", names, 0, left=True),
        _Column("passes" if rates else "score", [Text(level_of(own[0], rates)) for own in levels], 0, main=True),
        _Column(
            f"{100 * findings.level:.0f}% interval", [Text(span_of(low, high, rates)) for _, low, high in levels], 0
        ),
    ]
    if wide:
        columns.append(_Column(f"0{'100%':>{WIDTH - 1}}", [_picture(*own) for own in levels], 5, left=True))
    columns.append(
        _Column("items", [Text(f"{row.items}" + (f"×{row.repeats}" if row.repeats > 1 else "")) for row in table], 1)
    )
    if rates:
        unlike = any(row.planned != row.scored for row in table)
        columns.append(_Column("over\nall", [Text(percent(row.rate_all)) for row in table], 2 if unlike else 4))
    if findings.headline["neighbours"].sum() > 0:
        alarms = [
            Text.assemble(
                f"{percent(row.alarm, 0)} of {row.neighbours}\n", (f"{percent(row.neighbour_rate, 0)} pass", "dim")
            )
            for row in table
        ]
        columns.append(_Column("false\nalarms", alarms, 2))
    free = findings.headline["cost"].isna().all()
    spent = [
        Text(money(row.cost) if not math.isnan(row.cost) else number(row.tokens) + ("" if free else " tokens"))
        for row in table
    ]
    columns.append(_Column("tokens\na sample" if free else "cost\na sample", spent, 3))
    return columns


def _fitting(columns: list[_Column], width: int) -> list[_Column]:
    """Leave out columns until the candidates' names have room; a cut column would say less than none."""

    def needed() -> int:
        own = [min(column.width, NAME) if column.head == "candidate" else column.width for column in kept]
        return sum(own) + 2 * (len(own) - 1)

    kept = list(columns)
    while needed() > width and any(column.rank for column in kept):
        kept.remove(max(kept, key=lambda column: column.rank))
    return kept


def _picture(value: float, low: float, high: float) -> Text:
    if math.isnan(value):
        return Text("")

    def place(number: float) -> int:
        return min(WIDTH - 1, max(0, round(number * (WIDTH - 1))))

    text = Text("·" * place(low if not math.isnan(low) else value), style="dim")
    if math.isnan(low):
        text.append("●", style="not dim blue")
    else:
        text.append("━" * (place(value) - place(low)) + "●" + "━" * (place(high) - place(value)), style="not dim blue")
    return text.append("·" * (WIDTH - len(text)))
