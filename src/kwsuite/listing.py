"""The table of tasks that ship, made from their signatures and docstrings."""

import inspect
import re
from collections.abc import Callable
from typing import Any, Literal, get_args, get_origin

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

import kwsuite


def print_tasks(console: Console | None = None) -> None:
    """Print each task with its summary, its arguments (choices and default) and its model roles."""
    out = console or Console()
    for name in kwsuite.__all__:
        task = getattr(kwsuite, name)
        doc = inspect.getdoc(task) or ""
        out.print(f"[bold]kwsuite/{name}[/bold]")
        out.print(Padding(" ".join(doc.split("\n\n")[0].split()), (0, 0, 0, 2)))
        out.print(Padding(_arguments(task, doc), (0, 0, 1, 2)))


def _arguments(task: Callable[..., Any], doc: str) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, parameter in inspect.signature(task).parameters.items():
        if parameter.kind != parameter.VAR_KEYWORD:
            default = "null" if parameter.default is None else parameter.default  # Inspect reads None as a text
            table.add_row(f"-T {name}={default}", escape(_described(doc, name, parameter.annotation)))
    for role, text in _section(doc, "Model roles"):
        table.add_row(f"--model-role {role}=", escape(text))
    return table


def _described(doc: str, name: str, annotation: Any) -> str:
    text = dict(_section(doc, "Args")).get(name, "")
    choices = [str(choice) for choice in get_args(annotation)] if get_origin(annotation) is Literal else []
    unnamed = [choice for choice in choices if choice not in text]
    return f"{text} Choices: {', '.join(choices)}." if unnamed else text


def _section(doc: str, title: str) -> list[tuple[str, str]]:
    """Give the entries of a Google-style section as (name, text)."""
    body = re.search(rf"^{title}:\n((?: {{4}}.*\n?|\n)*)", doc, re.MULTILINE)
    if body is None:
        return []
    entries = re.findall(r"^ {4}(\w+): ((?:.*)(?:\n {8}.*)*)", body[1], re.MULTILINE)
    return [(name, " ".join(text.split())) for name, text in entries]
