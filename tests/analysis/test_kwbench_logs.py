"""The kwbench task's own logs, read by the analysis."""

from pathlib import Path

import pytest

from kwsuite.analysis import Frames, find, read_frames
from kwsuite.tasks.kwbench import kwbench
from tests.scripted import run, says, verdicts, write_item


@pytest.fixture
def frames(tmp_path: Path) -> Frames:
    write_item(tmp_path / "items", "item-a")
    write_item(tmp_path / "items", "item-b", polarity="neighbour", neighbour_of="item-a")
    dataset, logs = str(tmp_path / "items"), str(tmp_path / "logs")
    graders = {"good": verdicts({"Q i1?": "NOT_MET"}), "poor": verdicts({"Q m2?": "NOT_MET", "Q g1?": "gibberish"})}
    for name, grader in graders.items():
        # Different answers: on the same one, the second run would be given the first one's cached verdicts.
        run(kwbench(dataset=dataset), says(f"The {name} memo.", name), grader, log_dir=logs)
    return read_frames(logs)


def test_passes_and_false_alarms_are_the_scorers(frames: Frames) -> None:
    table = find(frames)[0].headline.set_index("candidate")
    assert table["rate"].to_dict() == {"good": 1.0, "poor": 0.0}
    assert table["alarm"].to_dict() == {"good": 0.0, "poor": 1.0}
    assert table.loc["good", "score"] == pytest.approx(0.75)


def test_criteria_come_with_tier_state_and_reason(frames: Frames) -> None:
    own = frames.criteria[(frames.criteria["candidate"] == "poor") & (frames.criteria["item"] == "item-a")]
    states = own.set_index("criterion")[["tier", "state", "reason"]].astype(str).T.to_dict("list")
    assert states["m2"] == ["mandatory", "not_met", ""]
    assert states["g1"] == ["good_to_have", "unscored", "parse_failure"]
    assert len(states) == 5
    assert frames.catalogue.set_index(["item", "criterion"]).loc[("item-a", "m2"), "text"] == "Q m2?"


def test_one_near_miss_is_seen(frames: Frames) -> None:
    assert find(frames)[0].near_misses[["candidate", "item", "criterion"]].to_numpy().tolist() == [
        ["poor", "item-a", "m2"]
    ]


def test_samples_belong_to_their_headers_version_and_grader(frames: Frames) -> None:
    assert not frames.items["stale"].any()
    assert set(frames.items["grader"]) == {"mockllm/grader"}
    assert set(frames.texts["polarity"]) == {"positive", "neighbour"}
