"""The scorer of world models: both of the paper's consistency rates, and the same against the engine."""

import math
from collections import defaultdict
from dataclasses import asdict
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import TaskState

from kwsuite.datasets.fidelity_sample import REPLIES_KEY
from kwsuite.scorers.criteria_table import table_cell
from kwsuite.scorers.fidelity_rates import fidelity_rates, mistakes
from kwsuite.scorers.intervals import bootstrap_interval
from kwsuite.scorers.sample_values import known, mean, metadata, number, refuse_mixed_versions
from kwsuite.worlds.templates import written

BAR = 0.9
"""What the Implicit Intelligence paper asks of a world model, on both of its rates (appendix A.4)."""

_RATES = ("exact_repeats", "type_repeats", "exact_engine", "type_engine")
_SHOWN = 20


@metric(scores="unreduced")
def fidelity_rate() -> Metric:
    """The four rates, each scenario counting once, with their 95 % bootstrap intervals over scenarios.

    Gives `exact_repeats`, `type_repeats`, `exact_engine` and `type_engine` (each with `_low` and `_high`), `answered`,
    and `meets_paper_bar` and `meets_engine_bar`: 1 if both rates of the pair reach 0.9, NaN if one is unknown.
    """

    def compute(scores: list[SampleScore]) -> Value:
        refuse_mixed_versions(scores)
        result: dict[str, float] = {}
        for rate in _RATES:
            values = _by_scenario(scores, rate)
            low, high = bootstrap_interval(values)
            result |= {rate: mean(values), f"{rate}_low": low, f"{rate}_high": high}
        return {
            **result,
            "answered": mean(_by_scenario(scores, "answered")),
            "meets_paper_bar": _meets(result["exact_repeats"], result["type_repeats"]),
            "meets_engine_bar": _meets(result["exact_engine"], result["type_engine"]),
        }

    return compute


@metric(scores="unreduced")
def mistakes_by_action() -> Metric:
    """How often each action was simulated wrongly, as `wrong:<scenario>.<tool>`; only those that were."""

    def compute(scores: list[SampleScore]) -> Value:
        counts: dict[str, int] = defaultdict(int)
        for score in scores:
            scenario = (score.sample_metadata or {}).get("scenario_id")
            for entry in metadata(score).get("mistakes", []):
                counts[f"wrong:{scenario}.{entry['tool']}"] += int(entry["times"])
        return dict(sorted(counts.items()))

    return compute


@scorer(name="fidelity", metrics=[fidelity_rate(), mistakes_by_action()])
def fidelity() -> Scorer:
    """Compare a world model's replies to a script with one another and with the engine.

    The value has the keys `exact_repeats`, `type_repeats`, `exact_engine`, `type_engine` and `answered`, in [0, 1], the
    first two NaN with a single repeat. What was wrong stands in `metadata.mistakes` and in the explanation.
    """

    async def score(state: TaskState, target: Target) -> Score:
        asked = state.store.get(REPLIES_KEY) or []
        rates = fidelity_rates(asked)
        found = mistakes(asked)
        return Score(
            value=asdict(rates),
            explanation=_explanation(len(asked), rates.exact_engine, found),
            metadata={"mistakes": found[:_SHOWN], "calls": len(asked), "version": state.metadata.get("version")},
        )

    return score


def _explanation(calls: int, exact: float, found: list[dict[str, Any]]) -> str:
    headline = f"**{exact:.0%} of the replies as the engine has it** ({calls} calls)"
    if not found:
        return headline
    rows = [
        f"| {entry['times']} | {table_cell(entry['tool'])} | {table_cell(written(entry['arguments']))} "
        f"| {table_cell(entry['fault'])} |"
        for entry in found[:_SHOWN]
    ]
    return "\n".join([headline, "", "| times | action | arguments | what was wrong |", "|---|---|---|---|", *rows])


def _by_scenario(scores: list[SampleScore], key: str) -> list[float]:
    groups: dict[str, list[float]] = defaultdict(list)
    for score in scores:
        groups[str((score.sample_metadata or {}).get("scenario_id", score.sample_id))].append(number(score, key))
    return known(mean(known(values)) for values in groups.values())


def _meets(*rates: float) -> float:
    return math.nan if any(map(math.isnan, rates)) else float(all(rate >= BAR for rate in rates))
