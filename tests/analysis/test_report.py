"""The report as a page, as files and in the terminal."""

import csv
import json
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from click.testing import CliRunner, Result
from inspect_ai.scorer import Score

from kwsuite import analysis
from kwsuite.analysis import find, read_frames
from kwsuite.analysis.commands import report
from kwsuite.analysis.page import render_page
from tests.analysis.making import gate_record, write_log

PASS = {"m1": "met", "m2": "met", "g1": "met"}
FAIL = {"m1": "met", "m2": "not_met", "g1": "met"}
ATTACK = "</script><img src=x onerror=alert(1)><b>'\"&amp;"


def logs(folder: Path, items: int = 12, models: tuple[str, ...] = ("x/a", "x/b")) -> Path:
    for number, model in enumerate(models):
        samples = {f"i{place}": {"input": f"q {place}", "category": f"c{place % 3}"} for place in range(items)}
        scores = {(name, 1): gate_record(PASS if (place + number) % 3 else FAIL) for place, name in enumerate(samples)}
        write_log(folder, model, scores, samples, number=number)
    return folder


def page(folder: Path, **options: Any) -> str:
    frames = read_frames(folder)
    return render_page(find(frames, **options), frames, "A title", "1 January 2026")


def invoke(*arguments: Any) -> Result:
    return CliRunner().invoke(report, [str(argument) for argument in arguments])


def test_the_page_names_no_address_it_would_load(tmp_path: Path) -> None:
    text = re.sub(r"<script>.*?</script>", "", page(logs(tmp_path)), flags=re.S)
    assert not re.findall(r"(?:src|href)=(?!\"data:,|\"#)", text)
    assert "default-src 'none'" in text
    assert "unsafe-eval" not in text


def test_the_same_logs_give_the_same_page(tmp_path: Path) -> None:
    assert page(logs(tmp_path)) == page(tmp_path)


def test_what_logs_say_cannot_become_markup(tmp_path: Path) -> None:
    samples = {f"i{place}{ATTACK}": {"input": ATTACK, "category": ATTACK + str(place % 2)} for place in range(4)}
    for number, model in enumerate(["x/a" + ATTACK, "y/b"]):
        scores = {(name, 1): gate_record(FAIL if number else PASS) for name in samples}
        write_log(tmp_path, model, scores, samples, task=ATTACK, number=number)
    text = page(tmp_path, view="http://localhost:7575")
    assert "onerror=alert(1)" in text
    assert "<img src=x" not in text
    for block in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', text, flags=re.S):
        assert "<" not in block
        json.loads(block)


def test_every_picture_has_a_text_and_its_data(tmp_path: Path) -> None:
    text = page(logs(tmp_path, items=30))
    pictures = re.findall(r'<div class="chart" role="img" aria-label="([^"]*)"', text)
    assert len(pictures) == 6
    assert all(len(said) > 30 for said in pictures)
    assert text.count("<summary>Data") == 5


def test_numbers_on_the_page_come_with_their_n_and_interval(tmp_path: Path) -> None:
    text = " ".join(re.sub(r"<[^>]+>", " ", page(logs(tmp_path))).split())
    assert "a passes 66.7% of 12 items (95% interval 39.1–86.2%)" in text


@pytest.mark.parametrize("items", [1, 2, 9])
def test_few_items_and_one_candidate_make_a_page_without_comparisons(tmp_path: Path, items: int) -> None:
    text = page(logs(tmp_path, items, ("x/a",)))
    assert "Few items" in text
    assert "What a router would reach" not in text
    assert "Differences of all" not in text


def test_scores_without_passes_make_a_page_of_means(tmp_path: Path) -> None:
    for number, model in enumerate(["x/a", "x/b"]):
        scores = {(f"i{place}", 1): Score(value=0.5 + place / 100 + number / 10) for place in range(12)}
        write_log(tmp_path, model, scores, {f"i{place}": {} for place in range(12)}, scorer_name="rouge", number=number)
    text = " ".join(re.sub(r"<[^>]+>", " ", page(tmp_path)).split())
    assert "b scores 0.655 on average over 12 items" in text
    assert "No pass or fail" in text
    assert "What they reach together" not in text


def test_a_benchmark_in_which_everything_broke_still_makes_a_page(tmp_path: Path) -> None:
    scores = {(f"i{place}", 1): Score.unscored() for place in range(3)}
    write_log(tmp_path, "x/a", scores, {f"i{place}": {} for place in range(3)}, task="broken")
    logs(tmp_path)
    text = page(tmp_path)
    assert "3 of 3 samples unscored" in text
    assert text.count('class="benchmark"') == 4


def test_the_command_writes_the_page_and_prints_a_summary(tmp_path: Path) -> None:
    out = tmp_path / "out" / "r.html"
    result = invoke(logs(tmp_path), "-o", out, "--title", "My run")
    assert result.exit_code == 0, result.output
    assert "a passes 66.7% of 12 items" in " ".join(result.output.split())
    assert "<h1>My run</h1>" in out.read_text(encoding="utf-8")


def test_without_an_output_only_the_summary_is_printed(tmp_path: Path) -> None:
    result = invoke(logs(tmp_path))
    assert result.exit_code == 0
    assert "-o report.html" in result.output
    assert not list(tmp_path.glob("*.html"))


def test_all_formats_hold_the_same_figures(tmp_path: Path) -> None:
    folder = logs(tmp_path / "logs")
    for form, out in (("csv", "c"), ("json", "j.json"), ("parquet", "p")):
        result = invoke(folder, "--format", form, "-o", tmp_path / out)
        assert result.exit_code == 0, result.output
    written = json.loads((tmp_path / "j.json").read_text(encoding="utf-8"))
    assert set(written) == {path.stem for path in (tmp_path / "c").iterdir()}
    for name, rows in written.items():
        with (tmp_path / "c" / f"{name}.csv").open(encoding="utf-8", newline="") as source:
            from_csv = list(csv.DictReader(source))
        from_parquet = pd.read_parquet(tmp_path / "p" / f"{name}.parquet").to_dict("records")
        assert len(rows) == len(from_csv) == len(from_parquet)
        for one, two, three in zip(rows, from_csv, from_parquet, strict=True):
            assert list(one) == list(two) == list(three)
            for key, value in one.items():
                assert _same(value, two[key]), (name, key)
                assert _same(value, three[key]), (name, key)


def _same(value: Any, other: Any) -> bool:
    if isinstance(value, list | dict):
        return bool(value == json.loads(other))
    if value is None:
        return other in ("", None) or (isinstance(other, float) and math.isnan(other))
    if isinstance(value, bool):
        return str(value) == str(other)
    if isinstance(value, int | float):
        return math.isclose(value, float(other), rel_tol=1e-9, abs_tol=1e-12)
    return bool(str(value) == str(other))


def test_names_in_the_summary_are_not_read_as_markup(tmp_path: Path) -> None:
    logs(tmp_path, models=("x/[red]a",))
    assert "[red]a" in invoke(tmp_path).output


def test_left_out_logs_are_named_on_the_page_and_in_the_summary(tmp_path: Path) -> None:
    logs(tmp_path)
    (tmp_path / "broken.eval").write_text("x", encoding="utf-8")
    assert "broken.eval" in page(tmp_path)
    assert "Left out: 1 unreadable" in invoke(tmp_path).output


def test_logs_without_a_readable_score_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    write_log(tmp_path, "x/a", {("i1", 1): Score(value="fine")}, {"i1": {}}, scorer_name="other")
    result = invoke(tmp_path)
    assert result.exit_code == 2
    assert "--scorer" in result.output


def test_a_confidence_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "like 0.95" in invoke(logs(tmp_path), "--level", "95").output


def test_the_commands_load_nothing_heavy_before_they_run() -> None:
    program = "import sys, kwsuite.analysis.commands; print(any(name in sys.modules for name in ('pandas', 'altair')))"
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"


def test_every_name_the_package_exports_is_there() -> None:
    assert all(hasattr(analysis, name) for name in analysis.__all__)
    assert not hasattr(analysis, "nothing")


def test_a_report_that_cannot_be_written_is_an_error_that_says_where(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    outcome = invoke(logs(tmp_path / "logs"), "-o", tmp_path / "taken" / "report.html")
    assert outcome.exit_code == 2
    assert "cannot write the report" in outcome.output


def test_the_summary_is_printed_once_and_the_file_is_named_on_a_line_of_its_own(tmp_path: Path) -> None:
    out = tmp_path / "r.html"
    printed = invoke(logs(tmp_path / "logs"), "-o", out).output
    assert printed.count("95% interval") == 2, "once in the table, once in the first sentence"
    assert printed.endswith(f"\nwrote {out}\n")


def test_a_report_over_one_candidate_has_nothing_that_needs_two(tmp_path: Path) -> None:
    text = page(logs(tmp_path, 12, ("x/a",)))
    parts = re.findall(r"<h3[^>]*>([^<]*)</h3>", text)
    assert parts == [
        "Who passes how much",
        "Where it is strong",
        "What kind of criterion fails",
        "Which tier fails",
        "Criteria that it fails",
    ]
    assert "mean of all" not in text


def test_criteria_that_nobody_fails_are_not_listed_as_failed(tmp_path: Path) -> None:
    write_log(tmp_path, "x/a", {("i1", 1): gate_record(PASS)}, {"i1": {}})
    assert "Criteria that it fails" not in page(tmp_path)
    write_log(tmp_path, "x/b", {("i1", 1): gate_record(FAIL)}, {"i1": {}}, number=1)
    text = page(tmp_path)
    listed = text[text.index("Criteria failed by most candidates") :].split("</table>")[0]
    assert re.findall(r"<code>(\w+)</code>", listed) == ["m2"]


def test_routers_of_scores_are_not_said_to_pass_items(tmp_path: Path) -> None:
    for number in range(2):
        scores = {(f"i{place}", 1): Score(value=0.5 + place / 100 + number / 10) for place in range(12)}
        write_log(
            tmp_path, f"x/{number}", scores, {f"i{place}": {} for place in range(12)}, scorer_name="o", number=number
        )
    text = page(tmp_path)
    assert "Mean score: best single" in text
    assert "items passed" not in text


def test_a_part_of_the_score_that_few_items_have_says_how_many(tmp_path: Path) -> None:
    scores = {
        ("i0", 1): Score(value={"reward": 1, "fraction": 1, "judged": 1.0, "deterministic": 1.0}),
        ("i1", 1): Score(value={"reward": 0, "fraction": 0, "judged": math.nan, "deterministic": 0.0}),
    }
    write_log(tmp_path, "x/a", scores, {"i0": {}, "i1": {}}, scorer_name="verified")
    text = page(tmp_path)
    own = text[text.index("All parts of the score") :].split("</table>")[0]
    assert "<small>–, n = 1</small>" in own
    assert "–––" not in own


def test_items_without_categories_name_none(tmp_path: Path) -> None:
    samples = {f"i{place}": {} for place in range(3)}
    for number in range(2):
        write_log(
            tmp_path,
            f"x/{number}",
            {(name, 1): gate_record(FAIL if number else PASS) for name in samples},
            samples,
            number=number,
        )
    text = page(tmp_path)
    assert "<small>all" not in text
    assert "<small>differ on 1 of 3 criteria</small>" in text
