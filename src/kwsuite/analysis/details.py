"""What only full samples hold: criteria with their tiers and kinds, large verdict maps, and trajectories."""

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd
from inspect_ai.log import EvalSample, read_eval_log_sample, read_eval_log_samples
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool

from kwsuite.analysis.candidates import candidate_names
from kwsuite.analysis.logs import Progress, find_logs, reading
from kwsuite.analysis.samples import Place

HEAVY = {"messages", "events", "store", "attachments", "output"}
"""Parts of a sample that criteria do not need."""

STEP_COLUMNS = ["benchmark", "candidate", "run", "item", "epoch", "step", "tool", "arguments", "error", "reply", "cut"]
CAP = 2_000
"""Characters kept of an argument list or a reply; `cut` says where more was there."""


class CriterionKey(NamedTuple):
    """What a list of criteria belongs to."""

    benchmark: str
    """Task name."""
    item: str
    """Sample id."""
    rubric_hash: str
    """Content hash of the rubric; empty where the log has none."""


def read_catalogue(samples: Mapping[CriterionKey, Place], progress: Progress | None = None) -> Iterator[dict[str, Any]]:
    """Read the criteria of each item from one sample of it.

    Args:
        samples: For each item, a sample that has the full record.
        progress: Told about each item.

    Yields:
        Rows with benchmark, item, rubric_hash, criterion, tier, kind, text and source; nothing for a sample without
        the full record. Tier and kind are None where the record does not say.

    Raises:
        NoLogsError: A log is damaged.
    """
    for done, (key, place) in enumerate(samples.items()):
        if progress:
            progress("criteria", done, len(samples))
        sample = _light(place)
        texts = _questions(sample)
        for criterion in _recorded(sample, place.scorer, "criteria", list):
            yield {
                **key._asdict(),
                "criterion": str(criterion.get("id")),
                "tier": criterion.get("tier"),
                "kind": criterion.get("kind"),
                "text": str(criterion.get("text") or texts.get(str(criterion.get("id")), "")),
                "source": str(criterion.get("source") or ""),
            }
    if progress and samples:
        progress("criteria", len(samples), len(samples))


def read_cut_verdicts(places: Iterable[tuple[int, Place]]) -> Iterator[tuple[int, dict[str, str]]]:
    """Read verdict maps that were too large for the summaries.

    Args:
        places: Position of the row, and where its record stands.

    Yields:
        Position and map; nothing for a sample whose map is gone.

    Raises:
        NoLogsError: A log is damaged.
    """
    for position, place in places:
        sample = _light(place)
        found = _recorded(sample, place.scorer, "verdicts", dict)
        if found:
            yield position, {str(criterion): str(state) for criterion, state in found.items()}


def read_trajectories(*sources: str | Path, unfinished: bool = False, progress: Progress | None = None) -> pd.DataFrame:
    """Read every tool call of every sample, one full sample in memory at a time.

    Args:
        sources: Folders, log files, or fsspec URLs of either.
        unfinished: Whether interrupted logs count.
        progress: Told about each log.

    Returns:
        One row a call (`STEP_COLUMNS`): `step` counts from 1 within a sample, `arguments` is JSON, `error` is the
        kind of a refused or failed call or empty, and `arguments` and `reply` are capped with `cut` set. A sample
        without tool calls has no row.

    Raises:
        NoLogsError: No log counts, or one of them is damaged.
    """
    logs = find_logs(*sources, unfinished=unfinished, progress=progress)
    rows: list[dict[str, Any]] = []
    for done, run in enumerate(logs.runs):
        if progress:
            progress("trajectories", done, len(logs.runs))
        spec = run.header.eval
        family = [other.header for other in logs.runs if other.header.eval.task == spec.task]
        name = candidate_names(family)[next(place for place, header in enumerate(family) if header is run.header)]
        shared = {"benchmark": spec.task, "candidate": name.label, "run": spec.task_id}
        light = {"events", "store", "attachments"}
        with reading(run.path):
            for sample in read_eval_log_samples(run.path, all_samples_required=False, exclude_fields=light):
                rows += [{**shared, **step} for step in _steps(sample)]
    return pd.DataFrame(rows, columns=STEP_COLUMNS)


def _light(place: Place) -> EvalSample:
    with reading(place.log):
        return read_eval_log_sample(place.log, id=place.item, epoch=place.epoch, exclude_fields=HEAVY)


def _recorded(sample: EvalSample, scorer: str, part: str, kind: type) -> Any:
    score = (sample.scores or {}).get(scorer)
    found = (score.metadata or {}).get(part) if score else None
    return found if isinstance(found, kind) else kind()


def _questions(sample: EvalSample) -> dict[str, str]:
    """Give the text of each criterion where the sample carries its rubric, or the problems that are to be found."""
    rubric = sample.metadata.get("rubric")
    criteria = rubric.get("criteria") if isinstance(rubric, Mapping) else None
    texts = {str(part.get("id")): str(part.get("text") or "") for part in _maps(criteria)}
    problems = enumerate(_maps(sample.metadata.get("problems")), start=1)
    return {f"p{number}": str(problem.get("description") or "") for number, problem in problems} | texts


def _maps(found: Any) -> list[Mapping[str, Any]]:
    return [part for part in found if isinstance(part, Mapping)] if isinstance(found, list) else []


def _steps(sample: EvalSample) -> Iterator[dict[str, Any]]:
    replies = {message.tool_call_id: message for message in sample.messages if isinstance(message, ChatMessageTool)}
    calls = [
        call
        for message in sample.messages
        if isinstance(message, ChatMessageAssistant)
        for call in message.tool_calls or []
    ]
    for step, call in enumerate(calls, start=1):
        reply = replies.get(call.id)
        arguments = json.dumps(call.arguments, ensure_ascii=False, sort_keys=True, default=str)
        text = reply.text if reply else ""
        error = reply.error.type if reply and reply.error else "parsing" if call.parse_error else ""
        yield {
            "item": str(sample.id),
            "epoch": sample.epoch,
            "step": step,
            "tool": call.function,
            "arguments": arguments[:CAP],
            "error": error,
            "reply": text[:CAP],
            "cut": len(arguments) > CAP or len(text) > CAP,
        }
