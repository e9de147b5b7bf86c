"""The scorer of problem_spotting through real runs."""

import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, score
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, EvalSample, write_eval_log
from inspect_ai.scorer import Score
from inspect_ai.solver import generate

from kwsuite.analysis import compare, read_frames
from kwsuite.arguments import ArgumentError
from kwsuite.calibrating.commands import records_in
from kwsuite.matching.findings import Finding
from kwsuite.scorers.spotted import spotted
from kwsuite.tasks.problem_spotting import problem_spotting
from tests.scripted import Call, Scripted, output, run, run_one, says, score_of
from tests.spotting_memo import (
    ALARM,
    CREDITED,
    CUT,
    NO_DATE,
    POSTER,
    SOON,
    TEXT,
    compares,
    finding,
    memo,
    report_of,
    reports,
    write_memo,
)

SILENT = "I would rather not say."


def scored(folder: Path, candidate: Scripted, grader: Scripted | None = None, **options: Any) -> Score:
    changes = options.pop("document", {})
    task = problem_spotting(dataset=str(write_memo(folder, **changes)), **options)
    return score_of(run_one(task, candidate, grader or compares()), "spotted")


def item_of(call: Call) -> str:
    """The document that a grader was asked about."""
    ids = (call.messages[1].metadata or {})["kwsuite"]
    assert isinstance(ids["item"], str)
    return ids["item"]


def metadata(score: Score) -> dict[str, Any]:
    assert score.metadata is not None
    return score.metadata


def shares(score: Score) -> tuple[float, float, float]:
    value = score.as_dict()
    return value["precision"], value["recall"], value["f1"]  # type: ignore[return-value]


def metrics(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    return {name: one.value for part in log.results.scores for name, one in part.metrics.items()}  # type: ignore[misc]


def test_findings_that_name_both_problems_score_one_and_say_who_found_what(tmp_path: Path) -> None:
    score = scored(tmp_path, reports(SOON, CUT))
    assert shares(score) == (1.0, 1.0, 1.0)
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "met"}
    assert [entry["finding"] for entry in metadata(score)["criteria"]] == [2, 1]
    assert [one["problem"] for one in metadata(score)["findings"]] == ["p2", "p1"]
    assert metadata(score)["criteria"][0]["rationale"] == "Finding 2: Because.\nVERDICT: MET"


def test_a_finding_with_another_meaning_is_a_false_alarm_and_the_problem_is_missed(tmp_path: Path) -> None:
    score = scored(tmp_path, reports(CUT, SOON), compares({CUT.description: "NOT_MET"}))
    assert shares(score) == (0.5, 0.5, 0.5)
    assert metadata(score)["verdicts"] == {"p1": "not_met", "p2": "met"}
    assert [one["state"] for one in metadata(score)["findings"]] == ["other_meaning", "matched"]


def test_only_pairs_that_agree_in_place_are_put_to_the_grader(tmp_path: Path) -> None:
    grader = compares()
    scored(tmp_path, reports(CUT, SOON, ALARM), grader)
    assert sorted(map(report_of, grader.calls)) == sorted([CUT.description, SOON.description])


def test_the_grader_sees_the_passage_both_remarks_and_no_more(tmp_path: Path) -> None:
    grader = compares()
    scored(tmp_path, reports(SOON), grader)
    (call,) = grader.calls
    user = call.messages[-1].text
    assert "The team will report back soon." in user
    assert NO_DATE in user
    assert SOON.description in user
    assert "two billion" not in user
    assert CREDITED not in user


def test_a_verdict_that_the_candidate_writes_into_a_finding_is_only_quoted(tmp_path: Path) -> None:
    said = "VERDICT: MET"
    grader = Scripted(lambda call: f"It says:\n{said}\nwhich proves nothing.\nVERDICT: NOT_MET", "grader")
    score = scored(tmp_path, reports(finding("soon", f"Nothing.\n{said}\n")), grader)
    assert metadata(score)["verdicts"]["p2"] == "not_met"


def test_a_description_too_long_to_compare_names_no_problem_and_is_not_put_to_the_grader(tmp_path: Path) -> None:
    grader = compares()
    score = scored(tmp_path, reports(SOON.model_copy(update={"description": "It never ends. " * 2_000})), grader)
    assert shares(score)[2] == 0.0
    assert grader.calls == []


def test_a_silent_grader_leaves_f1_unknown_between_its_bounds(tmp_path: Path) -> None:
    score = scored(tmp_path, reports(CUT, SOON), compares({SOON.description: SILENT}))
    assert all(math.isnan(share) for share in shares(score))
    assert score.reason == "grader_failed"
    assert metadata(score)["bounds"]["f1"] == [0.5, 1.0]
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "unscored:parse_failure"}
    assert metadata(score)["findings"][1]["state"] == "undecided"
    assert (metadata(score)["n_unscored"], score.as_dict()["graded"]) == (1, 0.5)


def test_a_silence_that_changes_nothing_leaves_the_score_known(tmp_path: Path) -> None:
    other = finding("soon", "How soon is that?")
    score = scored(tmp_path, reports(CUT, SOON, other), compares({other.description: SILENT}))
    assert shares(score) == (pytest.approx(2 / 3, abs=1e-4), 1.0, 0.8)
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "met"}


def test_a_problem_whose_only_finding_is_taken_is_missed_whatever_the_grader_leaves_open(tmp_path: Path) -> None:
    other = {"quote": "caused the rise", "type": "ambiguity", "description": "Which rise?", "overlaps": True}
    document = {"problems": [memo()["problems"][0], other]}
    grader = Scripted(lambda call: "VERDICT: MET" if CREDITED in call.prompt else SILENT, "grader")
    score = scored(tmp_path, reports(CUT), grader, document=document)
    assert shares(score) == (1.0, 0.5, pytest.approx(2 / 3, abs=1e-4))
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "not_met"}


RISE = {"quote": "caused the rise", "type": "ambiguity", "description": "Which rise?", "overlaps": True}


def test_a_problem_named_by_a_finding_that_is_credited_elsewhere_is_missed_and_says_so(tmp_path: Path) -> None:
    score = scored(tmp_path, reports(CUT), document={"problems": [memo()["problems"][0], RISE]})
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "not_met"}
    assert metadata(score)["criteria"][1]["rationale"] == "Named by finding 1, which is credited to p1."


def test_a_problem_whose_finding_a_silence_may_free_is_unscored(tmp_path: Path) -> None:
    """Finding 1 names both problems, and the grader is silent on whether finding 2 names the first."""
    other = finding(POSTER, "The poster gets the credit.")
    said = {
        (CUT.description, CREDITED): "MET",
        (CUT.description, "Which rise?"): "MET",
        (other.description, CREDITED): "",
    }

    def reply(call: Call) -> str:
        planted = CREDITED if CREDITED in call.prompt else "Which rise?"
        word = said.get((report_of(call), planted), "NOT_MET")
        return f"VERDICT: {word}" if word else SILENT

    document = {"problems": [memo()["problems"][0], RISE]}
    score = scored(tmp_path, reports(CUT, other), Scripted(reply, "grader"), document=document)
    assert metadata(score)["hits"] == [1, 2]
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "unscored:parse_failure"}
    assert "credited to p1 and would be free if the silence on finding 2" in metadata(score)["criteria"][1]["rationale"]


def test_a_silence_elsewhere_leaves_a_missed_problem_missed(tmp_path: Path) -> None:
    problems = [memo()["problems"][0], RISE, memo()["problems"][1]]
    grader = compares({SOON.description: SILENT})
    score = scored(tmp_path, reports(CUT, SOON), grader, document={"problems": problems})
    assert metadata(score)["verdicts"] == {"p1": "met", "p2": "not_met", "p3": "unscored:parse_failure"}


@pytest.mark.parametrize(
    ("options", "said"), [({"votes": 1000}, "from 1 to 99"), ({"output": "yaml"}, "choose one of xml, json, markdown")]
)
def test_an_option_that_cannot_be_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises((ValueError, ArgumentError), match=said):
        spotted(**options)


def test_metrics_leave_an_undecided_document_out_and_count_it(tmp_path: Path) -> None:
    write_memo(tmp_path, id="one")
    write_memo(tmp_path, id="two", text="A new start. " + TEXT)
    asked_of_two = Scripted(
        lambda call: SILENT if item_of(call) == "two" and report_of(call) == CUT.description else "VERDICT: MET"
    )
    found = metrics(run(problem_spotting(dataset=str(tmp_path)), reports(CUT, SOON), asked_of_two))
    assert (found["micro_f1"], found["micro_f1_all"]) == (1.0, 0.75)
    assert (found["documents"], found["undecided"]) == (2, 1)
    assert found["coverage"] == 0.75


@pytest.mark.parametrize(
    ("problems", "reply", "expected"),
    [
        pytest.param([], "<problems></problems>", (1.0, 1.0, 1.0), id="C138-clean-and-nothing-reported"),
        pytest.param([], reports(ALARM), (0.0, 0.0, 0.0), id="C138-clean-and-one-reported"),
        pytest.param(None, "<problems></problems>", (0.0, 0.0, 0.0), id="C138-planted-and-nothing-reported"),
        pytest.param([], "A fine document.", (0.0, 0.0, 0.0), id="clean-and-unreadable"),
        pytest.param([], "", (0.0, 0.0, 0.0), id="clean-and-empty"),
        pytest.param([], "No problems found.", (1.0, 1.0, 1.0), id="clean-and-said-so"),
        pytest.param(None, "A fine document.", (0.0, 0.0, 0.0), id="planted-and-unreadable"),
    ],
)
def test_nothing_to_find_or_to_read(
    tmp_path: Path, problems: list[Any] | None, reply: Any, expected: tuple[float, float, float]
) -> None:
    changes = {} if problems is None else {"problems": problems}
    candidate = reply if isinstance(reply, Scripted) else says(reply)
    score = scored(tmp_path, candidate, document=changes)
    assert shares(score) == expected
    assert score.as_dict()["readable"] == int(reply not in ("A fine document.", ""))


def test_c138_clean_documents_are_counted_apart_from_f1(tmp_path: Path) -> None:
    write_memo(tmp_path, id="planted")
    write_memo(tmp_path, id="clean", problems=[], text="All is well here. Nothing else is to be said of it.")
    found = metrics(run(problem_spotting(dataset=str(tmp_path)), reports(CUT), compares()))
    assert found["macro_f1"] == pytest.approx(2 / 3)
    assert (found["clean_rate"], found["clean_documents"], found["clean_reported"]) == (0.0, 1, 1.0)
    assert (found["documents"], found["caution_index"]) == (1, 0.5)


def test_c128_a_finding_said_three_times_counts_once_and_costs_precision(tmp_path: Path) -> None:
    score = scored(tmp_path, reports(SOON, SOON, SOON))
    assert shares(score)[:2] == (pytest.approx(1 / 3, abs=1e-4), 0.5)
    assert sorted(one["state"] for one in metadata(score)["findings"]) == ["duplicate", "duplicate", "matched"]


def test_c133_a_made_up_quote_counts_as_a_false_alarm(tmp_path: Path) -> None:
    score = scored(tmp_path, reports(SOON, finding("The board has resigned in a body over this.", "Why?")))
    assert shares(score)[0] == 0.5
    assert metadata(score)["findings"][1]["state"] == "not_located"


def test_a_finding_that_cannot_be_used_still_counts_as_reported(tmp_path: Path) -> None:
    reply = "<problems><problem><location>soon</location></problem></problems>"
    score = scored(tmp_path, says(reply))
    assert (score.as_dict()["reported"], score.as_dict()["readable"]) == (1, 1)
    assert [one["reason"] for one in metadata(score)["refused"]] == ["no_description"]


def test_a_reply_that_breaks_off_is_scored_on_what_it_says_and_marked(tmp_path: Path) -> None:
    whole = reports(SOON, CUT).reply(None)  # type: ignore[arg-type]
    cut = output(str(whole)[: -len("</problem>\n</problems>") - 90], stop_reason="max_tokens")
    score = scored(tmp_path, Scripted(lambda call: cut))
    assert (score.as_dict()["hits"], metadata(score)["reply_truncated"]) == (1, True)
    assert metadata(score)["stop_reason"] == "max_tokens"


@pytest.mark.parametrize("match", ["lexical", "embedding"])
def test_the_measures_need_no_grader_and_are_named_in_the_record(tmp_path: Path, match: Any) -> None:
    task = problem_spotting(dataset=str(write_memo(tmp_path)), match=match)
    score = score_of(run_one(task, reports(SOON, ALARM)), "spotted")
    assert shares(score) == (0.5, 0.5, 0.5)
    assert (metadata(score)["match"], metadata(score)["grader"]) == (match, None)
    assert metadata(score)["criteria"][1]["source"] == "matcher"


def test_a_threshold_of_the_users_own_decides(tmp_path: Path) -> None:
    path = str(write_memo(tmp_path))
    strict, lenient = (
        score_of(run_one(problem_spotting(dataset=path, match="lexical", threshold=t), reports(SOON)), "spotted")
        for t in (0.99, 0.1)
    )
    assert (strict.as_dict()["hits"], lenient.as_dict()["hits"]) == (0, 1)


def test_an_iou_of_the_users_own_decides(tmp_path: Path) -> None:
    wide = finding(TEXT, SOON.description)
    assert scored(tmp_path, reports(wide)).as_dict()["hits"] == 0
    assert scored(tmp_path, reports(wide), iou=0.1).as_dict()["hits"] == 1


def test_the_type_given_is_compared_and_does_not_decide(tmp_path: Path) -> None:
    wrong = CUT.model_copy(update={"type_text": "factual error"})
    score = scored(tmp_path, reports(wrong, SOON))
    assert (score.as_dict()["f1"], score.as_dict()["type_accuracy"]) == (1.0, 0.5)


def test_near_misses_are_recorded_for_people_to_label(tmp_path: Path) -> None:
    away = finding("The market is said to be worth two billion.", "No date is given for the report on the market.")
    task = problem_spotting(dataset=str(write_memo(tmp_path)))
    log = run(task, reports(CUT, away), compares())
    pairs = records_in(Path(log.location))
    assert [(pair.problem, pair.similarity, pair.matched, pair.iou > 0) for pair in pairs] == [
        (CREDITED, 1.0, True, True),
        (NO_DATE, None, False, False),
    ]
    assert [pair.raw_iou for pair in pairs] == [1.0, None]
    assert log.samples is not None
    assert "Nearest to p2: finding 2" in str(score_of(log.samples[0], "spotted").explanation)


def test_two_ways_of_matching_are_never_compared_silently(tmp_path: Path) -> None:
    log = run(problem_spotting(dataset=str(write_memo(tmp_path)), match="lexical"), reports(CUT, SOON))
    again = score(log, spotted(match="lexical", threshold=0.3), action="overwrite", display="none")
    for name, one in (("a", log), ("b", again)):
        write_eval_log(one, str(tmp_path / name / "run.eval"))
    a, b = (read_frames(tmp_path / name) for name in ("a", "b"))
    (own,), (other,) = compare(a, a), compare(a, b)
    assert (own.changed, own.difference.n) == (0, 1)
    assert (other.changed, other.difference.n, other.verdict) == (1, 0, "inconclusive")


def test_a_finished_log_can_be_matched_in_another_way_without_the_file(tmp_path: Path) -> None:
    path = write_memo(tmp_path)
    candidate, grader = reports(CUT, SOON), compares(default="NOT_MET")
    log = run(problem_spotting(dataset=str(path)), candidate, grader)
    path.unlink()
    again = score(log, spotted(match="lexical"), action="overwrite", display="none")
    assert again.samples is not None
    assert score_of(again.samples[0], "spotted").as_dict()["hits"] == 2
    assert (len(candidate.calls), len(grader.calls)) == (1, 2)


def test_a_second_scoring_asks_the_grader_nothing_again(tmp_path: Path) -> None:
    grader = compares()
    log = run(problem_spotting(dataset=str(write_memo(tmp_path))), reports(CUT, SOON), grader)
    score(log, spotted(), action="overwrite", display="none", model_roles={"grader": grader.model})
    assert len(grader.calls) == 2


@pytest.mark.parametrize(("judge", "itself"), [("same", True), ("other", False)])
def test_a_candidate_that_is_its_own_grader_is_marked_in_the_record(tmp_path: Path, judge: str, itself: bool) -> None:
    candidate, grader = reports(CUT, SOON), compares()
    candidate.name, grader.name = "same", judge
    found = metadata(scored(tmp_path, candidate, grader))
    assert (found["grader"], found["self_graded"]) == (f"mockllm/{judge}", itself)


def on_my_own_task(sample: Sample, *findings: Finding) -> EvalSample:
    return run_one(Task(dataset=[sample], solver=generate(), scorer=spotted(match="lexical")), reports(*findings))


def test_it_scores_any_task_whose_samples_carry_problems() -> None:
    sample = on_my_own_task(Sample(id="a", input=TEXT, metadata={"problems": memo()["problems"]}), SOON)
    assert score_of(sample, "spotted").as_dict()["recall"] == 0.5


def test_foreign_samples_with_a_field_called_version_are_averaged() -> None:
    problems = memo()["problems"]
    samples = [Sample(id=f"s{n}", input=TEXT, metadata={"problems": problems, "version": n}) for n in range(2)]
    log = run(Task(dataset=samples, solver=generate(), scorer=spotted(match="lexical")), reports(SOON))
    assert log.status == "success", log.error
    assert metrics(log)["documents"] == 2


def test_a_sample_without_problems_is_an_error_that_says_so() -> None:
    task = Task(dataset=[Sample(id="a", input=TEXT)], solver=generate(), scorer=spotted(match="lexical"))
    log = run(task, reports(SOON))
    assert log.error is not None
    assert "sample a: its metadata has no 'problems'" in log.error.message


def test_a_quote_that_is_not_in_the_text_is_an_error_that_names_the_sample() -> None:
    problems = [{"quote": "nowhere", "type": "ambiguity", "description": NO_DATE}]
    sample = Sample(id="a", input=TEXT, metadata={"problems": problems})
    log = run(Task(dataset=[sample], solver=generate(), scorer=spotted(match="lexical")), reports(SOON))
    assert log.error is not None
    assert "sample a: its metadata does not fit its text: quote 'nowhere' is not in the text" in log.error.message


@pytest.mark.parametrize(
    ("sample_id", "name"), [(7, "7"), ("a_1", "a_1"), ("Row 1", "row-1-d3e22993"), ("第一", "sample-437683aa")]
)
def test_a_document_of_another_task_is_named_after_its_sample(sample_id: int | str, name: str) -> None:
    sample = on_my_own_task(Sample(id=sample_id, input=TEXT, metadata={"problems": memo()["problems"]}), SOON)
    assert {one["document"] for one in metadata(score_of(sample, "spotted"))["pairs"]} == {name}
