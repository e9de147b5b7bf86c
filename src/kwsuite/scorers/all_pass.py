"""The scorer of simulated worlds, usable on any Inspect task whose criteria must all be met."""

from typing import Any

from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from kwsuite.datasets.message_ids import is_of_this_suite
from kwsuite.datasets.world_sample import BENCHMARK, QUESTIONS_KEY, STEPS_KEY, world_of
from kwsuite.datasets.worlds import WorldItem
from kwsuite.scorers.all_pass_metrics import by_category, diagnostics, nss, spr, spr_all
from kwsuite.scorers.all_pass_record import all_pass_record
from kwsuite.scorers.coverage import coverage
from kwsuite.scorers.criteria_source import criteria_source
from kwsuite.scorers.graders import Graders, bound_graders
from kwsuite.scorers.judge import PROMPT_VERSION, Judge, ReplyForm, check_judge_options
from kwsuite.scorers.judging import judge_rubric
from kwsuite.scorers.run_evidence import RunEvidence, conversation_evidence, run_evidence
from kwsuite.scorers.world_measures import world_measures
from kwsuite.verdicts import Outcome, Rubric, Verdict
from kwsuite.worlds.engine import Run
from kwsuite.worlds.faults import WorldFault
from kwsuite.worlds.record import rebuilt_run


@scorer(name="all_pass", metrics=[spr(), spr_all(), nss(), by_category(), coverage(), diagnostics()])
def all_pass(
    *,
    rubric: str | list[Any] | dict[str, Any] | None = None,
    judge_form: ReplyForm = "auto",
    judge_cache: bool = True,
    votes: int = 1,
    warm: bool = True,
    require_grader: bool = False,
) -> Scorer:
    """Pass a run only if every criterion is met: by its check where it has one, else by a judge.

    The value has the keys `all_pass` (its mean is the scenario pass rate), `fraction` (its mean is the normalised
    scenario score) and `graded`. Works on a finished log, and on any other task with criteria of your own:
    `inspect score LOG --scorer kwsuite/all_pass -S rubric=FILE --model-role grader=PROVIDER/MODEL`.

    Args:
        rubric: None takes the criteria of the sample's scenario. Else a YAML or JSON file (or its content) with a list
            of criteria for all samples, or a map from sample id to such a list; a judge decides all of them.
        judge_form: `auto` asks the judge for JSON by schema and reads text as well; `text` asks for a final line.
        judge_cache: Whether verdicts given before on the same prompt, rubric and epoch are reused.
        votes: Times each grader is asked, from 1 to 99; more than one is decided by strict majority.
        warm: Ask a run's first criterion alone, so that the provider's prefix cache is warm for the rest.
        require_grader: Refuse to let the candidate grade itself.

    Model roles:
        grader: The judge; a list of models makes a panel. Not asked where every criterion has a check. Without one the
            candidate grades itself, with a warning and `self_graded: true` in the record.
    """
    check_judge_options(judge_form, votes, judge_cache=judge_cache, warm=warm, require_grader=require_grader)
    criteria_of = criteria_source(rubric)

    async def score(state: TaskState, target: Target) -> Score:
        criteria = criteria_of(state)
        ours = is_of_this_suite(state.input)
        # With criteria given, a field of that name in a sample of another task need not be a scenario of ours.
        item = world_of(state.metadata) if ours or not rubric else None
        run = None if item is None else rebuilt_run(item.world, state.store.get(STEPS_KEY) or [])
        outcomes: dict[str, Outcome] = {} if item is None or run is None or rubric else _checked(item, run)
        context: dict[str, Any] = {
            "epoch": state.epoch,
            "rubric_hash": criteria.digest(),
            "version": state.metadata.get("version") if ours else None,
            "grader": None,
            "self_graded": False,
        }
        prose = tuple(criterion for criterion in criteria.criteria if criterion.id not in outcomes)
        if prose:
            graders = bound_graders(require=require_grader)
            context |= {"grader": graders.name, "self_graded": graders.self_graded, "prompt_version": PROMPT_VERSION}
            judge = _judge(graders, judge_form, votes, judge_cache, state)
            evidence = _evidence(state, run, criteria.digest())
            outcomes |= await judge_rubric(judge, Rubric(criteria=prose), evidence, warm=warm)
        if item is not None and run is not None:
            context |= world_measures(item, run, state)
            if rubric:
                # What an idle agent gets is told by the scenario's own checks, which are not scored here.
                context["idle_fraction"] = None
        return all_pass_record(criteria, outcomes, state.output.completion, context)

    return score


def _checked(item: WorldItem, run: Run) -> dict[str, Outcome]:
    """Decide every criterion that has a check; a check that breaks is the scenario's fault and ends the sample."""
    outcomes: dict[str, Outcome] = {}
    for identifier, check in item.world.checks.items():
        try:
            met = run.met(identifier)
        except WorldFault as fault:
            message = f"{item.where(fault.at)}: item {item.scenario.id}: criterion {identifier}: {fault.message}"
            raise WorldFault(fault.at, message) from fault
        outcomes[identifier] = Verdict(state="met" if met else "not_met", rationale=check.source, source="check")
    return outcomes


def _judge(graders: Graders, form: ReplyForm, votes: int, cache: bool, state: TaskState) -> Judge:
    ids = (("benchmark", BENCHMARK), ("item", str(state.sample_id)))
    return Judge(graders.models, "run", form, votes, cache, state.epoch, ids)


def _evidence(state: TaskState, run: Run | None, rubric_hash: str) -> RunEvidence:
    closing = state.output.completion
    if run is None:
        return conversation_evidence(state.input_text, state.messages, closing, rubric_hash)
    request = str(state.metadata.get("request", state.input_text))
    return run_evidence(request, run, closing, rubric_hash, state.store.get(QUESTIONS_KEY) or ())
