"""How long a world takes to play: `python bench/world_engine.py`.

Prints, for each bundled scenario, the time to load it, the time of ten calls by the engine alone (the expert run,
repeated and cut to ten) with all checks decided at the end, and the time of the same ten calls through Inspect: the
task as it ships, with a model that answers at once. Medians of repetitions in one process, in milliseconds; the last
column is the ratio of the two medians. Through Inspect, samples run one after the other in one evaluation, whose start
and end are left out by taking the difference of a long and a short one.
"""

import argparse
from collections.abc import Callable
from itertools import cycle, islice
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from inspect_ai import Epochs
from inspect_ai import eval as inspect_eval
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from kwsuite.datasets.world_set import load_world_set
from kwsuite.datasets.worlds import WorldItem, load_scenario
from kwsuite.tasks.implicit_worlds import implicit_worlds
from kwsuite.worlds.engine import play
from kwsuite.worlds.trajectory import Call

CALLS = 10
REPETITIONS = 200
SHORT, LONG = 2, 12


def main(rounds: int) -> None:
    """Measure every bundled scenario."""
    print(f"{'scenario':<20} {'load':>7} {'engine':>8} {'slowest':>8} {'Inspect':>9} {'ratio':>7}")
    for item in load_world_set().items:
        loads = [_timed(lambda item=item: load_scenario(item.document.path)) for _ in range(5)]
        plays = [_timed(lambda item=item: _ten_calls(item)) for _ in range(REPETITIONS)]
        through = median(_per_sample(item) for _ in range(rounds))
        engine = median(plays)
        print(
            f"{item.scenario.id:<20} {median(loads):7.1f} {engine:8.2f} {max(plays):8.2f} {through:9.1f}"
            f" {through / engine:7.0f}"
        )


def _script(item: WorldItem) -> list[Call]:
    assert item.scenario.reference is not None
    return list(islice(cycle(item.scenario.reference.expert), CALLS))


def _ten_calls(item: WorldItem) -> None:
    run = play(item.world, _script(item))
    for criterion in item.world.checks:
        run.met(criterion)


def _per_sample(item: WorldItem) -> float:
    times = {epochs: _timed(lambda epochs=epochs: _evaluate(item, epochs)) for epochs in (SHORT, LONG)}
    return (times[LONG] - times[SHORT]) / (LONG - SHORT)


def _evaluate(item: WorldItem, epochs: int) -> None:
    with TemporaryDirectory() as folder:
        log = inspect_eval(
            implicit_worlds(dataset=str(item.document.path)),
            model=_instant(_script(item)),
            epochs=Epochs(epochs),
            max_samples=1,
            log_dir=folder,
            log_realtime=False,
            display="none",
        )[0]
    assert log.status == "success", log.error


def _instant(script: list[Call]) -> Model:
    def answer(messages: list[Any], tools: Any, choice: Any, config: Any) -> ModelOutput:
        made = sum(message.role == "assistant" for message in messages)
        output = (
            ModelOutput.for_tool_call("instant", script[made].tool, dict(script[made].arguments))
            if made < len(script)
            else ModelOutput.from_content("instant", "Done.")
        )
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/model", memoize=False, custom_outputs=answer)


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    main(parser.parse_args().rounds)
