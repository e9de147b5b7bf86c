"""A Word document as text, with everything a reader of the document would see."""

import io
from collections.abc import Iterator
from typing import Any

from kwsuite.datasets.archive import check_archive
from kwsuite.datasets.extras import import_extra
from kwsuite.datasets.file_fault import FileFault, parsing
from kwsuite.datasets.word_flow import Flow
from kwsuite.datasets.word_numbering import Numbering
from kwsuite.datasets.word_xml import attribute, child, local_name

MAX_NESTING = 150
"""Deepest nesting of XML elements; a table in a table in a text box takes some thirty."""


def word_text(data: bytes) -> str:
    """Give headers, the body in document order, footers, footnotes, endnotes and comments, in this order.

    Headings and automatic numbers stand before their paragraphs, tables are markdown, a table inside a cell follows
    the table that holds it. Tracked changes show as `[inserted: ...]` and `[deleted: ...]`, pictures by their
    description.

    Args:
        data: The bytes of a .docx file.

    Raises:
        FileFault: The file is unsafe (see `check_archive`), damaged or nested deeper than `MAX_NESTING`.
        DataError: python-docx is not installed.
    """
    docx = import_extra("docx", "docs", "reading .docx files")
    parse_xml = import_extra("docx.oxml", "docs", "reading .docx files").parse_xml
    check_archive(data)
    with parsing("a Word document"):
        part = docx.Document(io.BytesIO(data)).part
        related = {
            relation.reltype.rsplit("/", 1)[-1]: parse_xml(relation.target_part.blob)
            for relation in part.rels.values()
            if not relation.is_external and relation.reltype.rsplit("/", 1)[-1] in _RELATED
        }
        margins = [
            (kind, parse_xml(part.related_parts[identifier].blob)) for kind, identifier in _margins(part.element)
        ]
    if child(part.element, "body") is None:
        raise FileFault("has no document body, it may be damaged. Open it and save it again.")
    for root in (part.element, *related.values(), *(margin for _, margin in margins)):
        _check_nesting(root)
    return "\n\n".join(_parts(part.element, related, margins))


def _check_nesting(root: Any) -> None:
    level = [root]
    for _ in range(MAX_NESTING):
        level = [inner for node in level for inner in node]
        if not level:
            return
    raise FileFault(f"is nested deeper than {MAX_NESTING} elements. Flatten its tables and text boxes.")


def _parts(document: Any, related: dict[str, Any], margins: list[tuple[str, Any]]) -> Iterator[str]:
    flow = Flow(related.get("styles"), Numbering(related.get("numbering"), related.get("styles")))
    yield from (f"[header] {text}" for text in _margin_texts(margins, "headerReference", flow))
    yield from flow.blocks(child(document, "body"))
    yield from (f"[footer] {text}" for text in _margin_texts(margins, "footerReference", flow))
    for kind, prefix in (("footnotes", "^"), ("endnotes", "^e")):
        for note in _notes(related.get(kind)):
            yield f"[{prefix}{attribute(note, 'id')}]: {_flat(note, flow)}"
    for note in _notes(related.get("comments")):
        author = attribute(note, "author") or "unknown"
        yield f"[comment {attribute(note, 'id')} by {author}]: {_flat(note, flow)}"


_RELATED = ("styles", "numbering", "footnotes", "endnotes", "comments")


def _margins(document: Any) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for node in document.iter():
        if local_name(node) in ("headerReference", "footerReference"):
            identifier = str(attribute(node, "id"))
            if identifier not in seen:
                yield local_name(node), identifier
            seen.add(identifier)


def _margin_texts(margins: list[tuple[str, Any]], kind: str, flow: Flow) -> Iterator[str]:
    texts = (_flat(part, flow) for found, part in margins if found == kind)
    yield from dict.fromkeys(text for text in texts if text)


def _notes(part: Any) -> Iterator[Any]:
    # Separators are the drawn lines above notes; they have a type, and text has none.
    yield from (note for note in (() if part is None else part) if attribute(note, "type") in (None, "normal"))


def _flat(node: Any, flow: Flow) -> str:
    return "\n".join(flow.blocks(node))
