"""Archives that must not reach a reader."""

import io
import zipfile
import zlib

import pytest

from kwsuite.datasets import archive
from kwsuite.datasets.archive import check_archive
from kwsuite.datasets.file_fault import FileFault


def zipped(entries: dict[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, data in entries.items():
            file.writestr(name, data)
    return buffer.getvalue()


def refusal(data: bytes) -> str:
    with pytest.raises(FileFault) as caught:
        check_archive(data)
    return str(caught.value)


def test_an_ordinary_archive_passes() -> None:
    inner = zipped({"xl/workbook.xml": b"<workbook/>"})
    check_archive(zipped({"word/document.xml": b"<?xml version='1.0'?><a/>", "word/embeddings/chart.xlsx": inner}))


def test_a_high_ratio_is_refused_as_a_zip_bomb() -> None:
    assert refusal(zipped({"a.xml": b"0" * 2_000_000})) == (
        "unpacks to more than 200 times its size, as a zip bomb does. Save it again."
    )


def test_a_small_repetitive_entry_is_no_bomb() -> None:
    check_archive(zipped({"a.xml": b"0" * 900_000}))


def test_a_declared_size_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_EXPANDED", 1_000)
    data = zipped({"a.xml": b"0" * 600, "b.xml": b"0" * 600})
    monkeypatch.setattr(zipfile.ZipFile, "open", None)  # nothing is unpacked to find that out
    assert refusal(data) == "unpacks to 1,200 bytes or more, over the limit of 1,000. Split the file."


def test_a_size_that_lies_is_refused() -> None:
    data = bytearray(zipped({"a.xml": b"0" * 5_000}))
    entry = data.index(b"PK\x01\x02")
    data[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    assert refusal(bytes(data)).startswith(
        "cannot be read as an office file, it may be damaged (BadZipFile: Bad CRC-32"
    )


def test_sizes_of_nested_archives_add_up(monkeypatch: pytest.MonkeyPatch) -> None:
    inner = zipped({"a.xml": b"0" * 900})
    data = zipped({"b.xlsx": inner, "c.xlsx": inner}, zipfile.ZIP_STORED)
    monkeypatch.setattr(archive, "MAX_EXPANDED", 1_500)
    assert refusal(data).startswith("unpacks to ")


def test_archives_nested_too_deeply_are_refused() -> None:
    data = zipped({"a.xml": b"<a/>"})
    for _ in range(archive.MAX_NESTING):
        data = zipped({"inner.bin": data})
    check_archive(data)
    assert refusal(zipped({"inner.bin": data})) == "holds archives nested deeper than 2. Take the inner files out."


def test_too_many_entries_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_ENTRIES", 3)
    assert refusal(zipped({f"{number}.xml": b"" for number in range(4)})) == (
        "holds 4 entries, over the limit of 3. Split the file."
    )


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_two_entries_of_one_name_are_refused() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:
        file.writestr("a.xml", b"<a/>")
        file.writestr("a.xml", b"<b/>")
    assert refusal(buffer.getvalue()) == "holds two entries of one name. Save it again."


def test_an_encrypted_entry_is_refused() -> None:
    data = bytearray(zipped({"a.xml": b"<a/>"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refusal(bytes(data)) == "is encrypted. Save it without a password."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("padding", [0, (1 << 16) - 5], ids=["at the start", "across two chunks"])
def test_a_document_type_in_a_part_is_refused(encoding: str, padding: int) -> None:
    text = " " * padding + '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    assert refusal(zipped({"a.xml": text.encode(encoding)})) == (
        "has a document type in its XML, which no office program writes. Save it again."
    )


def test_a_picture_may_have_a_document_type() -> None:
    check_archive(zipped({"word/media/image1.svg": b"<!DOCTYPE svg><svg/>"}))


def test_damaged_compressed_data_is_refused() -> None:
    packed = zlib.compress(b"some text of a document" * 50)[2:-4]
    data = zipped({"a.xml": b"some text of a document" * 50})
    assert "it may be damaged" in refusal(data.replace(packed[5:15], b"\xff" * 10))
