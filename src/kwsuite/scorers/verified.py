"""The scorer of gated tasks: outputs are read once, kept, and checked by the task's verifier."""

import hashlib
import logging
from collections.abc import Mapping

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from kwsuite.datasets.gated import GatedItem
from kwsuite.datasets.gated_arms import item_of
from kwsuite.datasets.gated_outputs import CollectedOutputs, verified_checks
from kwsuite.datasets.gated_sample import OUTPUT_FOLDER, GatedArm, arm_of
from kwsuite.sandbox.artefact_probe import PROBE_KEY, insist_absent, probe_artefact
from kwsuite.sandbox.look import look
from kwsuite.scorers.coverage import coverage
from kwsuite.scorers.exposure import exposure
from kwsuite.scorers.judge import ReplyForm, check_judge_options
from kwsuite.scorers.judged_outputs import JudgeOptions, judge_outputs
from kwsuite.scorers.verified_metrics import (
    criterion_rates,
    exposure_rates,
    followed_rate,
    part_rates,
    verified_rate,
)
from kwsuite.scorers.verified_record import verified_record
from kwsuite.verdicts import Outcome, Unscored, Verdict

logger = logging.getLogger(__name__)

OUTPUTS_KEY = "kwsuite:gated_outputs"
"""Key of the store under which outputs are kept, so that a finished log can be scored again."""


@scorer(
    name="verified",
    metrics=[verified_rate(), part_rates(), criterion_rates(), exposure_rates(), followed_rate(), coverage()],
)
def verified(
    *,
    judge_form: ReplyForm = "auto",
    judge_cache: bool = True,
    votes: int = 1,
    warm: bool = True,
    require_grader: bool = False,
) -> Scorer:
    """Pass a run only if every named criterion of the task is met; each failure is named.

    The value has the keys `reward` (1 or 0, the product of all criteria), `deterministic` and `judged` (the product of
    the verifier's and of the judge's), `fraction` (the share of criteria met) and `graded`. The candidate's missing or
    broken output scores 0; a verifier that breaks, or a grader that stays silent, leaves its criteria unscored, and the
    kept outputs can be scored again with `inspect score`, also once the verifier is mended. `followed` in the metadata
    says of a run with the perturbed artefact whether the verifier's criteria are all met by the perturbed values.

    Args:
        judge_form: `auto` asks the judge for JSON by schema and reads text as well; `text` asks for a final line.
        judge_cache: Whether verdicts given before on the same prompt, rubric and epoch are reused.
        votes: Times each grader is asked, at least 1; more than one is decided by strict majority.
        warm: Ask a run's first criterion alone, so that the provider's prefix cache is warm for the rest.
        require_grader: Refuse to let the candidate grade itself.

    Model roles:
        grader: Judges free-form outputs; a list of models makes a panel. Tasks without such outputs ask no model.
            Without one the candidate grades itself, with a warning and `self_graded: true` in the record.
    """
    check_judge_options(judge_form, votes, judge_cache=judge_cache, warm=warm, require_grader=require_grader)
    options = JudgeOptions(judge_form, judge_cache, votes, warm, require_grader)

    async def score(state: TaskState, target: Target) -> Score:
        arm = arm_of(state.metadata)
        item = item_of(arm)
        outputs = await _outputs(state, item, arm)
        artefact = item.artefact_in(arm.condition)
        context = {
            "epoch": state.epoch,
            "condition": arm.condition,
            "delivery": arm.delivery,
            "seed": arm.seed,
            "version": state.metadata["version"],
            "item_version": arm.item_version,
            "verifier_version": item.verifier_digest(),
            "rubric_hash": _rubric_hash(item, arm, state.metadata["data_digest"]),
            "instruction_sha256": state.metadata["instruction_sha256"],
            "outputs": outputs.hashes(),
            "extra_outputs": list(outputs.extra),
            "artefact_probe": state.store.get(PROBE_KEY),
            "followed": _followed(item, arm, outputs),
            "exposure": exposure(state.messages, artefact, item.instruction, arm.delivery),
        }
        judged = await judge_outputs(item, arm, outputs, options, state.epoch)
        return verified_record(_outcomes(item, arm, outputs), judged, state.output.completion, context)

    return score


async def _outputs(state: TaskState, item: GatedItem, arm: GatedArm) -> CollectedOutputs:
    """Read the outputs from the sandbox, or from the log when it is scored again."""
    kept = state.store.get(OUTPUTS_KEY)
    if kept is not None:
        return CollectedOutputs.from_record(kept)
    if arm.condition == "without":
        probe = await probe_artefact(item, arm.condition)
        insist_absent(probe, "end")
        state.store.set(PROBE_KEY, {**(state.store.get(PROBE_KEY) or {}), "end": probe.record()})
    limits = {output.path: output.max_bytes for output in item.task.outputs}
    answer = await look("collect", {"folder": OUTPUT_FOLDER, "outputs": limits})
    outputs = CollectedOutputs(answer["files"], tuple(answer["extra"]))
    state.store.set(OUTPUTS_KEY, outputs.record())
    return outputs


def _outcomes(item: GatedItem, arm: GatedArm, outputs: CollectedOutputs) -> Mapping[str, Outcome]:
    try:
        checks = verified_checks(item, item.instance(arm.seed), outputs)
    except Exception as error:  # noqa: BLE001 - a verifier breaks in any way; that neither passes nor fails the candidate
        logger.warning(f"the verifier of {item.task.id} broke: {type(error).__name__}: {error}")
        broken = Unscored(reason="grader_error", rationale=f"{type(error).__name__}: {error}", source="verifier")
        return {name: broken for name in ("delivered", *item.task.names)}
    return {check.name: _verdict(check.met, check.why) for check in checks}


def _followed(item: GatedItem, arm: GatedArm, outputs: CollectedOutputs) -> bool | None:
    """Say whether all of the verifier's criteria are met by the perturbed values; None where that is no question."""
    if arm.condition != "perturbed":
        return None
    try:
        checks = verified_checks(item, item.instance(arm.seed), outputs, item.task.perturbed_values)
    except Exception as error:  # noqa: BLE001 - as above: a verifier breaks in any way
        logger.warning(f"the verifier of {item.task.id} broke on perturbed values: {type(error).__name__}: {error}")
        return None
    return all(check.met for check in checks)


def _rubric_hash(item: GatedItem, arm: GatedArm, data_digest: str) -> str:
    """Identify what decides a run: the task with its judged criteria, its instance and its verifier; 16 hex digits."""
    decides = (arm.item_version, data_digest, item.verifier_digest())
    return hashlib.sha256("\0".join(decides).encode()).hexdigest()[:16]


def _verdict(met: bool, why: str) -> Verdict:
    return Verdict(state="met" if met else "not_met", rationale=why, source="verifier")
