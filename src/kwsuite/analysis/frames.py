"""Logs as tidy tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from inspect_ai.log import read_eval_log_sample_summaries

from kwsuite.analysis.alarms import false_alarms
from kwsuite.analysis.columns import (
    BEHAVIOUR_COLUMNS,
    CATALOGUE_COLUMNS,
    CRITERION_COLUMNS,
    ITEM_COLUMNS,
    TEXT_COLUMNS,
)
from kwsuite.analysis.details import CriterionKey, read_catalogue, read_cut_verdicts
from kwsuite.analysis.filling import decide_passes, fill_gaps
from kwsuite.analysis.logs import LogSet, Progress, Run, find_logs, reading
from kwsuite.analysis.record import Record
from kwsuite.analysis.runs import name_runs, run_table
from kwsuite.analysis.samples import Name, Place, Row, prompt_of, sample_row
from kwsuite.analysis.wanted import Wanted


@dataclass(frozen=True)
class Frames:
    """What some logs hold, one fact in one place. Every frame has its columns also when it has no rows."""

    runs: pd.DataFrame
    """One row a log that counts (`RUN_COLUMNS`)."""
    items: pd.DataFrame
    """One row a sample: item, candidate and epoch (`ITEM_COLUMNS`, and `value.<key>` for each number of the score).

    `state` is scored, unscored, errored, or not_run for what was planned and is not in the log. `passed` is 1, 0 or
    NaN; `score` a number or NaN. `repeat` counts a candidate's tries at an item from 1 over epochs and runs.
    """
    criteria: pd.DataFrame
    """One row a criterion of a sample (`CRITERION_COLUMNS`); `state` is met, not_met or unscored."""
    catalogue: pd.DataFrame
    """One row a criterion of an item (`CATALOGUE_COLUMNS`)."""
    texts: pd.DataFrame
    """One row an item, with the text that the candidate was given (`TEXT_COLUMNS`)."""
    behaviours: pd.DataFrame
    """One row a behaviour of a sample (`BEHAVIOUR_COLUMNS`), for scorers that record any."""
    left_out: pd.DataFrame
    """One row a log that does not count: log, reason, detail."""

    def of(self, benchmark: str) -> "Frames":
        """Give the rows of one benchmark; `left_out` stays whole, since such logs may not say what they are."""

        def part(frame: pd.DataFrame) -> pd.DataFrame:
            return frame[frame["benchmark"] == benchmark]

        return Frames(
            part(self.runs),
            part(self.items),
            part(self.criteria),
            part(self.catalogue),
            part(self.texts),
            part(self.behaviours),
            self.left_out,
        )

    @property
    def benchmarks(self) -> list[str]:
        """Names of the benchmarks, in order of their first run."""
        return list(dict.fromkeys(self.runs["benchmark"]))


def read_frames(
    *sources: str | Path,
    unfinished: bool = False,
    scorer: str | None = None,
    value: str | None = None,
    pass_at: float | None = None,
    by: str = "category",
    details: bool = True,
    progress: Progress | None = None,
) -> Frames:
    """Read logs into frames: headers, then sample summaries, then one full sample an item for its criteria.

    Full samples are read one at a time and only where summaries cannot answer: for the tiers and kinds of criteria
    (once an item, not once a candidate) and for verdict maps that were too large for the summary.

    Args:
        sources: Folders, log files, or fsspec URLs of either.
        unfinished: Whether interrupted logs count.
        scorer: The scorer to read; by default this suite's, else the first of each sample.
        value: The key to read from a foreign scorer's map of values; by default its first number.
        pass_at: The score from which a sample passes, for benchmarks whose scorer gives no pass or fail. Without it,
            scores that are all 0 or 1 (or C, I, P) are passes and fails, and other scores are only averaged.
        by: The sample metadata key that groups items.
        details: Whether to read the tiers, kinds and texts of all criteria, or only those of neighbours.
        progress: Told about each log.

    Raises:
        NoLogsError: No log counts, one is damaged, or no sample has the scorer, value or metadata key asked for.
    """
    logs = find_logs(*sources, unfinished=unfinished, progress=progress)
    names = name_runs(logs)
    reader = _Reader(Wanted(scorer, value, by))
    for done, (run, name) in enumerate(zip(logs.runs, names, strict=True)):
        if progress:
            progress("samples", done, len(logs.runs))
        reader.read(run, name)
    if progress:
        progress("samples", len(logs.runs), len(logs.runs))
    return reader.frames(logs, names, pass_at, details, progress)


class _Reader:
    """Collects rows while logs stream by, so that no log's samples stay in memory."""

    def __init__(self, wanted: Wanted) -> None:
        self._wanted = wanted
        self._items: list[Row] = []
        self._verdicts: list[tuple[int, dict[str, str]]] = []
        self._cut: list[tuple[int, Place]] = []
        self._keys: dict[CriterionKey, Place] = {}
        self._neighbours: set[CriterionKey] = set()
        self._texts: dict[tuple[str, str], Row] = {}
        self._behaviours: list[Row] = []

    def read(self, run: Run, name: Name) -> None:
        seen: set[tuple[str, int]] = set()
        with reading(run.path):
            summaries = read_eval_log_sample_summaries(run.path)
        for sample in summaries:
            seen.add((str(sample.id), sample.epoch))
            record = self._wanted.read(sample)
            row = sample_row(run, name, sample, record, self._wanted.by)
            key = (name.benchmark, row["item"])
            if key not in self._texts:
                facts = {part: row[part] for part in ("category", "subcategory", "polarity")}
                self._texts[key] = {"benchmark": key[0], "item": key[1], **facts, "text": prompt_of(sample)}
            if record and row["state"] != "errored":
                self._note(row, record, Place(run.path, sample.id, sample.epoch, record.scorer))
            self._items.append(row)
        self._missing(run, name, seen)

    def _note(self, row: Row, record: Record, place: Place) -> None:
        position = len(self._items)
        verdicts = record.verdicts
        if record.cut:
            self._cut.append((position, place))
        elif verdicts:
            self._verdicts.append((position, verdicts))
        if verdicts or record.cut:
            key = CriterionKey(row["benchmark"], row["item"], row["rubric_hash"])
            self._keys.setdefault(key, place)
            if row["polarity"] != "positive":
                self._neighbours.add(key)
        shared = {part: row[part] for part in ("benchmark", "candidate", "run", "item", "epoch")}
        self._behaviours += [{**shared, "behaviour": key, "value": rate} for key, rate in record.behaviours.items()]

    def _missing(self, run: Run, name: Name, seen: set[tuple[str, int]]) -> None:
        spec = run.header.eval
        planned = [
            (str(item), epoch)
            for item in spec.dataset.sample_ids or []
            for epoch in range(1, (spec.config.epochs or 1) + 1)
        ]
        for item, epoch in planned:
            if (item, epoch) not in seen:
                base = {"benchmark": name.benchmark, "candidate": name.candidate, "run": spec.task_id, "log": run.path}
                self._items.append({**base, "item": item, "epoch": epoch, "state": "not_run"})

    def frames(
        self, logs: LogSet, names: list[Name], pass_at: float | None, details: bool, progress: Progress | None
    ) -> Frames:
        self._wanted.refuse_missing()
        items = pd.DataFrame(self._items, columns=_columns(self._items, ITEM_COLUMNS))
        texts = pd.DataFrame(list(self._texts.values()), columns=TEXT_COLUMNS)
        fill_gaps(items, texts)
        order = {run.header.eval.task_id: place for place, run in enumerate(logs.runs)}
        in_time = items.assign(order=items["run"].map(order)).sort_values(["order", "epoch"], kind="stable")
        items["repeat"] = in_time.groupby(["benchmark", "candidate", "item"], observed=True).cumcount() + 1
        decide_passes(items, pass_at)
        verdicts = self._verdicts + list(read_cut_verdicts(self._cut))
        # False alarms turn on the kinds of criteria, so neighbours are looked into even where details are not wanted.
        wanted = {key: place for key, place in self._keys.items() if details or key in self._neighbours}
        catalogue = pd.DataFrame(read_catalogue(wanted, progress), columns=CATALOGUE_COLUMNS)
        criteria = _criteria(items, verdicts, catalogue)
        items["alarm"] = false_alarms(items, criteria)
        behaviours = pd.DataFrame(self._behaviours, columns=BEHAVIOUR_COLUMNS)
        for column in ("benchmark", "candidate", "run", "log", "state", "polarity", "grader"):
            items[column] = items[column].astype("category")
        left_out = pd.DataFrame([vars(log) for log in logs.left_out], columns=["path", "reason", "detail"])
        return Frames(
            run_table(logs, names, items),
            items.drop(columns="binary"),
            criteria,
            catalogue,
            texts,
            behaviours,
            left_out.rename(columns={"path": "log"}),
        )


def _columns(rows: list[Row], known: list[str]) -> list[str]:
    values = {key for row in rows for key in row if key.startswith("value.")}
    return [*known, "binary", *sorted(values)]


def _criteria(items: pd.DataFrame, verdicts: list[tuple[int, dict[str, str]]], catalogue: pd.DataFrame) -> pd.DataFrame:
    def rows() -> Iterator[tuple[int, str, str, str]]:
        for position, found in verdicts:
            for criterion, word in found.items():
                state, _, reason = word.partition(":")
                yield position, criterion, state, reason

    frame = pd.DataFrame(list(rows()), columns=["position", "criterion", "state", "reason"])
    shared = ["benchmark", "candidate", "run", "item", "epoch", "repeat", "rubric_hash"]
    frame = frame.join(items[shared], on="position")
    key = ["benchmark", "item", "rubric_hash", "criterion"]
    frame = frame.merge(catalogue[[*key, "tier", "kind"]], on=key, how="left")[CRITERION_COLUMNS]
    for column in ("benchmark", "candidate", "run", "item", "criterion", "state", "reason", "tier", "kind"):
        frame[column] = frame[column].astype("category")
    return frame
