"""One sample's summary as one row."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from inspect_ai.log import EvalSampleSummary
from inspect_ai.model import ModelUsage

from kwsuite.analysis.candidates import grader_names
from kwsuite.analysis.logs import Run
from kwsuite.analysis.record import Record

Row = dict[str, Any]


class Name(NamedTuple):
    """What a run is a run of."""

    benchmark: str
    """Task name."""
    candidate: str
    """Candidate label."""


class Place(NamedTuple):
    """Where the full record of a sample stands."""

    log: str
    """Path or URL of the log."""
    item: str | int
    """Sample id, as Inspect has it."""
    epoch: int
    """Epoch, from 1."""
    scorer: str
    """Name of the score."""


def sample_row(run: Run, name: Name, sample: EvalSampleSummary, record: Record | None, by: str) -> Row:
    """Turn a sample into a row of the items frame.

    Args:
        run: The run it belongs to.
        name: Benchmark and candidate.
        sample: The summary.
        record: What its score says; None without one.
        by: The sample metadata key that groups items.

    Returns:
        The columns of the items frame but `repeat`, and `binary`, whether the score can only be a pass or a fail.
    """
    given = sample.metadata
    scored = record.metadata if record else {}
    usage = _candidate_usage(run, sample)
    expected, found = (run.header.eval.metadata or {}).get("version"), scored.get("version")
    hashes = {str(part["rubric_hash"]) for part in (given, scored) if part.get("rubric_hash")}
    return {
        **name._asdict(),
        "run": run.header.eval.task_id,
        "log": run.path,
        "link": f"{run.relative}/samples/sample/{sample.id}/{sample.epoch}",
        "item": str(sample.id),
        "epoch": sample.epoch,
        "polarity": "neighbour" if (scored.get("polarity") or given.get("polarity")) == "neighbour" else "positive",
        "category": str(given.get(by) or "all"),
        "subcategory": str(given.get("subcategory") or ""),
        "state": _state(sample, record),
        "passed": record.passed if record else np.nan,
        "score": record.score if record else np.nan,
        "binary": record.binary if record else None,
        "graded": record.values.get("graded", np.nan) if record else np.nan,
        "rubric_hash": str(scored.get("rubric_hash") or given.get("rubric_hash") or ""),
        "stale": len(hashes) > 1 or (None not in (expected, found) and str(found) != str(expected)),
        "scorer": record.scorer if record else "",
        "other_scorers": ", ".join(record.others) if record else "",
        "grader": _grader(scored) if "grader" in scored else grader_names(run.header),
        "self_graded": bool(scored.get("self_graded", False)),
        "calibrated": bool(scored.get("calibrated", False)),
        "limit": sample.limit or "",
        "error": sample.error or "",
        "tokens": float(usage.total_tokens),
        "cost": np.nan if usage.total_cost is None else usage.total_cost,
        "seconds": sample.working_time or np.nan,
        **({f"value.{key}": value for key, value in record.values.items()} if record else {}),
    }


def prompt_of(sample: EvalSampleSummary) -> str:
    """Give the text that the candidate was given, as far as the summary has it (5,120 characters a message)."""
    if isinstance(sample.input, str):
        return sample.input
    return "\n".join(message.text for message in sample.input if message.role == "user")


def _state(sample: EvalSampleSummary, record: Record | None) -> str:
    if sample.error:
        return "errored"
    return "unscored" if record is None or (np.isnan(record.passed) and np.isnan(record.score)) else "scored"


def _candidate_usage(run: Run, sample: EvalSampleSummary) -> ModelUsage:
    model = run.header.eval.model
    usage = sample.model_usage.get(model) or ModelUsage()
    tokens, cost = usage.total_tokens, usage.total_cost
    # Where the candidate's model also grades, Inspect's figure for the model holds both.
    for role, config in (run.header.eval.model_roles or {}).items():
        spent = sample.role_usage.get(role)
        members = config if isinstance(config, list) else [config]
        if spent and all(member.model == model for member in members):
            tokens -= spent.total_tokens
            cost = None if cost is None else cost - (spent.total_cost or 0.0)
    return ModelUsage(total_tokens=max(tokens, 0), total_cost=cost)


def _grader(metadata: Mapping[str, Any]) -> str:
    grader = metadata.get("grader")
    return " + ".join(map(str, grader)) if isinstance(grader, list) else str(grader or "")
