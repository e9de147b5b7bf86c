"""The flow of a Word document: paragraphs, tables and what stands inside them."""

from collections.abc import Iterator
from typing import Any

from kwsuite.datasets.markdown_table import markdown_table
from kwsuite.datasets.word_numbering import Numbering
from kwsuite.datasets.word_xml import attribute, child, local_name, whole_number

_WIDEST = 500

_WRAPPERS = ("sdt", "sdtContent", "ins", "del", "moveTo", "moveFrom", "customXml", "smartTag")
_SILENT = ("pPr", "rPr", "tblPr", "tcPr", "trPr", "sectPr", "sdtPr", "instrText", "delInstrText", "docPr", "softHyphen")
_FIXED = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"} | dict.fromkeys(_SILENT, "")
_REFERENCES = {"footnoteReference": "^", "endnoteReference": "^e", "commentReference": "comment "}


class Flow:
    """Turns the elements of a document's parts into blocks of text; numbering and nested tables count on."""

    def __init__(self, styles: Any, numbering: Numbering) -> None:
        self._headings = dict(_headings(styles))
        self._numbering = numbering
        self._inner_tables = 0

    def blocks(self, container: Any) -> list[str]:
        """Give the text of each paragraph and table in `container`, in order; empty paragraphs are left out."""
        found: list[str] = []
        for node in _unwrapped(container):
            match local_name(node):
                case "p":
                    text = self._paragraph(node)
                    found += [text] if text else []
                case "tbl":
                    found += self._table(node)
                case "altChunk":
                    found.append("[an embedded document, not shown]")
        return found

    def _paragraph(self, node: Any) -> str:
        text = self._inline(node).strip(" ")
        if not text.strip():
            return ""
        style = attribute(child(node, "pPr", "pStyle"), "val")
        heading = "#" * self._headings.get(style or "", 0)
        return " ".join(part for part in (heading, self._numbering.label(node), text) if part)

    def _inline(self, node: Any) -> str:
        return "".join(self._piece(part) for part in node)

    def _piece(self, node: Any) -> str:
        match local_name(node):
            case "t" | "delText":
                piece = str(node.text or "")
            case name if name in _FIXED:
                piece = _FIXED[name]
            case name if name in _REFERENCES:
                piece = f"[{_REFERENCES[name]}{attribute(node, 'id')}]"
            case "sym":
                piece = f"[symbol {attribute(node, 'char')} of {attribute(node, 'font')}]"
            case "ins" | "moveTo":
                piece = self._marked("inserted", node)
            case "del" | "moveFrom":
                piece = self._marked("deleted", node)
            case "AlternateContent":
                piece = self._inline(_newest(node))
            case "txbxContent":
                piece = f"[text box: {' / '.join(self.blocks(node))}]"
            case "drawing" | "pict" | "object":
                piece = self._drawing(node)
            case _:
                piece = self._inline(node)
        return piece

    def _marked(self, change: str, node: Any) -> str:
        text = self._inline(node)
        return f"[{change}: {text}]" if text else ""

    def _drawing(self, node: Any) -> str:
        inner = self._inline(node)
        if inner:
            return inner
        titles = (part.get("descr") or part.get("title") for part in node.iter() if local_name(part) == "docPr")
        title = next((f": {title}" for title in titles if title), "")
        return f"[a picture, chart or object, not shown{title}]"

    def _table(self, node: Any) -> list[str]:
        """Gives the table, then each table that stands in one of its cells."""
        inner: list[str] = []
        rows = [[*self._row(row, inner)] for row in _unwrapped(node) if local_name(row) == "tr"]
        return [markdown_table(rows), *inner] if rows else []

    def _row(self, row: Any, inner: list[str]) -> Iterator[str]:
        yield from [""] * whole_number(child(row, "trPr", "gridBefore"), 0, _WIDEST)
        for cell in (part for part in _unwrapped(row) if local_name(part) == "tc"):
            yield self._cell(cell, inner)  # one merged into the cell above is empty and stays, to keep its column
            yield from [""] * (whole_number(child(cell, "tcPr", "gridSpan"), 1, _WIDEST) - 1)

    def _cell(self, cell: Any, inner: list[str]) -> str:
        texts: list[str] = []
        for node in _unwrapped(cell):
            match local_name(node):
                case "p":
                    texts.append(self._paragraph(node))
                case "tbl":
                    self._inner_tables += 1
                    name = f"[inner table {self._inner_tables}]"
                    first, *deeper = self._table(node) or [""]
                    texts.append(name)
                    inner += [f"{name}\n{first}", *deeper]
        return "\n".join(text for text in texts if text)


def _unwrapped(container: Any) -> Iterator[Any]:
    for node in container:
        if local_name(node) in _WRAPPERS:
            yield from _unwrapped(node)
        elif local_name(node) == "AlternateContent":
            yield from _unwrapped(_newest(node))
        else:
            yield node


def _newest(alternatives: Any) -> Any:
    """Gives the first of the alternatives, which say the same for newer and for older programs."""
    return next(iter(alternatives), ())


def _headings(styles: Any) -> Iterator[tuple[str, int]]:
    """Finds the heading level of a style by its name, which every language of Word writes in English in the file."""
    for style in () if styles is None else styles:
        name = (attribute(child(style, "name"), "val") or "").lower()
        word, _, level = name.partition(" ")
        if word == "heading" and level.isdecimal():
            yield str(attribute(style, "styleId")), int(level)
        elif name == "title":
            yield str(attribute(style, "styleId")), 1
