"""What to call the candidates of a set of runs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from inspect_ai.log import EvalLog

Facts = dict[str, str]

CONDITION_ARGUMENTS = ("condition", "framing")
"""Task arguments that change what a candidate is given, not who it is."""


class CandidateName(NamedTuple):
    """What a run is called."""

    label: str
    """The whole name: equal labels mean that the same thing was measured."""
    subject: str
    """The label without its condition: who was measured."""
    condition: str
    """What it was given, such as `condition=without`; empty where the benchmark's runs do not differ in it."""


def candidate_names(headers: Sequence[EvalLog]) -> list[CandidateName]:
    """Name the candidate of each run of one benchmark, so that equal names mean the same thing was measured.

    A name is the model, without its provider where that stays unique, followed by what tells its runs apart: task
    arguments that differ anywhere in the benchmark (conditions, framings), and the solver, generation settings or
    model arguments that differ between runs of this model.

    Args:
        headers: Log headers, one a run.

    Returns:
        A name for each header, in order; empty for none.
    """
    arguments = [_flat(header.eval.task_args) for header in headers]
    settings = [_settings(header) for header in headers]
    models = [header.eval.model for header in headers]
    short = _short(models)
    varied = _varying(arguments)
    names = []
    for model, own_arguments, own_settings in zip(models, arguments, settings, strict=True):
        same_model = [other for name, other in zip(models, settings, strict=True) if name == model]
        given = {key: f"{key}={own_arguments.get(key, 'default')}" for key in varied}
        kept = [f"{key}={own_settings.get(key, 'default')}" for key in _varying(same_model)]
        others = [part for key, part in given.items() if key not in CONDITION_ARGUMENTS]
        names.append(
            CandidateName(
                _joined([short[model], *given.values(), *kept]),
                _joined([short[model], *others, *kept]),
                _joined([part for key, part in given.items() if key in CONDITION_ARGUMENTS]),
            )
        )
    return names


def is_reference(model: str) -> bool:
    """Tell whether a model is one of the suite's reference candidates, which play answers that ship with the items."""
    return model.startswith("reference/")


def grader_names(header: EvalLog) -> str:
    """Name the graders that the log was run with, joined by ` + `; empty without a grader role."""
    role = (header.eval.model_roles or {}).get("grader")
    members = role if isinstance(role, list) else [role] if role else []
    return " + ".join(member.model for member in members)


def _joined(parts: Sequence[str]) -> str:
    return " · ".join(parts)


def _short(models: Sequence[str]) -> dict[str, str]:
    tails: dict[str, set[str]] = {}
    for model in models:
        tails.setdefault(model.rpartition("/")[2], set()).add(model)
    # Reference candidates keep their full name: a page must never make them look like a model.
    return {
        model: tail if len(owners) == 1 and not is_reference(model) else model
        for tail, owners in tails.items()
        for model in owners
    }


def _settings(header: EvalLog) -> Facts:
    config = header.eval.model_generate_config.model_dump(exclude_none=True, mode="json")
    facts = _flat({key: value for key, value in config.items() if key not in _PLUMBING})
    facts |= _flat({key: value for key, value in header.eval.model_args.items() if value is not None})
    if header.eval.solver:
        facts["solver"] = header.eval.solver
        facts |= _flat(header.eval.solver_args_passed or {})
    return facts


_PLUMBING = frozenset(
    {"max_connections", "adaptive_connections", "max_retries", "timeout", "attempt_timeout", "stream_idle_timeout"}
    | {"cache", "batch"}
)
"""Settings that change how calls are made, not what is asked."""


def _flat(values: Mapping[str, Any]) -> Facts:
    return {
        key: value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
        for key, value in values.items()
    }


def _varying(facts: Sequence[Facts]) -> list[str]:
    keys = sorted({key for own in facts for key in own})
    return [key for key in keys if len({own.get(key) for own in facts}) > 1]
