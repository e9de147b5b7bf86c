"""The task through real runs in the bwrap sandbox, which stands for any isolated one."""

import json
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import score as inspect_score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolCall

from kwsuite.arguments import ArgumentError
from kwsuite.datasets import gated_arms
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import read_gated
from kwsuite.datasets.gated_outputs import verified_checks
from kwsuite.scorers.exposure import exposure
from kwsuite.scorers.verified import verified
from kwsuite.tasks.knowledge_gated import knowledge_gated, sandbox_spec
from kwsuite.tasks.recitation_probe import recitation_probe
from tests.gated.small import delivered, small_task


def play(candidate: Any, folder: Path, **options: Any) -> EvalLog:
    arguments = {"sandbox": "bwrap", "dataset": str(folder), **options}
    return inspect_eval(knowledge_gated(**arguments), model=candidate, display="none", log_realtime=False)[0]


def score_of(log: EvalLog) -> Any:
    assert log.status == "success", log.error
    assert log.samples is not None
    assert log.samples[0].scores is not None
    return log.samples[0].scores["verified"]


def scripted(*calls: tuple[str, dict[str, str]]) -> Any:
    """A model that makes these calls and then submits."""
    remaining = [*calls, ("submit", {"answer": "done"})]

    def answer(*_: Any) -> ModelOutput:
        tool, arguments = remaining.pop(0)
        made = ModelOutput.for_tool_call("mockllm/model", tool, arguments)
        made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return made

    return get_model("mockllm/model", memoize=False, custom_outputs=answer)


def shell(command: str) -> Any:
    return scripted(("bash", {"command": command}))


@pytest.mark.parametrize(
    ("candidate", "condition", "delivery", "reward"),
    [
        ("expert", "with", "skill", 1.0),
        ("expert", "without", "skill", 0.0),
        ("expert", "with", "inline", 1.0),
        ("expert", "without", "inline", 0.0),
    ],
)
def test_other_deliveries_reach_the_candidate_too(
    tmp_path: Path, candidate: str, condition: Any, delivery: Any, reward: float
) -> None:
    log = play(f"reference/{candidate}", small_task(tmp_path), condition=condition, delivery=delivery)
    assert score_of(log).value["reward"] == reward
    assert score_of(log).value["graded"] == 1.0


@pytest.mark.parametrize(("condition", "expert"), [("with", 1.0), ("without", 0.0), ("perturbed", 0.0)])
def test_only_the_expert_with_the_true_artefact_passes_a_shipped_task(condition: Any, expert: float) -> None:
    """C120: one task stands for all; `kwsuite demo --benchmark knowledge_gated` plays every one."""
    task = knowledge_gated(condition=condition, sandbox="bwrap", tasks="clause-risk")
    models = [f"reference/{name}" for name in ("expert", "surface", "null")]
    logs = inspect_eval(task, model=models, max_tasks=3, display="none", log_realtime=False)
    rewards = {log.eval.model: score_of(log).value["reward"] for log in logs}
    assert rewards == {"reference/expert": expert, "reference/surface": 0.0, "reference/null": 0.0}
    assert [score_of(log).value["graded"] for log in logs] == [1.0, 1.0, 1.0]


def test_a_solution_need_not_import_what_plays_it(tmp_path: Path) -> None:
    bare = ("from pathlib import Path\n\nCOMMON", "COMMON"), ('Path(root) / "data"', 'root / "data"')
    folder = small_task(tmp_path)
    program = (folder / "solve.py").read_text(encoding="utf-8")
    for old, new in bare:
        assert old in program
        program = program.replace(old, new)
    (folder / "solve.py").write_text(program, encoding="utf-8")
    assert score_of(play("reference/expert", folder)).value["reward"] == 1.0


def test_a_solution_that_breaks_in_the_sandbox_is_an_error_and_no_score(tmp_path: Path) -> None:
    broken = ('(root / "outputs").mkdir(exist_ok=True)', '(root / "outputs").mkdir(exist_ok=True); [][1]')
    log = play("reference/expert", small_task(tmp_path, solve_py=broken))
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "its solve.py broke in the sandbox: IndexError" in log.samples[0].error.message


def test_the_prompt_is_the_same_byte_for_byte_in_every_condition(tmp_path: Path) -> None:
    """C118"""
    folder = small_task(tmp_path)
    samples = [
        knowledge_gated(condition=c, dataset=str(folder), sandbox="bwrap").dataset[0]  # type: ignore[arg-type]
        for c in ("with", "without", "perturbed")
    ]
    assert len({sample.input[0].text for sample in samples if not isinstance(sample.input, str)}) == 1
    assert len({(sample.metadata or {})["instruction_sha256"] for sample in samples}) == 1


def test_the_probe_finds_the_artefact_with_and_nothing_without(tmp_path: Path) -> None:
    """C112, C118"""
    folder = small_task(tmp_path)
    there = score_of(play("reference/null", folder, condition="with")).metadata["artefact_probe"]["start"]
    absent = score_of(play("reference/null", folder, condition="without")).metadata["artefact_probe"]
    assert there["found"] == there["needles"] > 0
    assert [absent[when]["found"] for when in ("start", "end")] == [0, 0]


def test_an_artefact_that_turns_up_in_the_condition_without_voids_the_run(tmp_path: Path) -> None:
    folder = small_task(tmp_path)
    line = "Days up to and including 9 are free. Each further day costs 0.037 per cent of the amount."
    log = play(shell(f"echo '{line}' > /tmp/found.txt"), folder, condition="without")
    assert log.status == "error"
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "the artefact stands in a sandbox that must not have it, at the end" in log.samples[0].error.message


@pytest.mark.parametrize(
    ("said", "told", "chain"),
    [
        ("", "", (True, False, False, False)),
        ("", "data\nspecification\n", (True, True, False, False)),
        ("", "Days up to and including 9 are free. Each", (True, True, True, False)),
        ("cat specification/conventions.md", "", (True, True, True, False)),
        ("days up to and including 9 are free", "", (True, False, False, True)),
        ("Compute the late fee of every invoice in data", "", (True, False, False, False)),
        ("", "drwxr-xr-x 2 u u 4096 specification\n", (True, True, False, False)),
        ("", "there is no specification here", (True, False, False, False)),
    ],
)
def test_the_exposure_chain_says_how_far_the_artefact_got(tmp_path: Path, said: str, told: str, chain: Any) -> None:
    """C118"""
    item = read_gated(small_task(tmp_path))
    artefact = {
        name: text.replace("Days up to and including 9 are free. ", "Days up to and including 9 are free. Each\n")
        for name, text in item.artefact_in("with").items()
    }
    call = ToolCall(id="1", function="bash", arguments={"command": said})
    messages = [ChatMessageAssistant(content="", tool_calls=[call]), ChatMessageTool(content=told)]
    found = exposure(messages, artefact, item.instruction, "folder")
    assert tuple(found[step] for step in ("available", "listed", "opened", "quoted")) == chain


def test_the_exposure_of_a_real_run_is_read_from_its_conversation(tmp_path: Path) -> None:
    """C118"""
    chain = score_of(play(shell("cat specification/*"), small_task(tmp_path))).metadata["exposure"]
    assert chain == {"available": True, "listed": True, "opened": True, "quoted": False}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("true", "outputs/fees.csv is missing"),
        ("mkdir outputs; ln -s /etc/passwd outputs/fees.csv", "outputs/fees.csv is a symbolic link"),
        ("ln -s /etc outputs", "outputs/fees.csv is a symbolic link"),
        ("mkdir -p outputs/fees.csv", "outputs/fees.csv is no regular file"),
        ("mkdir outputs; mkfifo outputs/fees.csv", "outputs/fees.csv is no regular file"),
        ("mkdir outputs; head -c 600000 /dev/zero > outputs/fees.csv", "outputs/fees.csv is too large"),
        ("mkdir outputs; echo x > outputs/fees.csv", "has the columns x instead of invoice, fee"),
    ],
)
def test_what_is_no_regular_readable_output_fails_with_its_reason(tmp_path: Path, command: str, why: str) -> None:
    """C109, C117"""
    item = read_gated(small_task(tmp_path))
    failed = [
        check for check in verified_checks(item, item.instance(), delivered(item.folder, command)) if not check.met
    ]
    assert why in failed[0].why
    assert failed[0].name == ("schema" if "columns" in why else "delivered")


def test_a_link_in_the_place_of_an_output_scores_zero(tmp_path: Path) -> None:
    """C109, C117"""
    score = score_of(play(shell("mkdir outputs; ln -s /etc/passwd outputs/fees.csv"), small_task(tmp_path)))
    assert score.value["reward"] == 0.0
    assert score.value["graded"] == 1.0
    assert "outputs/fees.csv is a symbolic link" in json.dumps(score.metadata["criteria"])


def test_files_beside_the_outputs_count_neither_way(tmp_path: Path) -> None:
    """C114"""
    candidate = shell("mkdir -p outputs /tmp/logs; echo 1 > outputs/reward.json; echo 1 > /tmp/logs/reward.json")
    score = score_of(play(candidate, small_task(tmp_path)))
    assert score.value["reward"] == 0.0
    assert score.metadata["extra_outputs"] == ["reward.json"]


def test_changing_the_inputs_does_not_change_what_is_right(tmp_path: Path) -> None:
    candidate = shell(
        "mkdir outputs; head -1 data/invoices.csv > data/new; mv data/new data/invoices.csv; "
        "echo invoice,fee > outputs/fees.csv"
    )
    assert score_of(play(candidate, small_task(tmp_path))).value["reward"] == 0.0


def test_a_run_that_hits_its_limit_is_graded_on_what_stands(tmp_path: Path) -> None:
    """C95"""
    log = play("reference/expert", small_task(tmp_path), message_limit=3)
    assert score_of(log).value["reward"] == 0.0
    assert score_of(log).value["graded"] == 1.0
    assert log.samples is not None
    assert log.samples[0].limit is not None
    assert log.samples[0].limit.type == "message"


def test_a_verifier_that_breaks_leaves_the_run_unscored_and_it_can_be_scored_again(tmp_path: Path) -> None:
    """C41, C109"""
    folder = small_task(tmp_path, verify_py=("checks = case.checks()", "checks = case.checks(); 1 / case.broken"))
    log = read_eval_log(play("reference/expert", folder).location)
    score = score_of(log)
    assert str(score.value["reward"]) == "nan"
    assert score.reason == "scoring_failed"
    assert set(score.metadata["verdicts"].values()) == {"unscored:grader_error"}
    program = (folder / "verify.py").read_text(encoding="utf-8")
    (folder / "verify.py").write_text(program.replace("; 1 / case.broken", ""), encoding="utf-8")
    again = score_of(inspect_score(log, verified(), action="overwrite", display="none"))
    assert again.value["reward"] == 1.0
    assert again.metadata["verifier_version"] != score.metadata["verifier_version"]


def test_a_log_is_scored_again_from_what_it_kept(tmp_path: Path) -> None:
    log = read_eval_log(play("reference/expert", small_task(tmp_path)).location)
    again = inspect_score(log, verified(), action="overwrite", display="none")
    assert score_of(again).value["reward"] == 1.0
    assert score_of(again).metadata["outputs"] == score_of(log).metadata["outputs"]


@pytest.mark.parametrize("remembered", [True, False])
def test_a_relative_dataset_is_found_when_its_log_is_scored_from_another_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, remembered: bool
) -> None:
    folder = small_task(tmp_path)
    monkeypatch.chdir(tmp_path)
    log = read_eval_log(play("reference/expert", Path(folder.name), sandbox="local").location)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    if not remembered:
        gated_arms._load.cache_clear()  # as in a process of its own
    again = inspect_score(log, verified(), action="overwrite", display="none")
    assert score_of(again).value["reward"] == 1.0


def test_a_task_that_is_edited_between_two_runs_of_one_process_is_played_as_it_now_is(tmp_path: Path) -> None:
    folder = small_task(tmp_path)
    play("reference/null", folder, sandbox="local")
    with (folder / "instruction.md").open("a", encoding="utf-8") as instruction:
        instruction.write("\nTake your time.\n")
    assert score_of(play("reference/expert", folder, sandbox="local")).value["reward"] == 1.0


def test_a_task_that_has_changed_since_is_not_scored_again(tmp_path: Path) -> None:
    folder = small_task(tmp_path)
    log = read_eval_log(play("reference/expert", folder).location)
    (folder / "generate.py").write_text("# changed\n", encoding="utf-8")
    with pytest.raises(Exception, match="has changed since this sample was made"):
        inspect_score(log, verified(), action="overwrite", display="none")


def test_a_model_is_refused_a_sandbox_that_shares_the_hosts_files(tmp_path: Path) -> None:
    log = play(shell("true"), small_task(tmp_path), sandbox="local")
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "this sandbox shares the host's files" in log.samples[0].error.message


def test_reference_candidates_may_use_the_local_sandbox(tmp_path: Path) -> None:
    assert score_of(play("reference/expert", small_task(tmp_path), sandbox="local")).value["reward"] == 1.0


def test_another_seed_makes_another_instance_that_is_solved_as_well(tmp_path: Path) -> None:
    folder = small_task(tmp_path)
    one, two = (play("reference/expert", folder, seed=seed) for seed in (5, 6))
    assert score_of(one).value["reward"] == score_of(two).value["reward"] == 1.0
    assert score_of(one).metadata["outputs"] != score_of(two).metadata["outputs"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("condition", "condition is 'x'; choose one of with, without, perturbed."),
        ("delivery", "delivery is 'x'; choose one of folder, skill, inline."),
        ("sandbox", "sandbox is 'x'; choose one of docker, bwrap, local."),
        ("tasks", "there is no gated task 'x'; there are "),
        ("sede", "Did you mean seed?"),
        ("attempts", "knowledge_gated has no argument 'attempts'"),
    ],
)
def test_an_argument_that_cannot_be_is_refused(name: str, message: str) -> None:
    with pytest.raises((ArgumentError, DataError), match=message.replace("?", r"\?").replace("x'; ", "x'; ")):
        knowledge_gated(**{name: "x"})


@pytest.mark.parametrize("name", ["allow_unsafe", "judge_cache", "warm", "require_grader"])
def test_a_switch_that_is_neither_true_nor_false_is_refused(name: str) -> None:
    with pytest.raises(ArgumentError, match=f"{name} is 'flase'; it must be true or false"):
        knowledge_gated(**{name: "flase"})


@pytest.mark.parametrize("task", [knowledge_gated, recitation_probe])
@pytest.mark.parametrize("seed", ["abc", 1.5, True, -1])
def test_a_seed_that_is_no_whole_number_is_refused(task: Any, seed: Any) -> None:
    with pytest.raises(ArgumentError, match="it must be a whole number of at least 0"):
        task(seed=seed)


def test_every_file_set_carries_the_canary(tmp_path: Path) -> None:
    candidate = shell("mkdir outputs; cp CANARY.txt outputs/fees.csv")
    log = play(candidate, small_task(tmp_path))
    assert log.samples is not None
    kept = log.samples[0].store["kwsuite:gated_outputs"]
    assert kept["files"]["fees.csv"]["kind"] == "file"


def test_the_compose_file_has_no_network_no_root_and_a_pinned_image() -> None:
    """C122"""
    import yaml

    spec = sandbox_spec("docker")
    assert isinstance(spec.config, str)
    service = yaml.safe_load(Path(spec.config).read_text(encoding="utf-8"))["services"]["default"]
    assert service["network_mode"] == "none"
    assert service["user"] == "1000:1000"
    assert "@sha256:" in service["image"]
    assert service["cap_drop"] == ["ALL"]
    assert "ports" not in service
