"""Replies as authors write them: text with expressions in braces, `{{` and `}}` for braces themselves."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from kwsuite.worlds.expressions import Expression, Language, Scope
from kwsuite.worlds.faults import AuthoringError, Location
from kwsuite.worlds.json_values import Json
from kwsuite.worlds.tokens import Unreadable, scan


@dataclass(frozen=True)
class Template:
    """A compiled reply."""

    parts: tuple[str | Expression, ...]

    def fill(self, scope: Scope) -> str:
        """Write the reply out: text as it is, everything else as JSON.

        Raises:
            WorldFault: An expression in it ends in an error.
        """
        return "".join(part if isinstance(part, str) else written(part.evaluate(scope)) for part in self.parts)


def written(value: Json) -> str:
    """Write a value for a reader: text as it is, everything else as JSON on one line."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def compile_template(source: str, at: Location, language: Language, names: Iterable[str]) -> Template:
    """Compile a reply.

    Raises:
        AuthoringError: A brace stands alone, or an expression cannot be compiled.
    """
    known = tuple(names)
    parts: list[str | Expression] = []
    text, position = "", 0
    while position < len(source):
        pair = source[position : position + 2]
        if pair in ("{{", "}}"):
            text += pair[0]
            position += 2
        elif source[position] == "{":
            end = _closing(source, position, at)
            parts += [text, language.compile(source[position + 1 : end], at, known)]
            text, position = "", end + 1
        elif source[position] == "}":
            raise AuthoringError(at, f"column {position + 1}: a lone }}. Write }}}} for a brace. In: {source}")
        else:
            text += source[position]
            position += 1
    return Template(tuple(part for part in (*parts, text) if part != ""))


def _closing(source: str, start: int, at: Location) -> int:
    """Find the brace that closes the one at `start`, past those of the expression and of its text literals."""
    depth = 0
    try:
        for word in scan(source, start):
            depth += (word.text == "{") - (word.text == "}")
            if depth == 0:
                return word.offset
    except Unreadable as error:
        raise AuthoringError(at, f"column {error.offset + 1}: {error}. In: {source}") from error
    raise AuthoringError(at, f"column {start + 1}: this {{ is not closed. Write {{{{ for a brace. In: {source}")
