"""`kwsuite check` for gated tasks: what ships holds, and each proof finds the fault it is for."""

from pathlib import Path

import pytest

from kwsuite.audit.gated import gated_findings
from kwsuite.audit.gated_independence import independence_findings
from kwsuite.audit.gated_leaks import folder_leak_findings, gated_leak_findings
from kwsuite.audit.gated_proofs import proof_findings
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import read_gated
from kwsuite.datasets.gated_programs import Remembered, load_program
from kwsuite.datasets.gated_set import bundled_gated_folder
from tests.gated.small import small_task


def messages(folder: Path) -> str:
    """What the proofs of one seed say; the whole check also starts fresh interpreters, which few tests need."""
    return "\n".join(str(finding) for finding in proof_findings(read_gated(folder), (7,)))


def all_messages(folder: Path) -> str:
    return "\n".join(str(finding) for finding in gated_findings(folder, (7,)))


def test_every_shipped_task_holds_every_proof_on_a_seed_of_its_own() -> None:
    """C120: the three seeds of `kwsuite check` are checked by `make check`."""
    assert all_messages(bundled_gated_folder()) == ""


def test_the_template_passes_as_it_stands(tmp_path: Path) -> None:
    assert all_messages(small_task(tmp_path)) == ""


def test_a_verifier_that_ignores_a_convention_is_found(tmp_path: Path) -> None:
    lenient = ("return raw if raw == 0 else sorted((low, raw, high))[1]", "return raw")
    found = messages(small_task(tmp_path, verify_py=lenient))
    assert "with the artefact it fails all_values, largest_fee, smallest_fee" in found


def test_a_convention_without_load_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, generate_py=('"largest_fee": [(90000, 60)]', '"largest_fee": [(900, 60)]'))
    assert "largest_fee set to 1000000 is not rejected under its name" in messages(task)


def test_planted_rows_that_another_convention_moves_are_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, generate_py=('"smallest_fee": [(150, 40)]', '"smallest_fee": [(150, 40), (90000, 60)]'))
    assert "largest_fee set to 1000000 also fails ['smallest_fee']" in messages(task)


def test_a_solution_that_knows_a_private_value_by_itself_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, solve_py=('"grace": 0', '"grace": 9'))
    assert "without an artefact it does not use the declared common values" in messages(task)


def test_a_verifier_that_takes_a_reversed_table_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, verify_py=("[] if names == sorted(names) else", "[] if names else"))
    assert "fees.csv: fault (rows reversed) passes" in messages(task)


def test_a_verifier_that_minds_harmless_formatting_is_found(tmp_path: Path) -> None:
    strict = ("rows = read_table(", 'assert_lf(case.outputs["fees.csv"])\n    rows = read_table(')
    task = small_task(tmp_path, verify_py=strict)
    with (task / "verify.py").open("a", encoding="utf-8") as file:
        file.write(
            "\n\ndef assert_lf(data):\n    from kwsuite.checking import Unreadable\n\n"
            "    if b'\\r' in data:\n        raise Unreadable('has CR')\n"
        )
    assert "harmless change (CRLF line ends) fails" in messages(task)


def test_a_verifier_built_like_the_solution_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path)
    solution = (task / "solve.py").read_text(encoding="utf-8").split("def solve")[1]
    with (task / "verify.py").open("a", encoding="utf-8") as file:
        file.write(f"\n\ndef again{solution}")
    assert "is built like solve of solve.py" in "\n".join(map(str, independence_findings(read_gated(task))))


def test_a_generator_that_depends_on_the_order_of_a_set_is_found(tmp_path: Path) -> None:
    unstable = (
        "    rng.shuffle(rows)\n",
        "    rows = [(r, a + list({'a', 'b', 'c', 'd'}).index('a'), d) for r, a, d in rows]\n",
    )
    assert "two runs differ" in all_messages(small_task(tmp_path, generate_py=unstable))


def test_a_program_that_breaks_is_found_with_its_line(tmp_path: Path) -> None:
    task = small_task(tmp_path, verify_py=("checks = case.checks()", "checks = case.checks(); 1 / 0"))
    line = (task / "verify.py").read_text(encoding="utf-8").splitlines().index("    checks = case.checks(); 1 / 0") + 1
    assert f"{task / 'verify.py'}:{line}" in all_messages(task)
    assert "breaks with ZeroDivisionError" in all_messages(task)


def test_a_solution_that_changes_its_inputs_is_found(tmp_path: Path) -> None:
    spoiling = (
        '    (root / "outputs").mkdir',
        '    (root / "data" / "mine.csv").touch()\n    (root / "outputs").mkdir',
    )
    assert "changes the input files mine.csv" in messages(small_task(tmp_path, solve_py=spoiling))


def test_an_output_over_its_size_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, task_yaml=("{path: fees.csv}", "{path: fees.csv, max_bytes: 9}"))
    assert "the right fees.csv is over its max_bytes" in messages(task)


def test_what_is_right_is_computed_once_and_nothing_done_to_it_lasts(tmp_path: Path) -> None:
    program = tmp_path / "verify.py"
    program.write_text(
        "def verify(calls):\n    rows = reference(calls)\n    rows.append('spoilt')\n    return rows\n\n\n"
        "def reference(calls):\n    with open(calls, 'a') as file:\n        file.write('x')\n    return ['right']\n",
        encoding="utf-8",
    )
    remembered, calls = Remembered(), str(tmp_path / "calls")
    given = [load_program(program, "verify", remembered)(calls) for _ in range(3)]
    assert given == [["right", "spoilt"]] * 3
    assert Path(calls).read_text(encoding="utf-8") == "x"


def test_an_artefact_that_names_the_deliverable_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, conventions_md=("# Late fees", "# Late fees for fees.csv"))
    assert "names the output fees.csv" in "\n".join(map(str, independence_findings(read_gated(task))))


def test_a_convention_that_no_artefact_tells_is_found(tmp_path: Path) -> None:
    task = small_task(tmp_path, conventions_md=("{{ daily_rate }} per cent", "0.037 per cent"))
    assert "convention daily_rate has no slot" in "\n".join(map(str, independence_findings(read_gated(task))))


@pytest.mark.parametrize(
    "told",
    [
        "at 0.037 per cent",
        "at 0,037 %",
        "cap 137.5",
        "cap １３７.５",
        "grace period of nine days that are free",
        "3.4 at least",
    ],
)
def test_a_value_in_the_instruction_is_found_in_every_spelling(tmp_path: Path, told: str) -> None:
    task = small_task(tmp_path, instruction_md=("Deliver", f"Mind: {told}. Deliver"))
    assert [f.check for f in gated_leak_findings(read_gated(task), (7,))] != []


def test_a_small_number_by_itself_is_no_leak(tmp_path: Path) -> None:
    task = small_task(tmp_path, instruction_md=("Deliver", "There are 9 files in all. Deliver"))
    assert gated_leak_findings(read_gated(task), (7,)) == []


def test_a_near_paraphrase_is_found_with_its_score(tmp_path: Path) -> None:
    told = "The days up to and including some are free. Deliver"
    task = small_task(tmp_path, instruction_md=("Deliver", told))
    assert any("of 100" in finding.message for finding in gated_leak_findings(read_gated(task), (7,)))


def test_any_folder_can_be_searched(tmp_path: Path) -> None:
    """C112, C118"""
    item = read_gated(small_task(tmp_path / "task"))
    (tmp_path / "image" / "conventions.md").parent.mkdir()
    (tmp_path / "image" / "conventions.md").write_text("see the wiki\n", encoding="utf-8")
    (tmp_path / "image" / "notes.txt").write_text("a\nthe cap is 137.50\n", encoding="utf-8")
    found = [str(finding) for finding in folder_leak_findings(item, tmp_path / "image")]
    assert any("conventions.md" in line and "names the artefact" in line for line in found)
    assert any("notes.txt:2" in line and "tells largest_fee" in line for line in found)


def test_a_wrong_value_that_equals_the_private_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="a wrong value equals the private one"):
        read_gated(small_task(tmp_path, task_yaml=("common: 0.05", "common: 0.037")))


def test_a_misspelt_field_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    """C78"""
    with pytest.raises(DataError, match="Did you mean 'tolerance'"):
        read_gated(small_task(tmp_path, task_yaml=("tolerance:", "tolerence:")))


BROKEN = {
    "generate.py ends the process": ("generate.py", b"raise SystemExit(0)\n", "ends the process when it is loaded"),
    "generate ends the process": ("generate.py", b"def generate(rng):\n    exit(0)\n", "ends the process"),
    "generate gives nothing": ("generate.py", b"def generate(rng):\n    return {}\n", "does not give {'files'"),
    "generate takes nothing": ("generate.py", b"def generate():\n    return {}\n", "does not give {'files'"),
    "a file is no text": (
        "generate.py",
        b"def generate(rng):\n    return {'files': {'a': 1}, 'planted': {}}\n",
        "a: is no text that UTF-8 can hold",
    ),
    "verify gives a number": ("verify.py", b"def verify(case):\n    return 3\n", "Return checks.report()"),
    "instruction not UTF-8": ("instruction.md", b"\xff\xfe", "not UTF-8 (byte 0)"),
    "artefact not UTF-8": ("artefact/conventions.md", b"\xff\xfe", "not UTF-8 (byte 0)"),
}


@pytest.mark.parametrize(("name", "content", "message"), BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_a_finding_and_neither_a_traceback_nor_a_pass(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    task = small_task(tmp_path)
    (task / name).write_bytes(content)
    found = [str(finding) for finding in gated_findings(task, (1,))]
    assert any(message in finding for finding in found), found
