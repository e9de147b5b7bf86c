"""The screen's arithmetic on logs made for the purpose."""

import csv
import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval_retry
from inspect_ai.log import list_eval_logs, read_eval_log, write_eval_log

from kwsuite.cli import main
from kwsuite.screening.output import screen_csv, screen_json
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
    write_log(folder / "mw", MID, "with", model="mockllm/mid")
    cells = (("--frontier-with", "fw"), ("--frontier-without", "fn"), ("--mid-with", "mw"))
    return [part for option, name in cells for part in (option, str(folder / name))]


def test_a_table_that_cannot_be_written_is_told(logs: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["screen", *logs, "--csv", str(tmp_path / "gone" / "screen.csv")])
    assert (done.exit_code, "cannot be written (No such file or directory)" in done.output) == (1, True)


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


def runs(
    passes: int, count: int, task: str = "t", content: str = "c", model: str = "lab/frontier", solver: str | None = None
) -> list[RunResult]:
    rewards = [float(number < passes) for number in range(count)]
    return [RunResult(task, f"{task}{n}", reward, content, model, solver) for n, reward in enumerate(rewards)]


def mid(passes: int, count: int, task: str = "t") -> list[RunResult]:
    return runs(passes, count, task, model="lab/mid")


def test_too_few_runs_leave_a_task_undecided_and_say_how_many_are_missing() -> None:
    found = screen({"frontier_with": runs(3, 3), "frontier_without": runs(0, 5), "mid_with": mid(0, 5)})
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


def test_runs_without_a_score_are_missing_and_told_as_unscored(tmp_path: Path) -> None:
    """One run's verifier broke (NaN) and one ended in an error (no score at all)."""
    folder = write_log(tmp_path / "logs", {"t": 2}, "with", unscored=1, broken=[5])
    found = screen({"frontier_with": read_cell("frontier_with", [folder])})
    task = found.tasks[0]
    assert task.cells["frontier_with"] == Count(2, 3)
    assert (task.missing["frontier_with"], task.unscored["frontier_with"]) == (2, 2)
    assert json.loads(screen_json(found))["tasks"][0]["cells"]["frontier_with"]["unscored"] == 2
    row = next(csv.DictReader(screen_csv(found).splitlines()))
    assert row["frontier_with_unscored"] == "2"
    assert row["why"].startswith("frontier with needs 2 more (2 unscored)")


def test_a_drawn_run_without_a_score_is_not_replaced_by_another() -> None:
    """Leaving unscored runs out before the draw would let the outcome decide what is drawn."""
    some = runs(6, 12)
    drawn = {run.identity for run in chosen_runs(some, 5, 3, "mid_with")["t"]}
    lost = [run._replace(reward=math.nan) if run.identity in drawn else run for run in some]
    task = screen({"mid_with": lost}, seed=3).tasks[0]
    assert (task.missing["mid_with"], task.unscored["mid_with"]) == (5, 5)


def test_a_retried_run_counts_once_and_by_its_later_outcome(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "logs", {"t": 5}, "with", broken=[2])
    first = list_eval_logs(str(folder))[0].name
    log = read_eval_log(first)
    log.eval.task_args["broken"] = log.eval.task_args_passed["broken"] = []
    log.status = "error"
    write_eval_log(log, first)
    assert sorted(run.reward for run in read_cell("mid_with", [folder]) if run.reward == 1) == [1.0] * 4
    eval_retry(first, log_dir=str(folder), display="none", log_realtime=False)
    assert len(list_eval_logs(str(folder))) == 2
    assert [run.reward for run in read_cell("mid_with", [folder])] == [1.0] * 5


def test_the_table_and_json_name_who_ran(logs: list[str]) -> None:
    assert "mid with, mockllm/mid:" in CliRunner().invoke(main, ["screen", *logs]).output
    agents = json.loads(CliRunner().invoke(main, ["screen", *logs, "--json"]).output)["agents"]
    assert agents["frontier_with"] == {"model": "mockllm/frontier", "solver": None}


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ({"mid_with": runs(0, 5) + runs(0, 5, "u", model="lab/other")}, "ran by lab/frontier, lab/other; a cell is"),
        (
            {"mid_with": runs(0, 5) + runs(0, 5, "u", solver="mine")},
            "ran by lab/frontier, lab/frontier in mine; a cell",
        ),
        (
            {"frontier_with": runs(5, 5), "frontier_without": runs(0, 5, model="lab/other")},
            "frontier_with and frontier_without: ran by lab/frontier, lab/other",
        ),
        ({"frontier_with": runs(5, 5), "mid_with": runs(0, 5)}, "mid_with: ran by lab/frontier, the frontier model"),
        ({"frontier_with": runs(5, 5, model="reference/expert")}, "reference/expert: scripted"),
    ],
)
def test_cells_that_the_wrong_agents_ran_are_refused(cells: dict[Cell, list[RunResult]], told: str) -> None:
    with pytest.raises(ScreenError, match=told):
        screen(cells)


def test_reference_candidates_screen_only_on_request(tmp_path: Path) -> None:
    cells = (
        ("frontier-with", "with", "expert", 5),
        ("frontier-without", "without", "expert", 0),
        ("mid-with", "with", "surface", 0),
    )
    given = []
    for name, condition, model, passes in cells:
        write_log(tmp_path / name, {"t": passes}, condition, model=f"reference/{model}")
        given += [f"--{name}", str(tmp_path / name)]
    refused = CliRunner().invoke(main, ["screen", *given])
    assert refused.exit_code == 1
    assert "--allow-reference" in refused.output
    assert "1 of 1 kept" in CliRunner().invoke(main, ["screen", *given, "--allow-reference"]).output


@pytest.mark.parametrize(("passes", "low", "high"), [(0, 0.0, 0.4899), (2, 0.2993, 0.7007), (4, 0.5101, 1.0)])
def test_the_interval_with_tasks_as_units_is_no_point_where_tasks_agree(passes: int, low: float, high: float) -> None:
    """Four tasks, all with the same rate."""
    found = screen({"frontier_with": [run for task in "abcd" for run in runs(passes, 4, task)]}, trials=4)
    assert found.pooled["frontier_with"].clustered == pytest.approx((low, high), abs=1e-3)


def test_an_unreadable_log_is_refused_by_name(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "logs", {"t": 3}, "with")
    (folder / "2026-01-01T00-00-00-00-00_broken_x.eval").write_bytes(b"no log")
    with pytest.raises(ScreenError, match=r"mid_with: cannot be read: .*broken_x"):
        read_cell("mid_with", [folder])


def test_a_log_of_another_condition_is_refused(tmp_path: Path) -> None:
    folder = write_log(tmp_path / "logs", {"t": 3}, "without")
    with pytest.raises(ScreenError, match="ran in condition 'without'; this cell is 'with'"):
        read_cell("frontier_with", [folder])


def test_runs_of_different_versions_are_refused() -> None:
    """C148"""
    cells: dict[Cell, list[RunResult]] = {
        "frontier_with": runs(5, 5),
        "frontier_without": runs(0, 5, content="other"),
        "mid_with": mid(0, 5),
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
