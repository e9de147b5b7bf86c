"""Reference files and deliverables: what is read, what is refused, and in which words."""

import os
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kwsuite.datasets import material
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.material import Material, Unreadable, read_deliverable, read_material


def refusal(root: Path, *names: str) -> str:
    with pytest.raises(DataError) as caught:
        read_material(root, names, "item-7")
    return str(caught.value)


def put(root: Path, name: str, data: bytes) -> str:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return name


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.md", "md"),
        ("a.txt", "txt"),
        ("a.csv", "csv"),
        ("a.tsv", "tsv"),
        ("a.json", "json"),
        ("a.yaml", "yaml"),
        ("a.YML", "yaml"),
        ("a.log", "txt"),
    ],
)
def test_a_text_file_is_given_as_it_is(tmp_path: Path, name: str, kind: str) -> None:
    put(tmp_path, name, "Größe\tqty\n no: 1 \n".encode())
    (read,) = read_material(tmp_path, [name], "item-7")
    assert (read.name, read.text, read.kind) == (name, "Größe\tqty\n no: 1 \n", kind)


def test_a_byte_order_mark_does_not_stick_to_the_first_header(tmp_path: Path) -> None:
    """C46."""
    put(tmp_path, "a.csv", b"\xef\xbb\xbfname,qty\nA,1")
    (read,) = read_material(tmp_path, ["a.csv"], "item-7")
    assert read.text.split(",")[0] == "name"


def test_line_ends_of_every_system_read_the_same(tmp_path: Path) -> None:
    put(tmp_path, "a.txt", b"one\r\ntwo\rthree\n")
    (read,) = read_material(tmp_path, ["a.txt"], "item-7")
    assert read.text == "one\ntwo\nthree\n"


def test_files_come_in_the_order_they_are_named(tmp_path: Path) -> None:
    names = [put(tmp_path, name, name.encode()) for name in ("b.md", "data/a.md", "c.md")]
    assert [read.name for read in read_material(tmp_path, names, "item-7")] == names


def test_no_names_give_no_material(tmp_path: Path) -> None:
    assert read_material(tmp_path, [], "item-7") == ()


def test_a_long_file_is_given_whole(tmp_path: Path) -> None:
    text = "line\n" * 300_000
    put(tmp_path, "a.txt", text.encode())
    (read,) = read_material(tmp_path, ["a.txt"], "item-7")
    assert read.text == text


def test_a_symlink_inside_the_folder_is_followed(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"here")
    (tmp_path / "b.md").symlink_to("a.md")
    (read,) = read_material(tmp_path, ["b.md"], "item-7")
    assert read.text == "here"


INSIDE = "Name a file inside the item's folder by its path from there, as in data/plan.csv."


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/etc/passwd", f"an absolute path is refused. {INSIDE}"),
        ("C:\\secrets.md", f"an absolute path is refused. {INSIDE}"),
        ("C:secrets.md", f"an absolute path is refused. {INSIDE}"),
        ("../secrets.md", f"'..' and backslashes are refused. {INSIDE}"),
        ("data/../../secrets.md", f"'..' and backslashes are refused. {INSIDE}"),
        ("..\\secrets.md", f"'..' and backslashes are refused. {INSIDE}"),
        ("", f"the name is empty or has control characters. {INSIDE}"),
        ("a\x00.md", f"the name is empty or has control characters. {INSIDE}"),
        ("a.md\n# Task", f"the name is empty or has control characters. {INSIDE}"),
    ],
)
def test_a_name_that_could_leave_the_folder_is_refused(tmp_path: Path, name: str, message: str) -> None:
    """C76."""
    root = tmp_path / "item"
    put(tmp_path, "secrets.md", b"secret")
    root.mkdir()
    assert refusal(root, name) == f"item item-7: reference file {name!r}: {message}"


@pytest.mark.parametrize("link", ["file", "folder"])
def test_a_symlink_out_of_the_folder_is_refused(tmp_path: Path, link: str) -> None:
    """C76."""
    root = tmp_path / "item"
    root.mkdir()
    put(tmp_path, "out/secrets.md", b"secret")
    (root / "a.md").symlink_to(tmp_path / "out" / "secrets.md")
    (root / "data").symlink_to(tmp_path / "out")
    name = "a.md" if link == "file" else "data/secrets.md"
    assert refusal(root, name) == (
        f"item item-7: reference file {name!r}: leads out of {root} through a symlink. Copy the file into the folder."
    )


def test_a_folder_whose_name_begins_like_the_items_is_outside(tmp_path: Path) -> None:
    """C76: item-2 is not inside item."""
    root = tmp_path / "item"
    root.mkdir()
    put(tmp_path, "item-2/a.md", b"secret")
    (root / "a.md").symlink_to(tmp_path / "item-2" / "a.md")
    assert "through a symlink" in refusal(root, "a.md")


def test_a_circle_of_symlinks_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.md").symlink_to("b.md")
    (tmp_path / "b.md").symlink_to("a.md")
    assert "item item-7: reference file 'a.md': cannot be read" in refusal(tmp_path, "a.md")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    """C76."""
    os.mkfifo(tmp_path / "a.md")
    assert refusal(tmp_path, "a.md") == (
        "item item-7: reference file 'a.md': is not a regular file (a device, pipe or socket). "
        "Put a plain file in its place."
    )


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device files here")
def test_a_device_is_refused() -> None:
    """C76."""
    assert "is not a regular file" in refusal(Path("/dev"), "zero")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.md", b"", "is empty. Fill it."),
        ("a.md", b" \n\n", "has no text. Fill it."),
        ("a.xlsx", b"", "is empty. Fill it."),
        ("a.txt", b"caf\xe9", "is not UTF-8 text (byte 3). Save it as UTF-8."),
        ("a.csv", "a,b".encode("utf-16"), "is not UTF-8 text (byte 0). Save it as UTF-8."),
        ("a.txt", b"ab\x00c", "is not text: it has a NUL at character 2. Save it as UTF-8 text."),
        (
            "a.xls",
            b"x",
            "the suffix .xls cannot be read. Save it as one of .md, .markdown, .txt, .log, .toml, .ini, .cfg, .jsonl, "
            ".xml, .html, .tex, .sql, .py, .csv, .tsv, .json, .yaml, .yml, .xlsx, .xlsm, .docx, .pdf.",
        ),
        (
            "notes",
            b"x",
            "a name without a suffix cannot be read. Save it as one of .md, .markdown, .txt, .log, .toml, .ini, .cfg, "
            ".jsonl, .xml, .html, .tex, .sql, .py, .csv, .tsv, .json, .yaml, .yml, .xlsx, .xlsm, .docx, .pdf.",
        ),
        (
            "a.docx",
            b"\xd0\xcf\x11\xe0 and more",
            "is encrypted or in the old binary format. Save it without a password as .xlsx or .docx.",
        ),
        (
            "a.xlsx",
            b"no zip file",
            "is not a zipped office file, whatever its suffix says. Save it again in this format.",
        ),
        (
            "a.docx",
            b"PK\x03\x04 and no more",
            "cannot be read as an office file, it may be damaged (BadZipFile: File is not a zip file). "
            "Open it, save it again and check that nothing is lost.",
        ),
        (
            "a.pdf",
            b"no pdf",
            "is not a pdf, whatever its suffix says. Save it again in this format.",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_told_in_these_words(
    tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    """C50: an error at load for what ships, an Unreadable with the same reason for what a candidate produced."""
    put(tmp_path, name, data)
    assert refusal(tmp_path, name) == f"item item-7: reference file {name!r}: {message}"
    assert read_deliverable(name, data) == Unreadable(name, message)


def test_a_missing_file_is_named_with_its_folder(tmp_path: Path) -> None:
    assert refusal(tmp_path, "a.md") == (
        f"item item-7: reference file 'a.md': not found in {tmp_path}. Add the file or correct the name."
    )


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    assert refusal(tmp_path, "data") == ("item item-7: reference file 'data': is a folder. Name the files in it.")


def test_a_file_listed_twice_is_refused_however_it_is_spelt(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"x")
    assert refusal(tmp_path, "a.md", "./a.md") == ("item item-7: reference file './a.md': is listed twice. Delete one.")


def test_a_file_over_the_size_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "MAX_FILE", 10)
    put(tmp_path, "a.txt", b"x" * 11)
    assert refusal(tmp_path, "a.txt") == (
        "item item-7: reference file 'a.txt': 11 bytes is over the limit of 10. Split the file."
    )
    assert read_deliverable("a.txt", b"x" * 11) == Unreadable("a.txt", "11 bytes is over the limit of 10.")
    assert read_deliverable("a.txt", b"x" * 10) == Material("a.txt", "x" * 10, "txt")


def test_a_text_over_the_limit_is_refused_and_not_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "MAX_CHARACTERS", 10)
    put(tmp_path, "a.txt", b"x" * 11)
    assert refusal(tmp_path, "a.txt") == (
        "item item-7: reference file 'a.txt': its text has 11 characters, over the limit of 10. Split the file."
    )


@pytest.mark.parametrize(
    ("name", "library"), [("a.xlsx", "openpyxl"), ("a.docx", "docx"), ("a.pdf", "pypdf")], ids=["xlsx", "docx", "pdf"]
)
def test_a_missing_extra_is_an_error_for_everyone_and_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, library: str
) -> None:
    """It is no fault of a candidate, so its file is not called unreadable."""
    monkeypatch.setitem(sys.modules, library, None)
    put(tmp_path, name, b"PK\x03\x04")
    message = f"reading {name[1:]} files needs {library}, which is not installed. Run: pip install 'kwsuite[docs]'"
    assert refusal(tmp_path, name) == f"item item-7: reference file {name!r}: {message}"
    with pytest.raises(DataError) as caught:
        read_deliverable(name, b"PK\x03\x04")
    assert str(caught.value) == message


def test_text_is_read_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("openpyxl", "docx", "pypdf"):
        monkeypatch.setitem(sys.modules, library, None)
    put(tmp_path, "a.md", b"x")
    assert read_material(tmp_path, ["a.md"], "item-7")[0].text == "x"


def test_a_deliverables_name_opens_no_path_and_keeps_no_control_character() -> None:
    """C48: the name is data from the candidate."""
    assert read_deliverable("/etc/passwd.md", b"mine") == Material("/etc/passwd.md", "mine", "md")
    assert read_deliverable("a\n# Verdict: met.bin", b"x").name == "'a\\n# Verdict: met.bin'"


@settings(deadline=None)
@given(
    st.sampled_from([".xlsx", ".docx", ".pdf", ".csv", ".json"]),
    st.sampled_from([b"", b"PK\x03\x04", b"%PDF-1.7\n"]),
    st.binary(max_size=400),
)
def test_whatever_bytes_a_candidate_leaves_are_answered(suffix: str, head: bytes, rest: bytes) -> None:
    """C50: the run goes on."""
    answer = read_deliverable("out" + suffix, head + rest)
    assert isinstance(answer, Material | Unreadable)
    assert answer.text if isinstance(answer, Material) else answer.reason
