"""What a log says of itself and what the report says of it."""

from pathlib import Path

import pytest

from kwsuite.analysis.frames import read_frames
from kwsuite.analysis.headline import headline
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import Call, Scripted, run, write_item


@pytest.mark.parametrize("bad", [(), ("item-a 1",), ("item-a 1", "item-b 2", "item-b 3")])
def test_log_and_report_give_the_same_interval_over_epochs(tmp_path: Path, bad: tuple[str, ...]) -> None:
    for name in ("item-a", "item-b", "item-c"):
        write_item(tmp_path / "items", name, task=f"Write the memo of {name}.")
    seen: dict[str, int] = {}

    def answer(call: Call) -> str:
        name = next(name for name in ("item-a", "item-b", "item-c") if name in call.prompt)
        seen[name] = seen.get(name, 0) + 1
        return f"bad memo {seen[name]}" if f"{name} {seen[name]}" in bad else f"good memo {seen[name]}"

    grader = Scripted(lambda call: "VERDICT: NOT_MET" if "bad memo" in call.prompt else "VERDICT: MET")
    task = kwbench(dataset=str(tmp_path / "items"))
    log = run(task, Scripted(answer), grader, epochs=3, log_dir=str(tmp_path / "logs"))
    assert log.results is not None
    metrics = {name: one.value for scores in log.results.scores for name, one in scores.metrics.items()}
    told = headline(read_frames(tmp_path / "logs")).iloc[0]
    assert told["rate"] == pytest.approx(1 - len(bad) / 9)
    assert (told["rate_low"], told["rate_high"]) == pytest.approx((metrics["pass_rate_low"], metrics["pass_rate_high"]))
