"""The reference candidates and the labels grader, played through the real path."""

import shutil
from pathlib import Path

import pytest
from inspect_ai import Task, score
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model
from inspect_ai.solver import generate

from kwsuite.datasets.answers import read_answer, read_labels
from kwsuite.datasets.item_set import bundled_folder
from kwsuite.scorers.conjunctive_gate import conjunctive_gate
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import run, says, score_of, write_item

LABELS = "reference/labels"


def play(name: str, **options: object) -> EvalLog:
    return inspect_eval(
        kwbench(**options),  # type: ignore[arg-type]
        model=f"reference/{name}",
        model_roles={"grader": LABELS},
        display="none",
        log_realtime=False,
    )[0]


def passed(log: EvalLog) -> int:
    assert log.status == "success", log.error
    assert log.samples is not None
    return sum(score_of(sample).as_dict()["gate"] == 1.0 for sample in log.samples)


@pytest.mark.parametrize(("name", "passes"), [("expert", 32), ("surface", 0), ("null", 0), ("near_miss", 0)])
def test_every_bundled_item_separates_the_reference_candidates(name: str, passes: int) -> None:
    log = play(name)
    assert log.samples is not None
    assert len(log.samples) == 32
    assert passed(log) == passes
    assert all(score_of(sample).as_dict()["graded"] == 1.0 for sample in log.samples)


def test_near_misses_are_counted_as_such_on_every_positive() -> None:
    log = play("near_miss", polarity="positive")
    assert log.results is not None
    metrics = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    assert (metrics["near_misses"], metrics["pass_rate"]) == (1.0, 0.0)


def test_the_cold_answers_get_the_verdicts_of_their_labels() -> None:
    log = play("cold")
    assert log.samples is not None
    for sample in log.samples:
        labels = read_labels(bundled_folder() / str(sample.id))["cold"]
        metadata = score_of(sample).metadata
        assert metadata is not None
        assert metadata["verdicts"] == {criterion: label.state for criterion, label in labels.items()}


def test_a_reference_run_names_its_grader_and_is_not_self_graded() -> None:
    log = inspect_eval(
        kwbench(), model="reference/expert", model_roles={"grader": LABELS}, limit=1, display="none", log_realtime=False
    )[0]
    assert log.samples is not None
    metadata = score_of(log.samples[0]).metadata
    assert metadata is not None
    assert (metadata["grader"], metadata["self_graded"]) == (LABELS, False)


def shipped_copy(folder: Path) -> Path:
    name = sorted(path.name for path in bundled_folder().iterdir() if path.is_dir())[0]
    return Path(shutil.copytree(bundled_folder() / name, folder / name))


def test_the_users_own_items_can_ship_reference_answers(tmp_path: Path) -> None:
    item = shipped_copy(tmp_path)
    answer = "A different expert answer."
    (item / "answers" / "expert.md").write_text(answer, encoding="utf-8")
    log = play("expert", dataset=str(item))
    assert log.samples is not None
    assert score_of(log.samples[0]).answer == answer
    assert passed(log) == 1


def test_an_answer_that_differs_by_a_byte_has_no_labels(tmp_path: Path) -> None:
    item = shipped_copy(tmp_path)
    log = run(kwbench(dataset=str(item)), says(read_answer(item, "expert") + " "), get_model(LABELS))
    assert log.samples is not None
    metadata = score_of(log.samples[0]).metadata
    assert metadata is not None
    assert set(metadata["verdicts"].values()) == {"unscored:grader_error"}
    assert "the answer to judge is none of those that the item ships" in metadata["criteria"][0]["rationale"]


def test_a_prompt_that_is_not_ours_is_refused() -> None:
    task = Task(dataset=[Sample(id="s", input="Say hello.")], solver=generate())
    log = inspect_eval(task, model="reference/expert", display="none", log_realtime=False)[0]
    assert log.status == "error"
    assert log.error is not None
    assert "plays only prompts of kwsuite's own tasks" in log.error.message


def test_an_item_without_reference_answers_says_what_is_missing(tmp_path: Path) -> None:
    log = play("expert", dataset=str(write_item(tmp_path)))
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "item item-a: the expert answer is missing. Write it." in log.samples[0].error.message


def test_an_unknown_reference_candidate_names_the_choices() -> None:
    with pytest.raises(ValueError, match="choose one of reference/expert, reference/surface, reference/null"):
        get_model("reference/genius")


def test_the_labels_grader_does_not_play_a_candidate() -> None:
    log = play("labels", polarity="neighbour")
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "reference/labels was asked to play a candidate, which it is not." in log.samples[0].error.message


def copied(folder: Path) -> Path:
    return shutil.copytree(bundled_folder() / "sig-mall-early-renewal", folder / "sig-mall-early-renewal")


def test_labels_that_are_edited_count_in_the_next_run(tmp_path: Path) -> None:
    """Grader replies are cached by prompt, and a label is not in the prompt."""
    item = copied(tmp_path)
    assert passed(play("expert", dataset=str(item))) == 1
    labels = item / "labels" / "final.yaml"
    expert, others = labels.read_text(encoding="utf-8").split("\nsurface:", 1)
    changed = expert.replace("state: met", "state: not_met", 1)
    assert changed != expert
    labels.write_text(f"{changed}\nsurface:{others}", encoding="utf-8")
    assert passed(play("expert", dataset=str(item))) == 0


def test_a_label_says_nothing_of_a_criterion_in_other_words(tmp_path: Path) -> None:
    log = play("expert", dataset=str(copied(tmp_path)))
    foreign = conjunctive_gate(rubric={"mandatory": ["Does it name the closing date?"]})
    rescored = score(log, foreign, action="overwrite", display="none")
    assert rescored.samples is not None
    found = score_of(rescored.samples[0]).metadata
    assert found is not None
    assert found["verdicts"] == {"m1": "unscored:grader_error"}
    assert "is asked in other words" in found["criteria"][0]["rationale"]
