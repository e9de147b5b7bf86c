"""Which logs a place holds, which of them count, and why the others do not."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from inspect_ai.log import EvalLog, EvalLogInfo, list_eval_logs, read_eval_log

Progress = Callable[[str, int, int], None]
"""Told what is being read, how much of it is done, and how much there is."""


@dataclass(frozen=True)
class Run:
    """One log that counts."""

    path: str
    """Where the log lies: a local path or a URL."""
    relative: str
    """Its place below the folder it was found in, as Inspect View names it."""
    header: EvalLog
    """The log without its samples."""
    finished: bool
    """Whether every sample that was planned was tried."""


@dataclass(frozen=True)
class LeftOut:
    """One log that does not count."""

    path: str
    """Where the log lies."""
    reason: Literal["unfinished", "superseded", "unreadable"]
    """Which of the three ways to be left out."""
    detail: str
    """The status, the log that replaces it, or the error."""


@dataclass(frozen=True)
class LogSet:
    """All logs of some places, sorted into those that count and those that do not."""

    runs: tuple[Run, ...]
    """In order of creation."""
    left_out: tuple[LeftOut, ...]
    """In order of path."""


class NoLogsError(ValueError):
    """There is nothing to analyse, or a log that should be is damaged."""


@contextmanager
def reading(log: str) -> Iterator[None]:
    """Name the log if a part of it cannot be read, which its header does not tell.

    Raises:
        NoLogsError: Reading failed inside the block.
    """
    try:
        yield
    except Exception as error:  # every way of packing has errors of its own
        told = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
        raise NoLogsError(
            f"{log}: damaged, a part of it cannot be read ({told}). Remove it, or run it again."
        ) from error


@dataclass(frozen=True)
class _Found:
    info: EvalLogInfo
    relative: str


def find_logs(*sources: str | Path, unfinished: bool = False, progress: Progress | None = None) -> LogSet:
    """Read the headers of all logs in folders, files or fsspec URLs, and keep one log per run.

    A retry and a re-scored copy share their task id with the log they came from. Of such a family one log counts: a
    finished one before an unfinished, then the one with more completed samples, then the later.

    Args:
        sources: Folders (searched through), log files, or URLs of either.
        unfinished: Whether interrupted logs count too. A log that ended with failed samples is finished.
        progress: Told about each header.

    Raises:
        NoLogsError: A source does not exist or holds no log, or no log counts; the message says which and why.
    """
    found = [place for source in sources for place in _places(str(source))]
    unique = {place.info.name: place for place in found}
    headers: list[tuple[_Found, Run]] = []
    left_out: list[LeftOut] = []
    for done, (name, place) in enumerate(unique.items()):
        if progress:
            progress("headers", done, len(unique))
        path = _plain(name)
        try:
            with reading(path):
                header = read_eval_log(name, header_only=True)
        except NoLogsError as error:
            left_out.append(LeftOut(path, "unreadable", f"{type(error.__cause__).__name__}: {error.__cause__}"))
            continue
        headers.append((place, Run(path, place.relative, header, _finished(header))))
    if progress:
        progress("headers", len(unique), len(unique))
    runs: list[Run] = []
    for family in _families(headers):
        best = max(family, key=_rank)[1]
        for _, other in family:
            if other is not best:
                left_out.append(LeftOut(other.path, "superseded", f"{best.relative} is the same run, later or fuller"))
        if best.finished or unfinished:
            runs.append(best)
        else:
            left_out.append(LeftOut(best.path, "unfinished", f"status {best.header.status}"))
    if not runs:
        raise NoLogsError(_nothing(sources, left_out))
    runs.sort(key=lambda run: (run.header.eval.created, run.path))
    return LogSet(tuple(runs), tuple(sorted(left_out, key=lambda log: log.path)))


def _places(source: str) -> list[_Found]:
    is_file = source.endswith((".eval", ".json"))
    if "://" not in source and not Path(source).exists():
        raise NoLogsError(f"{source}: there is no such file or folder. Give a log, or a folder that holds logs.")
    if not is_file:
        infos = _listed(source, source.rstrip("/"), recursive=True)
        base = _plain(infos[0].name if infos else "")
        root = source.rstrip("/") if "://" in source else Path(source).resolve().as_posix()
        if infos and not base.startswith(root + "/"):
            root = base.rpartition("/")[0]
        return [_Found(info, _plain(info.name).removeprefix(root + "/")) for info in infos]
    folder, _, name = source.rpartition("/")
    siblings = _listed(source, folder or ".", recursive=False)
    matches = [info for info in siblings if info.name.rpartition("/")[2] == name]
    if not matches:
        raise NoLogsError(f"{source}: this is not an Inspect log. Logs end in .eval, or in .json with a time in front.")
    return [_Found(info, name) for info in matches]


def _listed(source: str, folder: str, *, recursive: bool) -> list[EvalLogInfo]:
    try:
        return list_eval_logs(folder, recursive=recursive, descending=False)
    except Exception as error:  # every kind of store has errors of its own
        raise NoLogsError(
            f"{source}: cannot be listed ({error}). Check the address; its scheme may need a package of its own, such "
            "as s3fs for s3://."
        ) from error


def _plain(name: str) -> str:
    return name.removeprefix("file://")


def _finished(header: EvalLog) -> bool:
    # With continue_on_fail a log whose samples all ran ends as an error, but has results.
    return header.status == "success" or (header.status == "error" and header.results is not None)


def _families(headers: Iterable[tuple[_Found, Run]]) -> list[list[tuple[_Found, Run]]]:
    families: dict[str, list[tuple[_Found, Run]]] = {}
    for place, run in headers:
        families.setdefault(run.header.eval.task_id or run.path, []).append((place, run))
    return list(families.values())


def _rank(member: tuple[_Found, Run]) -> tuple[bool, int, str, float, str]:
    place, run = member
    completed = run.header.results.completed_samples if run.header.results else 0
    return (run.finished, completed, str(run.header.eval.created), place.info.mtime or 0.0, run.path)


def _nothing(sources: Iterable[str | Path], left_out: Iterable[LeftOut]) -> str:
    where = ", ".join(str(source) for source in sources) or "no place"
    reasons = [f"  {log.path}: {log.reason} ({log.detail})" for log in left_out]
    if not reasons:
        return f"{where}: no Inspect logs here. Run `inspect eval ... --log-dir {where}` first, or name another folder."
    return "\n".join([f"{where}: no log counts.", *reasons, "Unfinished logs can be included with --unfinished."])
