"""Whether a zipped office file is safe to hand to a reader."""

import io
import zipfile
from dataclasses import dataclass

from kwsuite.datasets.file_fault import FileFault, parsing

MAX_EXPANDED = 60_000_000
"""Most bytes that all entries of an archive, nested ones included, may unpack to."""

MAX_RATIO = 200
"""Most bytes that one compressed byte may unpack to, for entries over a megabyte; office XML stays under 100."""

MAX_ENTRIES = 5_000
"""Most entries of an archive, nested ones included."""

MAX_NESTING = 2
"""Deepest archive inside an archive; a chart in a document brings one workbook."""

_ZIP = b"PK\x03\x04"
_OLE = b"\xd0\xcf\x11\xe0"
_CHUNK = 1 << 16
_DTD = tuple("<!DOCTYPE".encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def check_archive(data: bytes) -> None:
    """Check the bytes of a zipped office file (xlsx, docx) by unpacking it, in pieces and within limits.

    Sizes are checked as declared, before anything is unpacked, and again as they really are. A document type in an XML
    part is refused, because no office program writes one and entities in it multiply.

    Raises:
        FileFault: The archive is encrypted, damaged, over a limit, or no zip file at all.
    """
    if data.startswith(_OLE):
        raise FileFault("is encrypted or in the old binary format. Save it without a password as .xlsx or .docx.")
    if not data.startswith(_ZIP):
        raise FileFault("is not a zipped office file, whatever its suffix says. Save it again in this format.")
    with parsing("an office file"):
        _check(data, _Spent(), 0)


@dataclass
class _Spent:
    entries: int = 0
    declared: int = 0
    unpacked: int = 0


def _check(data: bytes, spent: _Spent, nesting: int) -> None:
    if nesting > MAX_NESTING:
        raise FileFault(f"holds archives nested deeper than {MAX_NESTING}. Take the inner files out.")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        entries = archive.infolist()
        spent.entries += len(entries)
        spent.declared += sum(entry.file_size for entry in entries)
        _check_limits(spent)
        if len({entry.filename for entry in entries}) < len(entries):
            raise FileFault("holds two entries of one name. Save it again.")
        for entry in entries:
            _check_entry(archive, entry, spent, nesting)


def _check_limits(spent: _Spent) -> None:
    if spent.entries > MAX_ENTRIES:
        raise FileFault(f"holds {spent.entries:,} entries, over the limit of {MAX_ENTRIES:,}. Split the file.")
    size = max(spent.declared, spent.unpacked)
    if size > MAX_EXPANDED:
        raise FileFault(f"unpacks to {size:,} bytes or more, over the limit of {MAX_EXPANDED:,}. Split the file.")


def _check_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, spent: _Spent, nesting: int) -> None:
    if entry.flag_bits & 0x1:
        raise FileFault("is encrypted. Save it without a password.")
    if entry.file_size > 1_000_000 and entry.file_size > MAX_RATIO * entry.compress_size:
        raise FileFault(f"unpacks to more than {MAX_RATIO} times its size, as a zip bomb does. Save it again.")
    has_markup = entry.filename.lower().endswith((".xml", ".rels"))
    nested = bytearray()
    tail = b""
    with archive.open(entry) as stream:
        while chunk := stream.read(_CHUNK):
            spent.unpacked += len(chunk)
            _check_limits(spent)
            window = tail + chunk
            if has_markup and any(sign in window for sign in _DTD):
                raise FileFault("has a document type in its XML, which no office program writes. Save it again.")
            if nested or (not tail and chunk.startswith(_ZIP)):
                nested += chunk
            tail = window[-2 * len("<!DOCTYPE") :]
    if nested:
        _check(bytes(nested), spent, nesting + 1)
