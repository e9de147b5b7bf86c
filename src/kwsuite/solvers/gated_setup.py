"""Before a gated task begins: refuse an unsafe sandbox, and prove which condition it is in."""

from inspect_ai.solver import Generate, Solver, TaskState, solver

from kwsuite.arguments import check_flags
from kwsuite.datasets.gated_arms import item_of
from kwsuite.datasets.gated_sample import OUTPUT_FOLDER, arm_of
from kwsuite.sandbox.artefact_probe import PROBE_KEY, insist_absent, insist_present, probe_artefact
from kwsuite.sandbox.look import look
from kwsuite.solvers.host_files import refuse_host_files


@solver
def gated_setup(*, allow_unsafe: bool = False) -> Solver:
    """Probe the sandbox for the artefact at the start; it runs whatever agent is used.

    Args:
        allow_unsafe: Let a model act in a sandbox that shares the host's files. Only for models you would let use your
            own shell.

    Raises:
        ArgumentError: `allow_unsafe` is no switch.
        ValueError: When a sample runs, the sandbox shares the host's files and the candidate is a model.
        ProbeSurprise: The artefact is where it must not be, or is not where it must be.
    """
    check_flags(allow_unsafe=allow_unsafe)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        arm = arm_of(state.metadata)
        await refuse_host_files(state, allow_unsafe=allow_unsafe, instead="-T sandbox=docker or -T sandbox=bwrap")
        item = item_of(arm)
        outputs = {output.path: output.max_bytes for output in item.task.outputs}
        before = await look("collect", {"folder": OUTPUT_FOLDER, "outputs": outputs})
        if before["folder"] != "missing":
            raise RuntimeError(f"the sandbox holds a folder {OUTPUT_FOLDER!r} from before. Start from a fresh one.")
        probe = await probe_artefact(item, arm.condition)
        if arm.artefact_placed:
            insist_present(probe, "start")
        else:
            insist_absent(probe, "start")
        state.store.set(PROBE_KEY, {"start": probe.record()})
        return state

    return solve
