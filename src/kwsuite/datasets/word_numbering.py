"""The automatic numbers of a Word document, which its text does not hold."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from kwsuite.datasets.word_xml import attribute, child, local_name, whole_number

_DEEPEST = 8
_HIGHEST = 32_767
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x"),
    (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class _Level(NamedTuple):
    start: int
    shape: str
    pattern: str
    style: str | None


class Numbering:
    """Counts the numbered paragraphs of a document as they come.

    Args:
        numbering: The root of the numbering part, or None.
        styles: The root of the styles part, or None: a style may number its paragraphs.
    """

    def __init__(self, numbering: Any, styles: Any) -> None:
        self._styles = {attribute(node, "styleId"): node for node in _each(styles, "style")}
        self._kinds: dict[str | None, str | None] = {}
        self._levels: dict[str | None, dict[int, _Level]] = {}
        self._restarts: dict[tuple[str | None, int], int] = {}
        self._counts: dict[str | None, dict[int, int]] = {}
        shapes = {attribute(node, "abstractNumId"): dict(_levels(node)) for node in _each(numbering, "abstractNum")}
        for node in _each(numbering, "num"):
            number = attribute(node, "numId")
            kind = attribute(child(node, "abstractNumId"), "val")
            self._kinds[number] = kind
            self._levels[number] = dict(shapes.get(kind, {}))
            for override in _each(node, "lvlOverride"):
                self._levels[number].update(_levels(override))
                if child(override, "startOverride") is not None:
                    start = whole_number(child(override, "startOverride"), 1, _HIGHEST)
                    self._restarts[number, whole_number(override, 0, _DEEPEST, "ilvl")] = start

    def label(self, paragraph: Any) -> str:
        """Give the number or bullet that Word draws before a paragraph, and count it; "" where it draws none."""
        number, depth = self._place(paragraph)
        levels = self._levels.get(number, {})
        if depth not in levels:
            return ""
        level = levels[depth]
        counts = self._count(number, depth, level)
        if level.shape == "bullet":
            return "  " * depth + "-"
        text = level.pattern
        for upper in range(depth + 1):
            above = levels.get(upper, level)
            text = text.replace(f"%{upper + 1}", _spelt(counts.get(upper, above.start), above.shape))
        return "  " * depth + text if text else ""

    def _count(self, number: str | None, depth: int, level: _Level) -> dict[int, int]:
        # Lists of one kind count on together, until one that says where it starts comes for the first time.
        counts = self._counts.setdefault(self._kinds[number], {})
        start = self._restarts.pop((number, depth), None)
        if start is not None or depth not in counts:
            counts[depth] = level.start if start is None else start
        else:
            counts[depth] += 1
        for deeper in [lower for lower in counts if lower > depth]:
            del counts[deeper]
        return counts

    def _place(self, paragraph: Any) -> tuple[str | None, int]:
        """Finds the list and level of a paragraph, in itself or up its chain of styles."""
        properties = child(paragraph, "pPr")
        style = own = attribute(child(properties, "pStyle"), "val")
        number = attribute(child(properties, "numPr", "numId"), "val")
        depth = child(properties, "numPr", "ilvl")
        for _ in range(20):  # in a damaged file styles may inherit in a circle
            node = self._styles.get(style)
            if node is None or number is not None:
                break
            number = attribute(child(node, "pPr", "numPr", "numId"), "val")
            depth = child(node, "pPr", "numPr", "ilvl") if depth is None else depth
            own = style
            style = attribute(child(node, "basedOn"), "val")
        linked = (place for place, level in self._levels.get(number, {}).items() if own and level.style == own)
        return number, whole_number(depth, next(linked, 0), _DEEPEST)


def _each(node: Any, name: str) -> Iterator[Any]:
    yield from (part for part in (() if node is None else node) if local_name(part) == name)


def _levels(node: Any) -> Iterator[tuple[int, _Level]]:
    for level in _each(node, "lvl"):
        shape = attribute(child(level, "numFmt"), "val") or "decimal"
        pattern = attribute(child(level, "lvlText"), "val") or ""
        start = whole_number(child(level, "start"), 1, _HIGHEST)
        yield (
            whole_number(level, 0, _DEEPEST, "ilvl"),
            _Level(start, shape, pattern, attribute(child(level, "pStyle"), "val")),
        )


def _spelt(count: int, shape: str) -> str:
    match shape:
        case "none":
            return ""
        case "decimalZero":
            return f"{count:02}"
        case "lowerLetter" | "upperLetter" if count > 0:
            letters = chr(ord("a") + (count - 1) % 26) * ((count - 1) // 26 + 1)
            return letters.upper() if shape.startswith("upper") else letters
        case "lowerRoman" | "upperRoman":
            roman = _roman(count)
            return roman.upper() if shape.startswith("upper") else roman
    return str(count)


def _roman(count: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (count // value)
        count %= value
    return text
