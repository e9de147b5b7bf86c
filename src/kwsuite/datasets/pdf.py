"""A pdf as text, page by page."""

import io
import re
from collections.abc import Iterator
from typing import Any

from kwsuite.datasets.extras import import_extra
from kwsuite.datasets.file_fault import FileFault, parsing

MAX_PAGES = 1_000
"""Most pages of a pdf."""

MAX_CONTENT = 60_000_000
"""Most bytes that the contents of all pages may unpack to; one small stream can be the content of every page."""


def pdf_text(data: bytes, *, whole: bool = True) -> str:
    """Give the text of every page under its number, with notes and filled form fields.

    Args:
        data: The bytes of a .pdf file.
        whole: Refuse a pdf that is damaged, or of which some page has content but no text. Otherwise a damaged pdf is
            read as far as it goes and says so in its first line, and a page without text is marked in its place.

    Raises:
        FileFault: The file cannot be used as `whole` says, is encrypted, has over `MAX_PAGES`, or has no text at all.
        DataError: pypdf is not installed.
    """
    pypdf = import_extra("pypdf", "docs", "reading .pdf files")
    if b"%PDF-" not in data[:1024]:  # where readers look for it
        raise FileFault("is not a pdf, whatever its suffix says. Save it again in this format.")
    try:
        return _text(pypdf, data, whole=whole, strict=True)
    except FileFault:
        if whole:
            raise
    # Not strict, pypdf leaves out what it cannot find; the first line keeps that from being silent.
    return f"{_DAMAGED}\n\n{_text(pypdf, data, whole=False, strict=False)}"


def _text(pypdf: Any, data: bytes, *, whole: bool, strict: bool) -> str:
    with parsing("a pdf"):
        reader = pypdf.PdfReader(io.BytesIO(data), strict=strict)
        encrypted = reader.is_encrypted
    if encrypted and not _opened(reader, pypdf.errors.DependencyError):
        raise FileFault("is encrypted. Save it without a password.")
    with parsing("a pdf"):
        count = len(reader.pages)
    if not 0 < count <= MAX_PAGES:
        raise FileFault(f"has {count:,} pages; 1 to {MAX_PAGES:,} can be read. Split the file.")
    with parsing("a pdf"):
        pages = list(_pages(reader))
        fields = reader.get_form_text_fields()
    silent = [number for number, text in enumerate(pages, 1) if not text]
    if silent and (whole or not any(text not in ("", _BLANK) for text in pages)):
        raise FileFault(_silent_message(silent, count))
    if set(pages) == {_BLANK}:
        raise FileFault("has only blank pages. Supply the pdf again.")
    parts = [f"[page {number}]\n{text or _SILENT}" for number, text in enumerate(pages, 1)]
    parts += [f"[form field {name}: {value}]" for name, value in fields.items() if value]
    return _storable("\n\n".join(parts))


_DAMAGED = "[this pdf is damaged: parts of it may be missing]"
_BLANK = "[blank page]"
# The operators that paint; an empty page of a text program has others, and is no scan.
_PAINTS = re.compile(rb"(?<![^\s\])>])(Tj|TJ|'|\"|Do|EI|sh|[fFSsBb]|[fBb]\*)(?!\S)")
_SILENT = "[this page has no text: a scan or a picture]"


def _opened(reader: Any, lacks_cipher: type[Exception]) -> bool:
    """Tries the empty password, which is the reader's password of a pdf that only forbids printing or copying."""
    with parsing("a pdf"):
        try:
            return bool(reader.decrypt(""))
        except lacks_cipher:
            return False


def _pages(reader: Any) -> Iterator[str]:
    """Gives each page's text; "" where the page shows something that is no text."""
    unpacked = 0
    for page in reader.pages:
        contents = page.get_contents()
        drawn = b"" if contents is None else contents.get_data()
        unpacked += len(drawn)
        if unpacked > MAX_CONTENT:
            raise FileFault(f"its pages unpack to over {MAX_CONTENT:,} bytes. Split the file.")
        is_lost = contents is None and "/Contents" in page
        text = page.extract_text().strip() if is_lost or _PAINTS.search(drawn) else _BLANK
        yield "\n".join([text, *_notes(page)]) if text else ""


def _notes(page: Any) -> Iterator[str]:
    for note in (reference.get_object() for reference in page.get("/Annots") or ()):
        if note.get("/Contents"):
            yield f"[note: {note['/Contents']}]"


def _silent_message(silent: list[int], count: int) -> str:
    named = ", ".join(str(number) for number in silent[:10]) + (", ..." if len(silent) > 10 else "")
    pages = f"page {named} has" if len(silent) == 1 else f"pages {named} have"
    return f"{pages} no text (of {count}): a scanned page? Supply a pdf with a text layer, or the text itself."


def _storable(text: str) -> str:
    """Joins surrogate halves, as a pdf's own maps of characters may give them; a lone half is marked as U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace("\x00", "\ufffd")
