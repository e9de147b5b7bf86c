"""Logs stay small: a step costs what it changes."""

from pathlib import Path

from inspect_ai.log import read_eval_log_sample_summaries

from kwsuite.datasets.world_sample import STEPS_KEY
from kwsuite.tasks.implicit_worlds import implicit_worlds
from tests.scripted import acts, run, score_of
from tests.world_shop import write_world

STEPS = 300
ROWS = 12_000
MEGABYTE = 1_000_000
NOTE = "{:08d} entry of the ledger, kept for the record, entry of the ledger, kept for the record"


def test_three_hundred_steps_on_a_large_state_are_a_small_log(tmp_path: Path) -> None:
    """C67: the state is about 1.5 MB; full snapshots per step would be some 450 MB."""
    ledger = [{"row": number, "note": NOTE.format(number)} for number in range(ROWS)]
    file = write_world(tmp_path, {"world/entities/shelf/state/log": ledger})
    size = file.stat().st_size
    assert size > 1.2 * MEGABYTE
    agent = acts(*[[("shelf_move", {"item": "pen", "by": 1})] * 10] * (STEPS // 10))
    log = run(implicit_worlds(dataset=str(file), max_steps=STEPS), agent)
    assert log.status == "success", log.error
    assert log.samples is not None
    sample = log.samples[0]
    steps = sample.store[STEPS_KEY]
    assert len(steps) == STEPS
    assert len(str(steps)) < 200 * 1000
    assert len(sample.model_dump_json()) < 6 * size
    assert Path(log.location.removeprefix("file://")).stat().st_size < MEGABYTE
    metadata = score_of(sample, "all_pass").metadata
    assert metadata is not None
    assert len(str(metadata)) < 5_000
    summary = read_eval_log_sample_summaries(log.location)[0]
    assert (summary.scores or {})["all_pass"].metadata["verdicts"] == {"c1": "not_met"}
