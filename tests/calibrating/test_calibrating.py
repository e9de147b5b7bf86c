"""Labels and thresholds."""

import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.scorer import Score

from kwsuite.calibrating.commands import calibrate_matching
from kwsuite.calibrating.curve import Labelled, best_point, point_at, threshold_curve, worth
from kwsuite.calibrating.label_sheets import DrawnPair, SheetError, key_path, read_sheet, sample_pairs, write_sheet
from kwsuite.matching.pair_record import PairRecord

PAIRS = [
    ("The 38 % figure has no source.", "No reference or source is given for the figure of 38 %.", "The clauses clash."),
    ("“尽快”没有给出期限，双方会有不同理解。", "完成时间只写“尽快”，没有具体期限，容易产生争议。", "合计算错了。"),
]


LABELLED = [Labelled(0.9, True), Labelled(0.8, True), Labelled(0.4, False), Labelled(0.6, True), Labelled(0.5, False)]


def test_the_best_threshold_parts_what_can_be_parted() -> None:
    best = best_point(threshold_curve(LABELLED))
    assert best.threshold == pytest.approx(0.55)
    assert (best.kappa, best.agreement, best.f1) == (1.0, 1.0, 1.0)


def test_a_point_counts_agreement_and_kappa() -> None:
    point = point_at(LABELLED, 0.7)
    assert (point.precision, point.recall, point.agreement) == (1.0, pytest.approx(2 / 3), pytest.approx(0.8))
    # chance: (2 * 3 + 3 * 2) / 25
    assert point.kappa == pytest.approx((0.8 - 0.48) / (1 - 0.48))


def test_no_labels_and_one_sided_labels_are_refused() -> None:
    with pytest.raises(ValueError, match="no labelled pairs"):
        threshold_curve([])
    with pytest.raises(ValueError, match="every label is the same"):
        best_point([point_at([Labelled(0.5, True)], 0.0)])


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=20))
def test_no_threshold_agrees_better_than_the_best_of_the_curve(rows: list[tuple[float, bool]]) -> None:
    pairs = [Labelled(*row) for row in rows]
    curve = threshold_curve(pairs)
    top = max(point.agreement for point in curve)
    assert all(point_at(pairs, threshold / 20).agreement <= top + 1e-12 for threshold in range(21))
    assert [point.threshold for point in curve] == sorted(point.threshold for point in curve)


def record(number: int, similarity: float | None = 0.5, matched: bool = False, iou: float = 1.0) -> PairRecord:
    return PairRecord(
        document=f"d{number}", language="en", problem=f"problem {number}", finding=f"=finding {number}",
        match="lexical", similarity=similarity, iou=iou, matched=matched,
    )  # fmt: skip


def test_a_sample_holds_rare_kinds_and_depends_on_the_seed_only() -> None:
    records = [record(n, 0.9, matched=True) for n in range(50)] + [record(99, 0.1, iou=0.0), record(98, None)]
    chosen = sample_pairs(records, 10, seed=3)
    assert {"d99", "d98"} <= {one.record.document for one in chosen}
    assert chosen == sample_pairs(list(reversed(records)), 10, seed=3)
    assert len(sample_pairs(records, 500)) == 52


def drawn(*records: PairRecord) -> list[DrawnPair]:
    return [DrawnPair(one, 1.0) for one in records]


def test_the_weights_of_a_sample_add_up_to_the_pairs_of_the_logs() -> None:
    records = [record(n, 0.25) for n in range(80)] + [record(n, 0.95) for n in range(80, 84)]
    chosen = sample_pairs(records, 10)
    assert sorted({(one.record.similarity, one.weight) for one in chosen}) == [(0.25, 80 / 6), (0.95, 1.0)]
    assert sum(one.weight for one in chosen) == pytest.approx(84)


def test_the_command_gives_the_shares_of_the_logs_and_not_of_the_sheet(tmp_path: Path) -> None:
    """Of 20 same pairs 4 are found at the threshold, but of the 8 in the sheet it is every second."""
    records = [record(n, 0.25) for n in range(80)] + [record(n, 0.35) for n in range(80, 96)]
    sheet = tmp_path / "labels.csv"
    write_sheet(sheet, sample_pairs([*records, *(record(n, 0.95) for n in range(96, 100))], 12))
    rows = sheet.read_text(encoding="utf-8-sig").splitlines()
    same = [int(row.split("=finding ")[1].removesuffix(",,")) >= 80 for row in rows[1:]]
    labels = ["same" if one else "different" for one in same]
    filled = [rows[0], *(f"{row.removesuffix(',,')},{label}," for row, label in zip(rows[1:], labels, strict=True))]
    sheet.write_text("\n".join(filled), encoding="utf-8-sig")
    pairs, _ = read_sheet(sheet)
    told = [Labelled(one.recorded or 0, one.label == "same", one.weight or 0) for one in pairs]
    assert point_at(told, 0.9).recall == pytest.approx(4 / 20)
    whole = " ".join(CliRunner().invoke(calibrate_matching, [str(sheet)]).output.split())
    assert "1.00 │ 0.20 │ 0.33 │ 0.84" in whole
    assert "Shares are those of all pairs in the logs" in whole
    key = key_path(sheet)
    key.write_text(key.read_text(encoding="utf-8-sig").replace(",weight", ",other"), encoding="utf-8-sig")
    whole = " ".join(CliRunner().invoke(calibrate_matching, [str(sheet)]).output.split())
    assert "1.00 │ 0.50 │ 0.67 │ 0.67" in whole
    assert "Shares are the sheet's" in whole


def test_labelled_pairs_of_unequal_weight_say_less_than_their_number() -> None:
    assert worth([Labelled(0.5, True)] * 4) == 4
    assert worth([Labelled(0.5, True, 97.0), *[Labelled(0.5, True)] * 3]) == pytest.approx(1.06, abs=0.01)


def test_a_sheet_comes_back_with_labels_and_the_recorded_similarity(tmp_path: Path) -> None:
    sheet = tmp_path / "labels.csv"
    write_sheet(sheet, drawn(record(1, 0.25), record(2, 0.75)))
    assert "0.75" not in sheet.read_text(encoding="utf-8-sig")
    assert "'=finding 1" in sheet.read_text(encoding="utf-8-sig")
    filled = sheet.read_text(encoding="utf-8-sig").replace("'=finding 2,,", "'=finding 2,相同,")
    sheet.write_text(filled, encoding="utf-8-sig")
    pairs, empty = read_sheet(sheet)
    assert [(one.label, one.recorded, one.finding) for one in pairs] == [("same", 0.75, "=finding 2")]
    assert empty == 1


def log_with(pairs: list[PairRecord], path: Path) -> None:
    log = EvalLog(
        status="success",
        eval=EvalSpec(
            created="2026-01-05T09:00:00+00:00",
            task="problem_spotting",
            dataset=EvalDataset(sample_ids=["d1"], samples=1),
            model="none/none",
            config=EvalConfig(),
        ),
        samples=[
            EvalSample(
                id="d1", epoch=1, input="x", target="",
                scores={"spotted": Score(value={"f1": 1.0}, metadata={"pairs": [one.model_dump() for one in pairs]})},
            )
        ],
    )  # fmt: skip
    write_eval_log(log, str(path))


def test_the_command_samples_a_sheet_from_logs(tmp_path: Path) -> None:
    log_with([record(1), record(2)], tmp_path / "run.eval")
    sheet = tmp_path / "labels.csv"
    result = CliRunner().invoke(calibrate_matching, [str(sheet), "--sample", str(tmp_path), "--size", "1"])
    assert result.exit_code == 0, result.output
    assert "1 of 2 pairs written" in result.output
    assert read_sheet(sheet) == ([], 1)


def test_logs_without_pairs_are_refused(tmp_path: Path) -> None:
    log_with([], tmp_path / "run.eval")
    result = CliRunner().invoke(calibrate_matching, [str(tmp_path / "a.csv"), "--sample", str(tmp_path / "run.eval")])
    assert result.exit_code == 1
    assert "Give logs of problem_spotting" in result.output


def test_logs_of_two_ways_of_matching_are_refused_before_people_label(tmp_path: Path) -> None:
    log_with([record(1)], tmp_path / "one.eval")
    log_with([record(2).model_copy(update={"match": "judge"})], tmp_path / "two.eval")
    result = CliRunner().invoke(calibrate_matching, [str(tmp_path / "a.csv"), "--sample", str(tmp_path)])
    assert result.exit_code == 1
    assert "these logs matched by judge and lexical" in result.output
    assert not (tmp_path / "a.csv").exists()


def test_labels_are_never_overwritten(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(SheetError, match="may hold labels"):
        write_sheet(tmp_path / "labels.csv", drawn(record(1)))


def test_ways_of_matching_are_never_mixed(tmp_path: Path) -> None:
    sheet = tmp_path / "labels.csv"
    write_sheet(sheet, drawn(record(1), record(2).model_copy(update={"match": "judge"})))
    with pytest.raises(SheetError, match="mixes judge and lexical"):
        read_sheet(sheet)


def labelled_sheet(path: Path) -> Path:
    rows = ["problem,finding,label"]
    for problem, paraphrase, unrelated in PAIRS:
        rows += [f'"{problem}","{paraphrase}",same', f'"{problem}","{unrelated}",different', f'"{problem}",x,']
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_the_command_reports_curve_best_point_and_agreement(tmp_path: Path) -> None:
    sheet = labelled_sheet(tmp_path / "labels.csv")
    result = CliRunner().invoke(calibrate_matching, [str(sheet), "--match", "lexical"])
    assert result.exit_code == 0, result.output
    assert "4 pairs labelled, 2 of them same; 2 without a label" in result.output
    assert "agreement 1.00, kappa 1.00, F1 1.00" in result.output


def test_a_labelled_pair_without_a_recorded_similarity_is_left_out_and_counted(tmp_path: Path) -> None:
    sheet = tmp_path / "labels.csv"
    write_sheet(sheet, drawn(record(1, 0.2), record(2, 0.8), record(3, None)))
    filled = sheet.read_text(encoding="utf-8-sig").replace("1,,", "1,different,").replace("2,,", "2,same,")
    sheet.write_text(filled.replace("3,,", "3,different,"), encoding="utf-8-sig")
    result = CliRunner().invoke(calibrate_matching, [str(sheet)])
    assert "2 pairs labelled, 1 of them same; 1 left out" in " ".join(result.output.split())


def test_the_command_says_what_to_do_without_recorded_similarities(tmp_path: Path) -> None:
    result = CliRunner().invoke(calibrate_matching, [str(labelled_sheet(tmp_path / "labels.csv"))])
    assert result.exit_code == 1
    assert "Add --match lexical or --match embedding" in result.output


def test_an_unknown_label_names_its_line(tmp_path: Path) -> None:
    sheet = tmp_path / "labels.csv"
    sheet.write_text("problem,finding,label\na,b,maybe\n", encoding="utf-8")
    with pytest.raises(SheetError, match=r"labels.csv:2: label 'maybe'"):
        read_sheet(sheet)
    assert not key_path(sheet).exists()


def test_a_curve_says_nan_for_what_it_cannot_say() -> None:
    assert math.isnan(threshold_curve(LABELLED)[-1].precision)
