"""What a call costs on `bwrap` and on `local`, in one run: `python bench/sandbox_cost.py [ROUNDS]`.

The two are measured in turn within each round, so that a busy machine slows both alike. Figures are medians with the
quartiles, in milliseconds.
"""

import os
import platform
import statistics
import sys
import time
from collections.abc import Awaitable, Callable

import anyio
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

from kwsuite.sandbox.config import BwrapConfig
from kwsuite.sandbox.provider import BwrapSandboxEnvironment

SMALL, LARGE = b"x" * 1024, b"x" * (10 << 20)


async def time_call(call: Callable[[], Awaitable[object]]) -> float:
    """Time one call, in milliseconds."""
    began = time.perf_counter()
    await call()
    return (time.perf_counter() - began) * 1000


async def time_start(name: str) -> float:
    """Time a sandbox from its start to its end, in milliseconds."""
    config = BwrapConfig(allow_weak_limits=True)
    provider = BwrapSandboxEnvironment if name == "bwrap" else LocalSandboxEnvironment
    began = time.perf_counter()
    environments = await provider.sample_init("bench", config, {})
    await provider.sample_cleanup("bench", config, environments, False)
    return (time.perf_counter() - began) * 1000


async def measure(rounds: int) -> dict[tuple[str, str], list[float]]:
    """Give the times of every call, by label and provider."""
    config = BwrapConfig(allow_weak_limits=True)
    bwrap = (await BwrapSandboxEnvironment.sample_init("bench", config, {}))["default"]
    sandboxes: dict[str, SandboxEnvironment] = {"local": LocalSandboxEnvironment(), "bwrap": bwrap}
    times: dict[tuple[str, str], list[float]] = {}
    for sandbox in sandboxes.values():
        await sandbox.write_file("small", SMALL)
        await sandbox.write_file("large", LARGE)
    for _ in range(rounds):
        for name, sandbox in sandboxes.items():
            calls: dict[str, Callable[[], Awaitable[object]]] = {
                "exec true": lambda s=sandbox: s.exec(["true"]),
                "exec sh -c :": lambda s=sandbox: s.exec(["sh", "-c", ":"]),
                "read 1 KiB": lambda s=sandbox: s.read_file("small", text=False),
                "read 10 MiB": lambda s=sandbox: s.read_file("large", text=False),
                "write 1 KiB": lambda s=sandbox: s.write_file("small", SMALL),
                "write 10 MiB": lambda s=sandbox: s.write_file("large", LARGE),
            }
            for label, call in calls.items():
                times.setdefault((label, name), []).append(await time_call(call))
            times.setdefault(("start and stop", name), []).append(await time_start(name))
    await BwrapSandboxEnvironment.sample_cleanup("bench", config, {"default": bwrap}, False)
    await LocalSandboxEnvironment.sample_cleanup("bench", None, {"default": sandboxes["local"]}, False)
    return times


def main() -> None:
    """Measure and print."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    times = anyio.run(measure, rounds)
    print(f"{platform.platform()}, {os.cpu_count()} processors, uid {os.geteuid()}, {rounds} rounds\n")
    print(f"| call | {'local':>20} | {'bwrap':>20} | ratio |")
    print("| --- | ---: | ---: | ---: |")
    for label in dict.fromkeys(label for label, _ in times):
        cells, medians = [], []
        for name in ("local", "bwrap"):
            low, middle, high = statistics.quantiles(times[label, name], n=4)
            cells.append(f"{middle:7.2f} ({low:.2f}-{high:.2f})")
            medians.append(middle)
        print(f"| {label} | {cells[0]:>20} | {cells[1]:>20} | {medians[1] / medians[0]:.1f} |")


if __name__ == "__main__":
    main()
