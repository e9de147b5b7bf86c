"""YAML text to a tree of nodes, refusing while composing whatever could multiply, run or hide."""

import re
from collections.abc import Callable
from typing import Any

import yaml

from kwsuite.datasets.document import Mark

MAX_DEPTH = 60
"""Deepest nesting the reader follows."""

# YAML 1.1 takes U+0085, U+2028 and U+2029 for line breaks and YAML 1.2 does not: the same file would mean two things.
_REFUSED_CHARACTER = re.compile("[^\t\n\r\u0020-\u007e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_ADVICE = (
    ("found character '\\t'", "Use spaces instead of the tab."),
    ("cannot start any token", "Quote the text: it starts with a character that YAML keeps for itself."),
    ("mapping values are not allowed", "Quote the text if it holds ': ', or correct the indentation."),
    ("expected alphabetic or numeric character", "Quote the text if it starts with * or &."),
    ("expected <block end>", "Correct the indentation, or quote the text if it starts with a quote or bracket."),
    ("could not find expected ':'", "Add ': ' after the key, or indent the text that goes on from the line above."),
    ("unexpected end of stream", "Close the quote."),
    ("another document", "One document a file: delete the '---' line or split the file."),
    ("expected ',' or", "Close the bracket, or quote the text inside it."),
)


class NodeFault(Exception):
    """A fault in the text of a YAML file; the message says what is wrong and what to do."""

    def __init__(self, mark: Mark, message: str) -> None:
        super().__init__(message)
        self.mark = mark


def compose(text: str) -> yaml.Node | None:
    """Compose one document into nodes; None when the text holds none.

    Raises:
        NodeFault: The text is not one YAML document, is nested deeper than `MAX_DEPTH`, or has an alias, an anchor, a
            tag or a character that YAML does not allow.
    """
    refused = _REFUSED_CHARACTER.search(text)
    if refused:
        before = text[: refused.start()]
        mark = Mark(before.count("\n") + 1, refused.start() - before.rfind("\n"))
        code = f"U+{ord(refused[0]):04X}"
        raise NodeFault(mark, f"character {code} is refused. Delete it, or write it as an escape in double quotes.")
    try:
        # Not yaml.load: the loader only composes, and constructs no object from what it read.
        return yaml.compose(text, Loader=_RefusingLoader)
    except yaml.MarkedYAMLError as error:
        where = error.problem_mark or error.context_mark
        problem = error.problem or error.context or "not readable as YAML"
        advice = next((advice for sign, advice in _ADVICE if sign in problem), "Correct the YAML here.")
        mark = Mark(where.line + 1, where.column + 1) if where else Mark(1, 1)
        raise NodeFault(mark, f"{problem}. {advice}") from error


class _RefusingLoader(yaml.SafeLoader):
    """A composer that refuses aliases, anchors, tags and depth before it follows them."""

    def __init__(self, stream: Any) -> None:
        super().__init__(stream)
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        peek: Callable[[], Any] = self.peek_event
        event = peek()
        mark = Mark(event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.AliasEvent):
            raise NodeFault(mark, f"alias *{event.anchor} is refused. Write the value out, or quote the text.")
        if getattr(event, "anchor", None) is not None:
            raise NodeFault(mark, f"anchor &{event.anchor} is refused. Delete it, or quote the text.")
        if getattr(event, "tag", None) is not None:
            shown = event.tag.replace("tag:yaml.org,2002:", "!!")
            raise NodeFault(mark, f"tag {shown} is refused. Delete it; quote the value where text is meant.")
        if self._depth > MAX_DEPTH:
            raise NodeFault(mark, f"nested deeper than {MAX_DEPTH} levels. Flatten the data.")
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1
