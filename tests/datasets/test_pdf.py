"""Pdfs as text."""

import io
import re

import pypdf
import pytest
from pypdf.generic import ArrayObject, DecodedStreamObject, DictionaryObject, NameObject, TextStringObject

from kwsuite.datasets import pdf
from kwsuite.datasets.file_fault import FileFault
from kwsuite.datasets.pdf import pdf_text

PICTURE = b"0 0 100 100 re f"


def drawing(text: str) -> bytes:
    return f"BT /F1 12 Tf 10 100 Td ({text}) Tj ET".encode()


def saved(*pages: bytes, password: str | None = None, note: str = "") -> bytes:
    """A pdf whose pages draw what is given, in pdf's own operators."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for content in pages:
        page = writer.add_blank_page(200, 200)
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        if content:
            stream = DecodedStreamObject()
            stream.set_data(content)
            page[NameObject("/Contents")] = writer._add_object(stream)
    if note:
        writer.add_annotation(
            0,
            DictionaryObject(
                {
                    NameObject("/Type"): NameObject("/Annot"),
                    NameObject("/Subtype"): NameObject("/Text"),
                    NameObject("/Contents"): TextStringObject(note),
                }
            ),
        )
    if password is not None:
        writer.encrypt(password, "owner", algorithm="RC4-128")
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def refusal(data: bytes, *, whole: bool = True) -> str:
    with pytest.raises(FileFault) as caught:
        pdf_text(data, whole=whole)
    return str(caught.value)


def test_each_page_stands_under_its_number() -> None:
    assert pdf_text(saved(drawing("one"), drawing("two"))) == "[page 1]\none\n\n[page 2]\ntwo"


@pytest.mark.parametrize("content", [b"", b"q 0 0 200 200 re W n Q", b"BT /F1 12 Tf ET"])
def test_a_blank_page_is_no_scan(content: bytes) -> None:
    assert pdf_text(saved(drawing("one"), content)) == "[page 1]\none\n\n[page 2]\n[blank page]"


@pytest.mark.parametrize("content", [b"0 0 9 9 re f", b"/Im1 Do", b"0 0 m 9 9 l S", b"0 0 9 9 re B*"])
def test_a_page_that_paints_and_says_nothing_is_no_blank_page(content: bytes) -> None:
    assert refusal(saved(drawing("one"), content)).startswith("page 2 has no text")


def test_a_page_whose_content_is_lost_is_no_blank_page() -> None:
    """C50."""
    data = saved(drawing("one"), drawing("two"))
    lost = re.sub(rb"/Contents \d+ 0 R(?!.*/Contents)", b"/Contents 99 0 R", data, flags=re.DOTALL)
    assert "cannot be read as a pdf, it may be damaged" in refusal(lost)
    assert pdf_text(lost, whole=False).endswith("[page 2]\n[this page has no text: a scan or a picture]")


def test_pages_without_text_are_named() -> None:
    assert refusal(saved(drawing("one"), PICTURE, PICTURE)) == (
        "pages 2, 3 have no text (of 3): a scanned page? Supply a pdf with a text layer, or the text itself."
    )


def test_many_pages_without_text_are_named_shortly() -> None:
    assert refusal(saved(*[PICTURE] * 12)).startswith("pages 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ... have no text (of 12)")


def test_in_a_deliverable_a_page_of_pictures_is_marked_in_its_place() -> None:
    """C50: one drawn page does not make the report around it unreadable."""
    text = pdf_text(saved(drawing("one"), PICTURE), whole=False)
    assert text == "[page 1]\none\n\n[page 2]\n[this page has no text: a scan or a picture]"


def test_a_deliverable_of_pictures_only_is_unreadable() -> None:
    assert refusal(saved(PICTURE, b""), whole=False).startswith("page 1 has no text (of 2)")


def test_a_note_on_a_page_is_shown() -> None:
    assert pdf_text(saved(drawing("one"), note="not final")) == "[page 1]\none\n[note: not final]"


def test_an_encrypted_pdf_is_refused() -> None:
    """C50."""
    assert refusal(saved(drawing("one"), password="secret")) == "is encrypted. Save it without a password."


def test_a_pdf_that_only_forbids_printing_is_read() -> None:
    assert pdf_text(saved(drawing("one"), password="")) == "[page 1]\none"


def test_too_many_pages_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_PAGES", 1)
    assert refusal(saved(b"", b"")) == "has 2 pages; 1 to 1 can be read. Split the file."


def test_contents_that_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "MAX_CONTENT", 60)
    assert refusal(saved(drawing("one"), drawing("two"))) == "its pages unpack to over 60 bytes. Split the file."


def damaged() -> bytes:
    """The page tree still counts two pages, the second of which is gone."""
    return re.sub(rb"(/Kids \[ \d+ 0 R) \d+ 0 R", rb"\1 98 0 R", saved(drawing("one"), drawing("two")))


def test_a_pdf_that_lost_a_page_is_refused() -> None:
    """C50: a lenient reader would leave the page out."""
    assert "cannot be read as a pdf, it may be damaged" in refusal(damaged())


def test_a_damaged_deliverable_is_read_as_far_as_it_goes_and_says_so() -> None:
    """C50."""
    text = pdf_text(damaged(), whole=False)
    assert text.startswith("[this pdf is damaged: parts of it may be missing]\n\n[page 1]\none")


def test_a_pdf_of_blank_pages_is_refused() -> None:
    assert refusal(saved(b"", b"")) == "has only blank pages. Supply the pdf again."


def test_a_filled_form_field_is_shown() -> None:
    """Its value is no part of the page's own text."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(saved(drawing("name:"))))
    field = DictionaryObject(
        {
            NameObject("/FT"): NameObject("/Tx"),
            NameObject("/T"): TextStringObject("name"),
            NameObject("/V"): TextStringObject("Ada"),
        }
    )
    form = DictionaryObject({NameObject("/Fields"): ArrayObject([writer._add_object(field)])})
    writer.root_object[NameObject("/AcroForm")] = form
    buffer = io.BytesIO()
    writer.write(buffer)
    assert pdf_text(buffer.getvalue()) == "[page 1]\nname:\n\n[form field name: Ada]"


def test_a_pdf_cut_off_in_the_middle_is_refused() -> None:
    """C50."""
    data = saved(drawing("one"))
    assert "it may be damaged" in refusal(data[: len(data) // 3])
