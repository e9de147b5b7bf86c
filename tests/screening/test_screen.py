"""The screen's arithmetic on logs made for the purpose."""

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from kwsuite.cli import main
from kwsuite.screening.runs import Cell, RunResult, ScreenError, chosen_runs, read_cell
from kwsuite.screening.screen import Count, screen
from tests.screening.logs import write_log

KEPT = ("legal-clause", "paper-index", "bom-costing", "airline", "variant", "escrow", "dependency")
REJECTED = ("cohort", "msa", "fuzz", "esg", "cpi", "search", "inventory", "holdings")
FRONTIER = dict(zip((*KEPT, *REJECTED), (3, 4, 5, 5, 5, 5, 5, 2, 5, 5, 5, 2, 0, 0, 0), strict=True))
MID = dict(zip((*KEPT, *REJECTED), (0, 0, 0, 1, 2, 2, 2, 0, 3, 3, 3, 0, 1, 0, 0), strict=True))
"""Counts that give the aggregates the paper publishes; it does not publish the counts themselves."""


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("screen")
    write_log(folder / "fw", FRONTIER, "with")
    write_log(folder / "fn", dict.fromkeys(FRONTIER, 0), "without")
    write_log(folder / "mw", MID, "with")
    cells = (("--frontier-with", "fw"), ("--frontier-without", "fn"), ("--mid-with", "mw"))
    return [part for option, name in cells for part in (option, str(folder / name))]


def test_the_screen_gives_the_published_aggregates(logs: list[str], tmp_path: Path) -> None:
    table = tmp_path / "screen.csv"
    done = CliRunner().invoke(main, ["screen", *logs, "--json", "--csv", str(table)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.output)
    pooled = {cell: (one["passes"], one["runs"]) for cell, one in found["pooled"].items()}
    assert pooled == {"frontier_with": (51, 75), "frontier_without": (0, 75), "mid_with": (17, 75)}
    wilson = {cell: [round(100 * end, 1) for end in one["wilson"]] for cell, one in found["pooled"].items()}
    assert wilson == {"frontier_with": [56.8, 77.5], "frontier_without": [0.0, 4.9], "mid_with": [14.7, 33.3]}
    assert sorted(found["kept"]) == sorted(KEPT)
    assert round(found["variance_all"], 4) == 0.088
    assert round(found["variance_kept"], 4) == 0.0914
    rows = list(csv.DictReader(table.open(encoding="utf-8", newline="")))
    assert [row["why"] for row in rows if row["task"] == "cpi"] == ["frontier with 2/5 is below 60%"]
    assert [row["why"] for row in rows if row["task"] == "esg"] == ["mid with 3/5 is above 40%"]


def test_the_table_marks_cells_that_one_run_would_turn(logs: list[str]) -> None:
    found = json.loads(CliRunner().invoke(main, ["screen", *logs, "--json"]).output)
    boundary = {task["task"]: task["boundary"] for task in found["tasks"]}
    assert boundary["legal-clause"] == ["frontier_with", "frontier_without"]
    assert boundary["bom-costing"] == ["frontier_without"]
    assert "mid_with" in boundary["escrow"]


def test_the_table_names_every_task_with_its_decision(logs: list[str]) -> None:
    done = CliRunner().invoke(main, ["screen", *logs])
    assert "7 of 15 kept" in done.output
    assert "51/75 [56.8, 77.5] by Wilson" in done.output


def test_the_pooled_interval_with_tasks_as_units_is_wider_where_tasks_differ(logs: list[str]) -> None:
    one = json.loads(CliRunner().invoke(main, ["screen", *logs, "--json"]).output)["pooled"]["frontier_with"]
    assert one["clustered"][0] < one["wilson"][0]
    assert one["clustered"][1] > one["wilson"][1]


def runs(passes: int, count: int, task: str = "t", content: str = "c") -> list[RunResult]:
    return [RunResult(task, f"{task}{number}", float(number < passes), content) for number in range(count)]


def test_too_few_runs_leave_a_task_undecided_and_say_how_many_are_missing() -> None:
    found = screen({"frontier_with": runs(3, 3), "frontier_without": runs(0, 5), "mid_with": runs(0, 5)})
    assert found.tasks[0].decision == "undecided"
    assert found.tasks[0].missing == {"frontier_with": 2, "frontier_without": 0, "mid_with": 0}


def test_a_cell_without_runs_has_no_interval_and_decides_nothing() -> None:
    """C140"""
    found = screen({"frontier_with": runs(5, 5), "frontier_without": runs(0, 5), "mid_with": []})
    assert found.tasks[0].decision == "undecided"
    assert found.tasks[0].cells["mid_with"].wilson is None
    assert found.kept == ()


def test_runs_beyond_the_trials_are_drawn_without_a_look_at_their_outcome() -> None:
    some = runs(6, 12)
    turned = [run._replace(reward=1 - run.reward) for run in some]
    drawn = [[run.identity for run in chosen_runs(one, 5, 3, "mid_with")["t"]] for one in (some, turned, some[::-1])]
    assert drawn[0] == drawn[1] == drawn[2]
    assert len(set(drawn[0])) == 5
    assert [run.identity for run in chosen_runs(some, 5, 4, "mid_with")["t"]] != drawn[0]


def test_a_run_that_could_not_be_verified_is_no_trial(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "logs", {"t": 3}, "with", unscored=1)
    found = chosen_runs(read_cell("mid_with", [folder]), 5, 0, "mid_with")
    assert [run.reward for run in found["t"]].count(1.0) == 3
    assert len(found["t"]) == 4


def test_a_log_of_another_condition_is_refused(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "logs", {"t": 3}, "without")
    with pytest.raises(ScreenError, match="ran in condition 'without'; this cell is 'with'"):
        read_cell("frontier_with", [folder])


def test_runs_of_different_versions_are_refused() -> None:
    """C148"""
    cells: dict[Cell, list[RunResult]] = {
        "frontier_with": runs(5, 5),
        "frontier_without": runs(0, 5, content="other"),
        "mid_with": runs(0, 5),
    }
    with pytest.raises(ScreenError, match="t: the runs differ in version"):
        screen(cells)


def test_the_same_log_given_twice_counts_once(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "logs", {"t": 3}, "with")
    assert len(read_cell("mid_with", [folder, folder])) == 5


@pytest.mark.parametrize(
    ("passes", "count", "low", "high"), [(0, 5, 0.0, 0.434), (5, 5, 0.566, 1.0), (3, 5, 0.231, 0.882)]
)
def test_wilson_at_the_ends_and_between(passes: int, count: int, low: float, high: float) -> None:
    """C140"""
    found = Count(passes, count).wilson
    assert found is not None
    assert (round(found[0], 3), round(found[1], 3)) == (low, high)
