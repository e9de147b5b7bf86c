"""Putting a script to a world model."""

from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample

from kwsuite.datasets.fidelity_sample import REPLIES_KEY, fidelity_dataset
from kwsuite.datasets.world_set import load_world_set
from kwsuite.solvers.simulate_script import simulate_script


def test_simulate_script_keeps_every_reply_to_every_call() -> None:
    sample = fidelity_dataset(load_world_set(), walks=0, walk_steps=0)[0]
    task = Task(dataset=[sample], solver=simulate_script(repeats=3))
    log = inspect_eval(task, model="reference/engine", display="none", log_realtime=False)[0]
    assert log.samples is not None
    kept = log.samples[0].store[REPLIES_KEY]
    assert [call["tool"] for call in kept] == [tool for tool, _ in (sample.metadata or {})["calls"]]
    assert {len(call["replies"]) for call in kept} == {3}
    assert {reply["outcome"] for call in kept for reply in call["replies"]} == {"done"}


def test_simulate_script_wants_a_scenario_in_the_sample() -> None:
    task = Task(dataset=[Sample(id="s", input="Hi.")], solver=simulate_script())
    log = inspect_eval(task, model="reference/engine", display="none", log_realtime=False)[0]
    assert log.error is not None
    assert "carries no scenario. Make it with fidelity_dataset." in log.error.message
