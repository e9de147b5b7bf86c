"""Word documents as text."""

import io
from typing import Any

import docx
import openpyxl
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st

from kwsuite.datasets.file_fault import FileFault
from kwsuite.datasets.word import word_text

W = nsdecls("w")


def saved(document: Any) -> bytes:
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def run(text: str) -> str:
    return f'<w:r {W}><w:t xml:space="preserve">{text}</w:t></w:r>'


def body(*blocks: str) -> str:
    """The text of a document whose body is these pieces of XML."""
    document = docx.Document()
    for block in blocks:
        document.element.body.insert(len(document.element.body) - 1, parse_xml(block))
    return word_text(saved(document))


def paragraph(inner: str) -> str:
    return f"<w:p {nsdecls('w', 'wp', 'a', 'pic', 'r')} {WPS}>{inner}</w:p>"


WPS = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
)


def with_part(document: Any, kind: str, xml: str) -> None:
    part = Part(PackURI(f"/word/{kind}.xml"), "application/xml", xml.encode(), document.part.package)
    document.part.relate_to(part, getattr(RELATIONSHIP_TYPE, kind.upper()))


def test_everything_appears_in_order() -> None:
    """C43: a table with a nested one, a header, a footer, a footnote and a tracked insertion."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "ACME confidential"
    document.sections[0].footer.paragraphs[0].text = "draft 3"
    before = document.add_paragraph("The fee is ")
    before._p.append(parse_xml(f'<w:ins {W} w:id="1" w:author="Ann">{run("not ")}</w:ins>'))
    before._p.append(parse_xml(run("due")))
    before._p.append(parse_xml(f'<w:r {W}><w:footnoteReference w:id="2"/></w:r>'))
    table = document.add_table(2, 2)
    for row, column, text in ((0, 0, "item"), (0, 1, "price"), (1, 0, "desk")):
        table.cell(row, column).text = text
    inner = table.cell(1, 1).add_table(2, 2)
    for row, column, text in ((0, 0, "net"), (0, 1, "tax"), (1, 0, "100"), (1, 1, "19")):
        inner.cell(row, column).text = text
    document.add_paragraph("After the table")
    with_part(
        document,
        "footnotes",
        f'<w:footnotes {W}><w:footnote w:type="separator" w:id="-1"><w:p>{run("----")}</w:p></w:footnote>'
        f'<w:footnote w:id="2"><w:p>{run("See clause 4.")}</w:p></w:footnote></w:footnotes>',
    )
    assert word_text(saved(document)) == (
        "[header] ACME confidential\n\n"
        "The fee is [inserted: not ]due[^2]\n\n"
        "| item | price |\n|---|---|\n| desk | [inner table 1] |\n\n"
        "[inner table 1]\n| net | tax |\n|---|---|\n| 100 | 19 |\n\n"
        "After the table\n\n"
        "[footer] draft 3\n\n"
        "[^2]: See clause 4."
    )


def test_a_tracked_deletion_is_marked_and_not_dropped() -> None:
    """C43."""
    deleted = f'<w:del {W} w:id="1" w:author="Ann"><w:r><w:delText>30</w:delText></w:r></w:del>'
    inserted = f'<w:ins {W} w:id="2" w:author="Ann">{run("60")}</w:ins>'
    assert body(paragraph(run("due in ") + deleted + inserted + run(" days"))) == (
        "due in [deleted: 30][inserted: 60] days"
    )


def test_a_comment_stands_at_its_place_and_at_the_end() -> None:
    """C43."""
    document = docx.Document()
    text = document.add_paragraph("Net price")
    document.add_comment(text.runs[0], text="with tax?", author="Ann")
    assert word_text(saved(document)) == "Net price[comment 0]\n\n[comment 0 by Ann]: with tax?"


def test_headers_of_every_section_and_first_page_appear_once() -> None:
    """C43."""
    document = docx.Document()
    section = document.sections[0]
    section.different_first_page_header_footer = True
    section.first_page_header.paragraphs[0].text = "cover"
    section.header.paragraphs[0].text = "body"
    document.add_paragraph("text")
    later = document.add_section()
    later.header.is_linked_to_previous = False
    later.header.paragraphs[0].text = "body"
    text = word_text(saved(document))
    assert sorted(line for line in text.splitlines() if line.startswith("[header]")) == [
        "[header] body",
        "[header] cover",
    ]


def test_a_heading_keeps_its_level() -> None:
    document = docx.Document()
    document.add_heading("Plan", 0)
    document.add_heading("Costs", 2)
    assert word_text(saved(document)) == "# Plan\n\n## Costs"


def test_merged_cells_keep_the_columns_in_place() -> None:
    document = docx.Document()
    table = document.add_table(3, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "both"
    table.cell(0, 2).text = "right"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "tall"
    table.cell(2, 1).text = "low"
    assert word_text(saved(document)) == "| both |  | right |\n|---|---|---|\n| tall |  |  |\n|  | low |  |"


def test_a_table_in_a_content_control_is_read() -> None:
    cell = f"<w:tc><w:p>{run('in a control')}</w:p></w:tc>"
    control = f"<w:sdt {W}><w:sdtContent><w:tbl><w:tr>{cell}</w:tr></w:tbl></w:sdtContent></w:sdt>"
    assert body(control) == "| in a control |\n|---|"


def test_a_text_box_is_read_once() -> None:
    """Word writes it twice, for newer and older programs."""
    box = f"<w:txbxContent><w:p>{run('stamp: paid')}</w:p></w:txbxContent>"
    twice = (
        f"<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    assert body(paragraph(run("see ") + twice)) == "see [text box: stamp: paid]"


def test_a_picture_is_named_by_its_description() -> None:
    described = '<wp:inline><wp:docPr id="1" name="Picture 1" descr="floor plan"/></wp:inline>'
    assert (
        body(paragraph(f"<w:r><w:drawing>{described}</w:drawing></w:r>"))
        == "[a picture, chart or object, not shown: floor plan]"
    )


def test_tabs_breaks_and_hyphens_are_kept() -> None:
    inner = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r>"
    assert body(paragraph(inner)) == "a\tb\nc-d"


def test_a_link_and_a_field_show_their_text_and_not_their_code() -> None:
    inner = (
        f"<w:hyperlink>{run('the annex')}</w:hyperlink>"
        f"<w:r><w:instrText> PAGE </w:instrText></w:r><w:fldSimple>{run(' 7')}</w:fldSimple>"
    )
    assert body(paragraph(inner)) == "the annex 7"


def numbered(levels: str, nums: str, *paragraphs: tuple[str, int, str]) -> str:
    document = docx.Document()
    root = document.part.numbering_part.element
    for child in list(root):
        root.remove(child)
    root.append(parse_xml(f'<w:abstractNum {W} w:abstractNumId="1">{levels}</w:abstractNum>'))
    for child in parse_xml(f"<w:numbering {W}>{nums}</w:numbering>"):
        root.append(child)
    for number, depth, text in paragraphs:
        properties = f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'
        document.element.body.insert(
            len(document.element.body) - 1, parse_xml(paragraph(f"<w:pPr>{properties}</w:pPr>{run(text)}"))
        )
    return word_text(saved(document))


def level(depth: int, shape: str, pattern: str, start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="{start}"/><w:numFmt w:val="{shape}"/>'
        f'<w:lvlText w:val="{pattern}"/></w:lvl>'
    )


ONE = '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'


def test_automatic_numbers_stand_before_their_clauses() -> None:
    """A contract says "see clause 2.1", and the file holds no such text."""
    levels = level(0, "decimal", "%1.") + level(1, "decimal", "%1.%2") + level(2, "lowerLetter", "(%3)")
    text = numbered(
        levels,
        ONE,
        ("1", 0, "Term"),
        ("1", 1, "start"),
        ("1", 0, "Fee"),
        ("1", 1, "amount"),
        ("1", 2, "net"),
        ("1", 2, "tax"),
        ("1", 1, "due"),
    )
    assert text.split("\n\n") == [
        "1. Term",
        "  1.1 start",
        "2. Fee",
        "  2.1 amount",
        "    (a) net",
        "    (b) tax",
        "  2.2 due",
    ]


def test_a_list_that_restarts_begins_again_and_one_that_does_not_counts_on() -> None:
    nums = (
        ONE
        + '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>'
        + '<w:num w:numId="3"><w:abstractNumId w:val="1"/>'
        + '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
    )
    places = [(number, 0, "x") for number in ("1", "2", "3", "3")]
    assert numbered(level(0, "decimal", "%1."), nums, *places).split("\n\n") == ["1. x", "2. x", "1. x", "2. x"]


@pytest.mark.parametrize(
    ("shape", "start", "label"),
    [
        ("decimal", 7, "7"),
        ("decimalZero", 7, "07"),
        ("lowerLetter", 28, "bb"),
        ("upperLetter", 2, "B"),
        ("lowerRoman", 49, "xlix"),
        ("upperRoman", 4, "IV"),
    ],
)
def test_a_number_is_spelt_in_its_lists_way(shape: str, start: int, label: str) -> None:
    assert numbered(level(0, shape, "%1)", start), ONE, ("1", 0, "x")) == f"{label}) x"


def test_a_bullet_is_a_dash_and_a_switched_off_number_is_nothing() -> None:
    assert numbered(level(0, "bullet", ""), ONE, ("1", 0, "x"), ("0", 0, "y")) == "- x\n\ny"


def test_a_number_that_comes_from_a_style_is_counted() -> None:
    document = docx.Document()
    for _ in range(2):
        document.add_paragraph("step", style="List Number")
    assert word_text(saved(document)) == "1. step\n\n2. step"


def test_a_span_made_to_do_harm_is_refused() -> None:
    """C50."""
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="999999999"/></w:tcPr><w:p/></w:tc>'
    with pytest.raises(FileFault) as caught:
        body(f"<w:tbl {W}><w:tr>{cell}</w:tr></w:tbl>")
    assert str(caught.value) == "has the value '999999999' where a number up to 500 is due. Save it again."


def test_a_document_nested_too_deeply_is_refused_and_not_a_crash() -> None:
    """C50."""
    assert body(paragraph("<w:smartTag>" * 140 + run("x") + "</w:smartTag>" * 140)) == "x"
    with pytest.raises(FileFault) as caught:
        body(paragraph("<w:smartTag>" * 150 + run("x") + "</w:smartTag>" * 150))
    assert str(caught.value) == "is nested deeper than 150 elements. Flatten its tables and text boxes."


def test_a_workbook_under_a_documents_name_is_refused() -> None:
    """C50."""
    buffer = io.BytesIO()
    openpyxl.Workbook().save(buffer)
    with pytest.raises(FileFault, match="cannot be read as a Word document, it may be damaged"):
        word_text(buffer.getvalue())


@settings(max_examples=25, deadline=None)  # a document is slow to make
@given(st.lists(st.text(st.characters(categories=["L", "N", "P", "Zs"]), min_size=1).filter(str.strip), min_size=1))
def test_every_paragraph_comes_back(texts: list[str]) -> None:
    document = docx.Document()
    for text in texts:
        document.add_paragraph(text)
    assert word_text(saved(document)).split("\n\n") == [text.strip(" ") for text in texts]
