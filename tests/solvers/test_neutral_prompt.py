"""What a candidate is shown, and the tools it gets."""

from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput

from kwsuite.scorers.submission import MOST_SHOWN
from kwsuite.solvers.neutral_prompt import SYSTEM_LINE, neutral_prompt
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import Call, Reply, Scripted, acts, output, run, run_one, says, score_of, verdicts, write_item

ROW_TOOLS = {"enable_search": False, "enable_bash": True, "enable_code": True}


def test_the_candidate_sees_the_system_line_then_task_then_material(tmp_path: Path) -> None:
    candidate = says("memo")
    run_one(kwbench(dataset=str(write_item(tmp_path))), candidate, verdicts({}))
    messages = candidate.calls[0].messages
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[0].text == SYSTEM_LINE
    assert messages[1].text.index("Write the memo") < messages[1].text.index("The price is 40.")


def test_an_item_with_a_shell_needs_a_sandbox_and_says_so(tmp_path: Path) -> None:
    log = run(kwbench(dataset=str(write_item(tmp_path, config=ROW_TOOLS))), says("memo"), verdicts({}))
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert (
        "sample 'item-a' gives the candidate a shell or code, which needs a sandbox. "
        "Add --sandbox docker, or take the tools away with -T tools=none."
    ) in log.samples[0].error.message


def test_an_item_that_wants_files_needs_a_sandbox_before_the_candidate_is_asked(tmp_path: Path) -> None:
    candidate = says("memo")
    log = run(kwbench(dataset=str(write_item(tmp_path, outputs=["out.md"])), tools="none"), candidate, verdicts({}))
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert "sample 'item-a' is to produce files, which needs a sandbox." in log.samples[0].error.message
    assert candidate.calls == []


def test_tools_can_be_taken_away(tmp_path: Path) -> None:
    task = kwbench(dataset=str(write_item(tmp_path, config=ROW_TOOLS)), tools="none")
    assert score_of(run_one(task, says("memo"), verdicts({}))).as_dict()["gate"] == 1.0


def with_tool_then(text: str, command: str = "printf 'In the file.' > report.md") -> Scripted:
    """A candidate that runs one command in its shell, which writes report.md, and then answers."""

    def reply(call: Call) -> Reply:
        if any(message.role == "tool" for message in call.messages):
            return text
        made = ModelOutput.for_tool_call("scripted", "bash", {"command": command})
        made.usage = output("").usage
        return made

    return Scripted(reply)


def test_a_model_gets_no_shell_in_a_sandbox_that_shares_the_hosts_files(tmp_path: Path) -> None:
    candidate = with_tool_then("See the file.")
    log = run(kwbench(dataset=str(write_item(tmp_path, config=ROW_TOOLS))), candidate, verdicts({}), sandbox="local")
    assert log.samples is not None
    assert log.samples[0].error is not None
    assert (
        "this sandbox shares the host's files, so a model could read the answers and act on your machine. "
        "Use --sandbox docker or --sandbox bwrap, or -T allow_unsafe=true"
    ) in log.samples[0].error.message
    assert candidate.calls == []


def test_a_model_gets_its_shell_in_a_sandbox_that_keeps_it_in(tmp_path: Path) -> None:
    task = kwbench(dataset=str(write_item(tmp_path, config=ROW_TOOLS)))
    sample = run_one(task, with_tool_then("Done."), verdicts({}), sandbox="bwrap")
    assert [message.role for message in sample.messages].count("tool") == 1


def test_a_reference_candidate_plays_an_item_with_a_shell_in_any_sandbox(tmp_path: Path) -> None:
    item = write_item(tmp_path, config=ROW_TOOLS)
    (item / "answers").mkdir()
    (item / "answers" / "null.md").write_text("A memo.", encoding="utf-8")
    roles = {"grader": verdicts({}).model}
    task = kwbench(dataset=str(item))
    log = inspect_eval(task, model="reference/null", model_roles=roles, sandbox="local", display="none")[0]
    assert log.status == "success", log.error


def test_a_candidate_that_calls_tools_without_end_is_stopped_and_judged_on_what_stands(tmp_path: Path) -> None:
    endless = acts(*[("bash", {"command": "true"})] * 20)
    task = kwbench(dataset=str(write_item(tmp_path, config=ROW_TOOLS)), allow_unsafe=True, message_limit=7)
    sample = run_one(task, endless, verdicts({}, "NOT_MET"), sandbox="local")
    assert sample.limit is not None
    assert sample.limit.type == "message"
    assert score_of(sample).as_dict()["gate"] == 0.0


def test_a_deliverable_is_read_from_the_sandbox_and_judged_with_the_message(tmp_path: Path) -> None:
    """C48."""
    item = write_item(tmp_path, config=ROW_TOOLS, outputs=["report.md", "annex.md"])
    grader = verdicts({})
    task = kwbench(dataset=str(item), allow_unsafe=True)
    found = score_of(run_one(task, with_tool_then("See the file."), grader, sandbox="local"))
    assert found.answer is not None
    assert "See the file." in found.answer
    assert "===== file: report.md =====\n\nIn the file." in found.answer
    assert "===== file: annex.md =====\n\n[The candidate did not produce this file.]" in found.answer
    assert all("In the file." in call.prompt for call in grader.calls)


def test_a_deliverable_is_judged_again_from_the_log_without_its_sandbox(tmp_path: Path) -> None:
    from inspect_ai import score

    from kwsuite.scorers.conjunctive_gate import conjunctive_gate

    item = write_item(tmp_path, config=ROW_TOOLS, outputs=["report.md"])
    task = kwbench(dataset=str(item), allow_unsafe=True)
    log = run(task, with_tool_then("See the file."), verdicts({}), sandbox="local")
    grader = verdicts({}, "NOT_MET", name="second")
    again = score(log, conjunctive_gate(), model_roles={"grader": grader.model}, action="overwrite", display="none")
    assert again.samples is not None
    assert "In the file." in grader.calls[0].prompt


def test_a_file_too_long_for_a_judge_is_stated_judged_and_not_kept(tmp_path: Path) -> None:
    """A judge that refuses long prompts would else be silent, and the candidate would leave the denominator."""
    item = write_item(tmp_path, config=ROW_TOOLS, outputs=["report.md", "annex.md"])
    write = f"head -c {MOST_SHOWN + 1} /dev/zero | tr '\\0' x > report.md; printf short > annex.md"
    grader = verdicts({}, "NOT_MET")
    sample = run_one(
        kwbench(dataset=str(item), allow_unsafe=True), with_tool_then("See the file.", write), grader, sandbox="local"
    )
    found = score_of(sample)
    assert found.as_dict()["gate"] == 0.0
    assert found.answer is not None
    assert "[This file has 400,001 characters; a judge is shown at most 400,000 of message and files.]" in found.answer
    assert "===== file: annex.md =====\n\nshort" in found.answer
    assert len(str(sample.store)) < MOST_SHOWN


def test_message_and_files_share_one_limit(tmp_path: Path) -> None:
    item = write_item(tmp_path, config=ROW_TOOLS, outputs=["report.md"])
    message = "y" * (MOST_SHOWN - 5)
    found = score_of(
        run_one(kwbench(dataset=str(item), allow_unsafe=True), with_tool_then(message), verdicts({}), sandbox="local")
    )
    assert found.answer is not None
    assert found.answer.startswith(message)
    assert "[This file has 12 characters; a judge" in found.answer


def test_a_message_too_long_for_a_judge_is_stated_and_judged(tmp_path: Path) -> None:
    found = score_of(run_one(kwbench(dataset=str(write_item(tmp_path))), says("y" * (MOST_SHOWN + 1)), verdicts({})))
    assert (
        found.answer == "[This message has 400,001 characters; a judge is shown at most 400,000 of message and files.]"
    )


def test_the_system_line_can_be_replaced(tmp_path: Path) -> None:
    candidate = says("memo")
    run(kwbench(dataset=str(write_item(tmp_path))), candidate, verdicts({}), solver=neutral_prompt(system="Be brief."))
    assert candidate.calls[0].messages[0].text == "Be brief."
