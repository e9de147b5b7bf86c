"""Logs into frames."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval_retry, score
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, mean, scorer
from inspect_ai.solver import Generate, TaskState, generate, solver

import kwsuite.analysis.details as details
from kwsuite.analysis import find, find_logs, read_frames, read_trajectories
from kwsuite.analysis.logs import NoLogsError
from tests.analysis.making import gate_record, items, run, write_log

PASS = {"m1": "met", "m2": "met", "g1": "met", "i1": "not_met"}
FAIL = {**PASS, "m2": "not_met"}
UNKNOWN = {**PASS, "m2": "unscored:parse_failure"}


def passing(*_: Any) -> Score:
    return gate_record(PASS)


def test_both_denominators_stand_side_by_side(tmp_path: Path) -> None:
    """C52: ten samples, two errors, six of eight."""

    def judge(item: str, _: int) -> Score:
        place = int(item[1:])
        if place >= 8:
            raise RuntimeError("sandbox died")
        return gate_record(PASS if place < 6 else FAIL)

    run(tmp_path, "a", items(10), judge)
    row = find(read_frames(tmp_path))[0].headline.iloc[0]
    assert (row["scored"], row["errored"], row["unscored"], row["planned"]) == (8, 2, 0, 10)
    assert (row["rate"], row["rate_all"], row["rate_best"]) == (0.75, 0.6, 0.8)


def test_a_log_whose_samples_all_ran_counts_though_some_failed(tmp_path: Path) -> None:
    def judge(item: str, _: int) -> Score:
        if item == "i000":
            raise RuntimeError("once")
        return gate_record(PASS)

    log = run(tmp_path, "a", items(3), judge)
    assert log.status == "error"
    assert find_logs(tmp_path).runs[0].finished


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_an_unscored_epoch_leaves_the_item_to_the_others(tmp_path: Path, order: tuple[int, int]) -> None:
    """C53: in either order."""

    def judge(_: str, epoch: int) -> Score:
        return gate_record(PASS if epoch == order[0] else UNKNOWN)

    run(tmp_path, "a", items(1), judge, epochs=2)
    frames = read_frames(tmp_path)
    row = find(frames)[0].headline.iloc[0]
    assert row["rate"] == 1.0
    assert (row["scored"], row["unscored"]) == (1, 1)


def test_an_item_without_any_score_is_unknown_and_never_a_fail(tmp_path: Path) -> None:
    """C53, C59."""
    run(tmp_path, "a", items(2), lambda *_: gate_record(UNKNOWN))
    row = find(read_frames(tmp_path))[0].headline.iloc[0]
    assert math.isnan(row["rate"])
    assert row["items"] == 0


def test_criteria_keep_their_states_reasons_tiers_and_kinds(tmp_path: Path) -> None:
    """C55: read from the samples, also with epochs."""
    run(tmp_path, "a", items(1), lambda _, epoch: gate_record(PASS if epoch == 1 else UNKNOWN), epochs=2)
    criteria = read_frames(tmp_path).criteria
    assert len(criteria) == 8
    unscored = criteria[criteria["state"] == "unscored"].iloc[0]
    assert (unscored["criterion"], unscored["reason"], unscored["epoch"]) == ("m2", "parse_failure", 2)
    assert (unscored["tier"], unscored["kind"]) == ("mandatory", "trap")


def test_full_samples_are_read_once_an_item_and_not_once_a_candidate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C68."""
    read = []
    original = details.read_eval_log_sample

    def counting(log: str, **options: Any) -> Any:
        read.append(options["id"])
        return original(log, **options)

    monkeypatch.setattr(details, "read_eval_log_sample", counting)
    for model in ("a", "b", "c"):
        run(tmp_path, model, items(4), passing, epochs=2)
    frames = read_frames(tmp_path)
    assert len(frames.items) == 24
    assert sorted(read) == ["i000", "i001", "i002", "i003"]


def test_verdicts_too_large_for_the_summary_come_from_the_sample(tmp_path: Path) -> None:
    many = {f"m{place:03d}-with-a-rather-long-name": "met" for place in range(60)}
    run(tmp_path, "a", items(1), lambda *_: gate_record(many))
    assert len(read_frames(tmp_path).criteria) == 60


def test_a_retried_run_counts_once_and_with_all_its_samples(tmp_path: Path) -> None:
    broken = True

    @solver
    def flaky() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            if broken and state.sample_id == "i001":
                raise RuntimeError("outage")
            return await generate(state)

        return solve

    from inspect_ai import Task, eval, task
    from inspect_ai.dataset import MemoryDataset

    from tests.analysis.making import scripted

    @scorer(metrics={"gate": [mean()]})
    def conjunctive_gate() -> Any:
        async def score(state: TaskState, target: Target) -> Score:
            return gate_record(PASS)

        return score

    @task
    def retried() -> Task:
        return Task(dataset=MemoryDataset(items(3)), solver=flaky(), scorer=conjunctive_gate(), continue_on_fail=True)

    # The scripted model cannot be rebuilt from a log, so both calls get it from here.
    model = scripted("a")
    first = eval(retried(), model=model, log_dir=str(tmp_path), display="none")[0]
    broken = False
    from unittest.mock import patch

    with patch("inspect_ai._eval.eval.get_model", return_value=model):
        eval_retry(first, log_dir=str(tmp_path), display="none")
    frames = read_frames(tmp_path)
    assert len(list(tmp_path.glob("*.eval"))) == 2
    assert frames.items["state"].tolist() == ["scored"] * 3
    assert frames.left_out["reason"].tolist() == ["superseded"]


def test_a_rescored_copy_replaces_the_log_it_came_from(tmp_path: Path) -> None:
    """C60: verdicts carry the name of the grader that gave them."""
    log = run(tmp_path, "a", items(2), passing)

    @scorer(metrics={"gate": [mean()]})
    def conjunctive_gate() -> Any:
        async def again(state: TaskState, target: Target) -> Score:
            return gate_record(FAIL, grader="other/judge")

        return again

    scored = score(read_eval_log(log.location), conjunctive_gate(), action="overwrite", display="none")
    write_eval_log(scored, str(Path(log.location.removeprefix("file://")).with_suffix("")) + "-scored.eval")
    frames = read_frames(tmp_path)
    assert len(frames.items) == 2
    assert set(frames.items["passed"]) == {0.0}
    assert set(frames.runs["grader"]) == {"other/judge"}
    assert frames.left_out["reason"].tolist() == ["superseded"]


def test_unfinished_logs_are_listed_apart_and_count_only_when_asked(tmp_path: Path) -> None:
    run(tmp_path, "a", items(2), passing)
    other = run(tmp_path, "b", items(2), passing)
    log = read_eval_log(other.location)
    log.status, log.results = "started", None
    write_eval_log(log, other.location)
    frames = read_frames(tmp_path)
    assert frames.runs["candidate"].tolist() == ["a"]
    assert frames.left_out["reason"].tolist() == ["unfinished"]
    assert set(read_frames(tmp_path, unfinished=True).runs["candidate"]) == {"a", "b"}


def test_a_damaged_log_is_listed_and_the_others_are_read(tmp_path: Path) -> None:
    run(tmp_path, "a", items(1), passing)
    (tmp_path / "2026-01-01T00-00-00_x_y.eval").write_text("not a zip", encoding="utf-8")
    frames = read_frames(tmp_path)
    assert len(frames.runs) == 1
    assert frames.left_out["reason"].tolist() == ["unreadable"]


def test_samples_that_were_planned_and_are_missing_are_rows(tmp_path: Path) -> None:
    log = run(tmp_path, "a", items(4), passing)
    whole = read_eval_log(log.location)
    whole.samples = [sample for sample in whole.samples or [] if sample.id != "i003"]
    write_eval_log(whole, log.location)
    run(tmp_path, "b", items(4), passing)
    frames = read_frames(tmp_path)
    missing = frames.items[frames.items["state"] == "not_run"].iloc[0]
    assert (missing["candidate"], missing["item"], missing["category"]) == ("a", "i003", "hiring")
    row = find(frames)[0].headline.set_index("candidate").loc["a"]
    assert (row["rate"], row["rate_all"]) == (1.0, 0.75)


def test_verdicts_of_another_version_than_the_header_are_marked(tmp_path: Path) -> None:
    versions = {"i000": "old", "i001": "new"}

    def judge(item: str, _: int) -> Score:
        return gate_record(PASS, version=versions[item])

    run(tmp_path, "a", items(2), judge, metadata={"version": "new"})
    frames = read_frames(tmp_path)
    assert frames.items.set_index("item")["stale"].to_dict() == {"i000": True, "i001": False}
    assert any("another rubric" in caution.title for caution in find(frames)[0].cautions)


@pytest.mark.parametrize(
    ("values", "rate"),
    [
        (["C", "I", "C", "P"], 0.5),
        ([True, False, True, True], 0.75),
        ([1, 0, 0, 0], 0.25),
        ([1.0, float("nan"), 0.0, 1.0], 2 / 3),
    ],
)
def test_scores_of_other_tasks_are_passes_and_fails(tmp_path: Path, values: list[Any], rate: float) -> None:
    """C58."""
    run(tmp_path, "a", items(4), lambda item, _: Score(value=values[int(item[1:])]), scorer_name="match", value_keys=())
    assert find(read_frames(tmp_path))[0].headline.iloc[0]["rate"] == pytest.approx(rate)


@pytest.mark.parametrize("polarity", ["negative", None])
def test_a_foreign_field_called_polarity_makes_no_false_alarms(tmp_path: Path, polarity: str | None) -> None:
    samples = items(2, polarity=polarity)
    run(tmp_path, "a", samples, lambda *_: Score(value=1.0), scorer_name="match", value_keys=())
    assert set(read_frames(tmp_path).items["polarity"]) == {"positive"}


def test_other_scores_are_averaged_and_pass_only_where_a_mark_is_set(tmp_path: Path) -> None:
    values = [0.2, 1.0, 0.8, 0.0]
    run(tmp_path, "a", items(4), lambda item, _: Score(value=values[int(item[1:])]), scorer_name="f1", value_keys=())
    row = find(read_frames(tmp_path))[0].headline.iloc[0]
    assert math.isnan(row["rate"])
    assert row["score"] == 0.5
    assert find(read_frames(tmp_path, pass_at=0.8))[0].headline.iloc[0]["rate"] == 0.5


def test_the_key_of_a_foreign_map_can_be_chosen(tmp_path: Path) -> None:
    def judge(*_: Any) -> Score:
        return Score(value={"style": 0.0, "truth": 1.0})

    run(tmp_path, "a", items(1), judge, scorer_name="other", value_keys=("style", "truth"))
    assert read_frames(tmp_path).items["passed"].tolist() == [0.0]
    assert read_frames(tmp_path, value="truth").items["passed"].tolist() == [1.0]


def test_tokens_are_the_candidates_own_where_its_model_also_grades(tmp_path: Path) -> None:
    def answer(*_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mockllm", "x")
        output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
        return output

    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset

    @scorer(metrics={"gate": [mean()]})
    def conjunctive_gate() -> Any:
        async def score(state: TaskState, target: Target) -> Score:
            for _ in range(3):
                await get_model(role="grader").generate("judge this")
            return gate_record(PASS)

        return score

    same = [get_model("mockllm/a", memoize=False, custom_outputs=answer) for _ in range(2)]
    eval(
        Task(dataset=MemoryDataset(items(1)), solver=generate(), scorer=conjunctive_gate(), name="bench"),
        model=same[0],
        model_roles={"grader": same[1]},
        log_dir=str(tmp_path),
        display="none",
    )
    assert read_frames(tmp_path).items["tokens"].tolist() == [15.0]


def test_conditions_name_candidates_and_settings_do_where_one_model_has_several(tmp_path: Path) -> None:
    samples = {"i1": {"input": "x"}}
    scores = {("i1", 1): gate_record(PASS)}
    for number, (model, framing) in enumerate([("x/m", "cold"), ("x/m", "hinted"), ("y/n", "cold")]):
        write_log(tmp_path, model, scores, samples, task_args={"framing": framing, "seed": 1}, number=number)
    assert read_frames(tmp_path).runs["candidate"].tolist() == [
        "m · framing=cold",
        "m · framing=hinted",
        "n · framing=cold",
    ]


def test_equal_names_of_two_providers_stay_apart(tmp_path: Path) -> None:
    for number, model in enumerate(["x/m", "y/m", "x/k"]):
        write_log(tmp_path, model, {("i1", 1): gate_record(PASS)}, {"i1": {}}, number=number)
    assert read_frames(tmp_path).runs["candidate"].tolist() == ["x/m", "y/m", "k"]


def test_two_runs_of_a_candidate_are_repeats(tmp_path: Path) -> None:
    for number in range(2):
        record = gate_record(PASS if number else FAIL)
        write_log(tmp_path, "x/m", {("i1", 1): record, ("i2", 1): record}, {"i1": {}, "i2": {}}, number=number)
    frames = read_frames(tmp_path)
    assert frames.items.groupby("item")["repeat"].agg(list).to_dict() == {"i1": [1, 2], "i2": [1, 2]}
    assert find(frames)[0].headline.iloc[0]["rate"] == 0.5


def test_two_tasks_are_two_benchmarks(tmp_path: Path) -> None:
    run(tmp_path, "a", items(1), passing, task="one")
    run(tmp_path, "a", items(1), lambda *_: gate_record(FAIL), task="two")
    frames = read_frames(tmp_path)
    assert frames.benchmarks == ["one", "two"]
    assert [own.headline.iloc[0]["rate"] for own in find(frames)] == [1.0, 0.0]


def test_logs_are_read_from_other_file_systems(tmp_path: Path) -> None:
    import fsspec

    log = run(tmp_path, "a", items(2), passing)
    path = Path(log.location.removeprefix("file://"))
    memory = fsspec.filesystem("memory")
    memory.makedirs("/logs", exist_ok=True)
    with memory.open(f"/logs/{path.name}", "wb") as out:
        out.write(path.read_bytes())
    assert len(read_frames("memory://logs").items) == 2


def test_a_single_log_can_be_named(tmp_path: Path) -> None:
    log = run(tmp_path, "a", items(2), passing)
    run(tmp_path, "b", items(2), passing)
    assert read_frames(log.location.removeprefix("file://")).runs["candidate"].tolist() == ["a"]


@pytest.mark.parametrize("name", ["nowhere", "empty", "empty/x.eval"])
def test_a_place_without_logs_is_an_error_that_names_it(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoLogsError, match=name.rpartition("/")[0] or name):
        read_frames(tmp_path / name)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"scorer": "nope"}, "scorer 'nope'.*There are: other"),
        ({"value": "nope"}, "value 'nope'.*There are: style, truth"),
        ({"by": "nope"}, "by 'nope'"),
    ],
)
def test_a_name_that_no_sample_has_is_refused_with_the_names_there_are(
    tmp_path: Path, asked: dict[str, str], message: str
) -> None:
    run(tmp_path, "a", items(1), lambda *_: Score(value={"style": 0.0, "truth": 1.0}), scorer_name="other",
        value_keys=("style", "truth"))  # fmt: skip
    with pytest.raises(NoLogsError, match=message):
        read_frames(tmp_path, **asked)


def test_an_address_that_cannot_be_listed_is_an_error_that_names_it() -> None:
    with pytest.raises(NoLogsError, match="foo://x: cannot be listed"):
        read_frames("foo://x")


def test_behaviours_are_read_where_a_scorer_records_them(tmp_path: Path) -> None:
    def judge(item: str, _: int) -> Score:
        fraction = 1.0 if item == "i000" else 0.5
        return Score(
            value={"all_pass": float(fraction == 1), "fraction": fraction, "graded": 1.0},
            metadata={
                "verdicts": {"c1": "met"},
                "diagnostics": {"acted_before_looking": item == "i000", "reads_per_write": 2.5, "refused": ["x"]},
            },
        )

    run(tmp_path, "a", items(2), judge, scorer_name="all_pass", value_keys=("all_pass", "fraction"))
    found = find(read_frames(tmp_path))[0]
    rates = found.behaviours.set_index("behaviour")["value"].to_dict()
    assert rates == {"acted_before_looking": 0.5, "reads_per_write": 2.5, "refused": 1.0}
    assert (found.headline.iloc[0]["rate"], found.headline.iloc[0]["score"]) == (0.5, 0.75)


def test_trajectories_have_a_row_a_call(tmp_path: Path) -> None:
    from inspect_ai import Task, eval
    from inspect_ai.dataset import MemoryDataset
    from inspect_ai.tool import Tool, tool

    @tool
    def look() -> Tool:
        async def execute(place: str) -> str:
            """Look at a place.

            Args:
                place: Where.
            """
            return "x" * 5000

        return execute

    @solver
    def agent() -> Any:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            state.tools = [look()]
            return await generate(state, tool_calls="loop")

        return solve

    @scorer(metrics={"gate": [mean()]})
    def conjunctive_gate() -> Any:
        async def score(state: TaskState, target: Target) -> Score:
            return gate_record(PASS)

        return score

    turns = iter([("look", {"place": "kitchen"}), ("look", {"plcae": "hall"}), None])

    def answer(*_: Any) -> ModelOutput:
        turn = next(turns)
        output = ModelOutput.for_tool_call("mockllm", *turn) if turn else ModelOutput.from_content("mockllm", "done")
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    eval(
        Task(
            dataset=MemoryDataset([Sample(id="i1", input="x")]), solver=agent(), scorer=conjunctive_gate(), name="bench"
        ),
        model=get_model("mockllm/a", memoize=False, custom_outputs=answer),
        log_dir=str(tmp_path),
        display="none",
    )
    steps = read_trajectories(tmp_path)
    assert steps["step"].tolist() == [1, 2]
    assert steps["arguments"].tolist()[0] == '{"place": "kitchen"}'
    assert steps["error"].tolist() == ["", "parsing"]
    assert (len(steps["reply"][0]), bool(steps["cut"][0])) == (2000, True)
