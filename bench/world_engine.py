"""How long the engine takes to play a scenario: `python bench/world_engine.py`.

Prints, for each bundled scenario, the time to load it and the time of ten calls (the expert run, repeated and cut to
ten) with all checks decided at the end. Medians of many repetitions, in milliseconds, with the slowest beside them.
"""

from collections.abc import Callable
from itertools import cycle, islice
from statistics import median
from time import perf_counter

from kwsuite.datasets.worlds import WorldItem, bundled_worlds, load_scenario
from kwsuite.worlds.engine import play

CALLS = 10
REPETITIONS = 200


def main() -> None:
    """Measure every bundled scenario."""
    print(f"{'scenario':<20} {'load':>7} {'ten calls and checks':>21} {'slowest':>8}")
    for item in bundled_worlds():
        loads = [_timed(lambda item=item: load_scenario(item.document.path)) for _ in range(5)]
        plays = [_timed(lambda item=item: _ten_calls(item)) for _ in range(REPETITIONS)]
        print(f"{item.scenario.id:<20} {median(loads):7.1f} {median(plays):21.2f} {max(plays):8.2f}")


def _ten_calls(item: WorldItem) -> None:
    assert item.scenario.reference is not None
    run = play(item.world, islice(cycle(item.scenario.reference.expert), CALLS))
    for criterion in item.world.checks:
        run.met(criterion)


def _timed(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return (perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
