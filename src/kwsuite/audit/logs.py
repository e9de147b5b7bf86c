"""Checks of finished logs: were all samples scored on the items that the header names?"""

from pathlib import Path

from inspect_ai.log import EvalSampleSummary, list_eval_logs, read_eval_log, read_eval_log_sample_summaries

from kwsuite.analysis.logs import NoLogsError, reading
from kwsuite.audit.finding import AuditFinding


def log_findings(path: Path) -> list[AuditFinding]:
    """Compare the version of the items in a log's header with the version in each of its samples.

    A retry reuses finished samples under a new header, whatever has changed between; such a log mixes versions.

    Args:
        path: A log, or a folder of logs.

    Returns:
        A finding for each log of ours with samples of another version; logs of other tasks have none.
    """
    places = [str(path)] if path.is_file() else [info.name for info in list_eval_logs(str(path))]
    return [finding for place in places for finding in _one_log(place)]


def _one_log(place: str) -> list[AuditFinding]:
    try:
        with reading(place):
            header, summaries = read_eval_log(place, header_only=True), read_eval_log_sample_summaries(place)
    except NoLogsError as error:
        return [AuditFinding(place, "", str(error).removeprefix(f"{place}: "), "log")]
    expected = (header.eval.metadata or {}).get("version")
    if expected is None:
        return []
    strangers = [
        f"{summary.id} (epoch {summary.epoch})" for summary in summaries if _version(summary) not in (None, expected)
    ]
    if not strangers:
        return []
    message = (
        f"samples were scored on another version of the items than the header names ({expected}): "
        f"{', '.join(strangers)}. Run the task afresh."
    )
    return [AuditFinding(place, header.eval.task, message, "version")]


def _version(summary: EvalSampleSummary) -> str | None:
    found = (summary.metadata or {}).get("version")
    return str(found) if found is not None else None
