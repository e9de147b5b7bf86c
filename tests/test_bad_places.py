"""Whatever path a command is given, it ends in a line that says what to do, and never in a traceback."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from click.testing import CliRunner, Result

from kwsuite.calibrating.label_sheets import key_path
from kwsuite.cli import main

EXAMPLES = Path(__file__).parent.parent / "logs" / "examples"


def call(*arguments: Any) -> Result:
    done = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    return done


def made(folder: Path, kind: str) -> Path:
    """Make something that a command does not expect."""
    path = folder / kind
    match kind:
        case "empty.eval" | "empty.csv" | "empty.yaml" | "empty.jsonl" | "empty.txt":
            path.write_bytes(b"")
        case "binary.eval" | "binary.csv" | "binary.yaml" | "binary.jsonl" | "binary.txt":
            path.write_bytes(bytes(range(256)) * 8)
        case "folder" | "folder.eval" | "folder.csv" | "folder.yaml" | "folder.jsonl":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case _:
            assert kind == "missing"
    return path


KINDS = [
    *(f"{what}.{end}" for what in ("empty", "binary") for end in ("eval", "csv", "yaml", "jsonl", "txt")),
    *("folder", "folder.eval", "folder.csv", "folder.yaml", "folder.jsonl", "pipe", "missing"),
]

COMMANDS: dict[str, Callable[[Path], tuple[Any, ...]]] = {
    "check": lambda path: ("check", path),
    "check kwbench": lambda path: ("check", path, "--benchmark", "kwbench"),
    "check worlds": lambda path: ("check", path, "--benchmark", "implicit_worlds"),
    "check spotting": lambda path: ("check", path, "--benchmark", "problem_spotting"),
    "check gated": lambda path: ("check", path, "--benchmark", "knowledge_gated"),
    "leaks": lambda path: ("leaks", path),
    "leaks folder": lambda path: ("leaks", "escrow", path),
    "screen": lambda path: ("screen", "--frontier-with", path, "--frontier-without", path, "--mid-with", path),
    "calibrate sample": lambda path: ("calibrate-matching", path.parent / "new.csv", "--sample", path),
    "calibrate": lambda path: ("calibrate-matching", path),
    "export": lambda path: ("export", "hub", path.parent / "new", "--dataset", path),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_command_cannot_use_is_refused_in_words(tmp_path: Path, command: str, kind: str) -> None:
    done = call(*COMMANDS[command](made(tmp_path, kind)))
    assert done.exit_code in (1, 2)
    assert len(done.output) > 20


@pytest.mark.parametrize("what", ["kwbench", "world", "spotting", "gated"])
@pytest.mark.parametrize("place", ["/proc/x", "file/below"])
def test_a_new_item_where_nothing_can_be_written_is_refused(tmp_path: Path, what: str, place: str) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = call("new", what, "my-item", "--folder", tmp_path / place)
    assert done.exit_code == 1
    assert f"{place}/my-item" in done.output
    assert "cannot be written (" in done.output


def test_an_export_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = call("export", "hub", tmp_path / "file" / "below")
    assert (done.exit_code, "cannot be written (Not a directory)" in done.output) == (1, True)


def test_a_demo_where_nothing_can_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    done = call("demo", "--log-dir", tmp_path / "file" / "below")
    assert (done.exit_code, "cannot be written (Not a directory)" in done.output) == (1, True)


def test_leaks_refuses_a_folder_in_which_nothing_is_searched(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = call("leaks", "escrow", tmp_path)
    assert (done.exit_code, "0 findings" in done.output) == (1, False)
    assert "holds no files, so nothing was searched" in done.output


def write_sheet(folder: Path, *, header: str = "pair,problem,finding,label", similarity: str = "0.5") -> Path:
    sheet = folder / "labels.csv"
    sheet.write_text(f"{header}\np1,a,b,same,x\np2,c,d,different,x\n", encoding="utf-8")
    rows = f"pair,match,similarity\np1,lexical,{similarity}\np2,lexical,0.1\n"
    key_path(sheet).write_text(rows, encoding="utf-8")
    return sheet


@pytest.mark.parametrize("similarity", ["nan", "inf", "-inf", "-5", "1.01"])
def test_a_similarity_that_none_can_be_is_refused(tmp_path: Path, similarity: str) -> None:
    """C96"""
    done = call("calibrate-matching", write_sheet(tmp_path, similarity=similarity))
    assert done.exit_code == 1
    assert f"labels.key.csv: similarity '{similarity}' is not between 0 and 1." in done.output


@pytest.mark.parametrize("similarity", ["0", "1", "0.5"])
def test_a_similarity_at_either_end_is_taken(tmp_path: Path, similarity: str) -> None:
    assert call("calibrate-matching", write_sheet(tmp_path, similarity=similarity)).exit_code == 0


def test_a_sheet_with_two_columns_of_labels_is_refused(tmp_path: Path) -> None:
    done = call("calibrate-matching", write_sheet(tmp_path, header="pair,problem,finding,label,label"))
    assert done.exit_code == 1
    assert "labels.csv:1: column label stands twice. Delete one." in done.output


def test_a_sheet_that_is_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "labels.csv")
    done = call("calibrate-matching", tmp_path / "labels.csv")
    assert (done.exit_code, "not a regular file" in done.output) == (1, True)


def test_a_sheet_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    logs = sorted(EXAMPLES.glob("*problem-spotting*.eval"))
    done = call("calibrate-matching", tmp_path / "gone" / "labels.csv", "--sample", logs[0])
    assert (done.exit_code, "cannot be written (No such file" in done.output) == (1, True)


@pytest.mark.parametrize("kept", [0.1, 0.5, 0.97])
@pytest.mark.parametrize("command", ["screen", "calibrate sample"])
def test_a_truncated_log_is_refused_by_name(tmp_path: Path, command: str, kept: float) -> None:
    kind = "knowledge-gated" if command == "screen" else "problem-spotting"
    (whole,) = EXAMPLES.glob(f"*{kind}*.eval")
    cut = tmp_path / whole.name
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * kept)])
    done = call(*COMMANDS[command](cut))
    assert done.exit_code == 1
    assert whole.name in done.output


@pytest.mark.parametrize(
    ("command", "part"),
    [
        *(("screen", "samples/"), ("screen", "header.json"), ("calibrate sample", "samples/")),
        *(("check", "summaries.json"), ("check", "header.json")),
    ],
)
def test_a_log_with_a_damaged_part_is_refused_by_name(tmp_path: Path, command: str, part: str) -> None:
    log = damaged("knowledge-gated" if command == "screen" else "problem-spotting", part, tmp_path)
    done = call(*COMMANDS[command](log))
    assert (done.exit_code, log.name in done.output) == (1, True), done.output


@pytest.mark.parametrize(
    ("command", "part"),
    [
        *(("report", part) for part in ("header.json", "summaries.json", "samples/")),
        *(("compare", part) for part in ("header.json", "summaries.json")),
    ],
)
def test_figures_are_not_made_from_a_log_with_a_damaged_part(tmp_path: Path, command: str, part: str) -> None:
    log = damaged("problem-spotting", part, tmp_path)
    whole = next(EXAMPLES.glob(f"*{log.name}"))
    done = call("report", log, "-o", tmp_path / "r.html") if command == "report" else call("compare", whole, log)
    assert (done.exit_code, log.name in done.output) == (2, True), done.output


def damaged(kind: str, part: str, folder: Path) -> Path:
    """Copy an example log, with the contents of the members whose names begin with `part` overwritten."""
    (whole,) = EXAMPLES.glob(f"*{kind}*.eval")
    data = bytearray(whole.read_bytes())
    with ZipFile(whole) as log:
        members = [member for member in log.infolist() if member.filename.startswith(part)]
    for member in members:
        start = member.header_offset + 30 + len(member.filename)
        data[start + 20 : start + member.compress_size] = b"\xff" * (member.compress_size - 20)
    (folder / whole.name).write_bytes(data)
    return folder / whole.name


GROUPS = ((), ("new",), ("export",))
LEAVES = [
    *(("new", what) for what in ("kwbench", "world", "spotting", "gated")),
    *((name,) for name in main.commands if name not in ("new", "export")),
    ("export", "hub"),
]


@pytest.mark.parametrize("command", [*GROUPS, *LEAVES], ids=" ".join)
def test_every_help_fits_eighty_columns(command: tuple[str, ...]) -> None:
    done = CliRunner().invoke(main, [*command, "--help"], terminal_width=80)
    assert done.exit_code == 0
    assert max(len(line) for line in done.output.splitlines()) <= 80
