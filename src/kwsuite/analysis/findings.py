"""Everything a report says about some logs, as tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import pandas as pd

from kwsuite.analysis.cautions import Caution, cautions
from kwsuite.analysis.conditions import Conditions, condition_effects, conditions
from kwsuite.analysis.contrasts import contrasts
from kwsuite.analysis.coverage import coverage_curve, difficulty, unique_passes
from kwsuite.analysis.criteria import criteria_matrix
from kwsuite.analysis.failures import behaviours, failed_criteria, failures_by, score_values
from kwsuite.analysis.fingerprints import fingerprints
from kwsuite.analysis.frames import Frames
from kwsuite.analysis.headline import headline, near_misses
from kwsuite.analysis.pairs import pairwise_differences, pairwise_overlap
from kwsuite.analysis.passes import PassRule, item_means, pass_matrix
from kwsuite.analysis.routing import routers


@dataclass(frozen=True)
class Findings:
    """What the logs say about one benchmark. Every table may be empty."""

    benchmark: str
    """Task name."""
    headline: pd.DataFrame
    """`headline`, one row a candidate, best first."""
    differences: pd.DataFrame
    """`pairwise_differences` of pass rates, or of scores where there are no passes."""
    conditions: Conditions
    """Under what candidates were run, and under which of it they are set against each other."""
    condition_effects: pd.DataFrame
    """`condition_effects` of pass rates, or of scores where there are no passes."""
    passes: pd.DataFrame
    """`pass_matrix` of the contenders, best first."""
    overlap: pd.DataFrame
    """`pairwise_overlap`."""
    coverage: pd.DataFrame
    """`coverage_curve`, with `unique` passes beside it."""
    difficulty: pd.DataFrame
    """`difficulty`."""
    fingerprints: pd.DataFrame
    """`fingerprints`."""
    routers: pd.DataFrame
    """`routers`."""
    kinds: pd.DataFrame
    """`failures_by` kind."""
    tiers: pd.DataFrame
    """`failures_by` tier."""
    failed_criteria: pd.DataFrame
    """`failed_criteria` of positives."""
    near_misses: pd.DataFrame
    """`near_misses`."""
    behaviours: pd.DataFrame
    """`behaviours`."""
    values: pd.DataFrame
    """`score_values`."""
    contrasts: pd.DataFrame
    """`contrasts`, linked into Inspect View where an address was given; of candidates, and of their conditions."""
    contrasted: tuple[str, ...]
    """The candidates that `contrasts` looks at, in the order of the headline."""
    criteria: pd.DataFrame
    """`criteria_matrix` of the items of `contrasts`."""
    runs: pd.DataFrame
    """The runs behind it all."""
    cautions: tuple[Caution, ...]
    """What to know before believing it."""
    level: float
    """Confidence of all intervals."""

    @property
    def metric(self) -> str:
        """`rate` where there are passes, else `score`."""
        return "rate" if self.headline["rate"].notna().any() else "score"

    def tables(self) -> dict[str, pd.DataFrame]:
        """Give every table by name, each with the benchmark as its first column."""
        named = {part.name: getattr(self, part.name) for part in fields(self)}
        tables = {name: table for name, table in named.items() if isinstance(table, pd.DataFrame)}
        tables["passes"] = self.passes.reset_index().melt("item", var_name="candidate", value_name="passed")
        tables["cautions"] = pd.DataFrame(self.cautions, columns=list(Caution._fields))
        for name, table in tables.items():
            rest = table.drop(columns="benchmark", errors="ignore").reset_index(drop=True)
            rest.insert(0, "benchmark", self.benchmark)
            tables[name] = rest
        return tables


def find(
    frames: Frames,
    level: float = 0.95,
    rule: PassRule = "majority",
    top: int | None = None,
    view: str | None = None,
) -> list[Findings]:
    """Work out the findings of every benchmark in the frames.

    Args:
        frames: What was read.
        level: Confidence of all intervals.
        rule: When an item with repeats counts as passed, wherever it must.
        top: How many of the best candidates are set against each other (overlap, coverage, difficulty, routing).
            None: all. Reference candidates are set against each other only when there are no others.
        view: Address of an Inspect View that serves the logs.

    Returns:
        One `Findings` a benchmark, in order of first run.
    """
    return [_find(name, frames.of(name), level=level, rule=rule, top=top, view=view) for name in frames.benchmarks]


def all_tables(findings: Sequence[Findings], frames: Frames) -> dict[str, pd.DataFrame]:
    """Give the tables of all benchmarks one below the other, and the logs left out, by name."""
    parts = [own.tables() for own in findings]
    names = list(parts[0]) if parts else []
    tables = {name: pd.concat([own[name] for own in parts], ignore_index=True) for name in names}
    return {**tables, "left_out": frames.left_out}


def _find(name: str, frames: Frames, *, level: float, rule: PassRule, top: int | None, view: str | None) -> Findings:
    arms = conditions(frames.runs)
    table = headline(frames, level)
    has_passes = bool(table["rate"].notna().any())
    ranked = _in_order(table, arms.rivals(frames.runs))[:top]
    column = "passed" if has_passes else "score"
    every = item_means(frames.items, column)
    means = _columns(every, ranked)
    passes = _columns(pass_matrix(frames.items, rule), ranked)
    if not has_passes:
        passes = passes.iloc[:0]
    texts = frames.texts.drop_duplicates("item").set_index("item")
    spent = {kind: item_means(frames.items, kind) for kind in ("cost", "tokens")}
    curve = coverage_curve(passes)
    subjects = set(frames.runs.loc[frames.runs["candidate"].isin(ranked), "subject"])
    contrasted = _in_order(table, frames.runs.loc[frames.runs["subject"].isin(subjects), "candidate"])
    apart = contrasts(frames.items, _columns(every, contrasted), view)
    return Findings(
        benchmark=name,
        headline=table,
        differences=pairwise_differences(means, level),
        conditions=arms,
        condition_effects=condition_effects(every, frames.runs, level),
        passes=passes,
        overlap=pairwise_overlap(passes),
        coverage=curve.assign(unique=curve["candidate"].map(unique_passes(passes))),
        difficulty=difficulty(passes),
        fingerprints=fingerprints(frames.items, passes, level),
        routers=routers(means, texts["category"], texts["text"], spent, level=level),
        kinds=failures_by(frames, "kind", level=level),
        tiers=failures_by(frames, "tier", level=level),
        failed_criteria=failed_criteria(_only(frames, ranked)),
        near_misses=near_misses(frames),
        behaviours=behaviours(frames, level),
        values=score_values(frames, level),
        contrasts=apart,
        contrasted=tuple(contrasted),
        criteria=criteria_matrix(frames, apart["item"].tolist(), contrasted),
        runs=frames.runs,
        cautions=tuple(cautions(frames)),
        level=level,
    )


def _in_order(table: pd.DataFrame, candidates: Iterable[str]) -> list[str]:
    chosen = set(candidates)
    return [name for name in table["candidate"] if name in chosen]


def _columns(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    return table.reindex(columns=list(names))


def _only(frames: Frames, candidates: Sequence[str]) -> Frames:
    kept = frames.criteria[frames.criteria["candidate"].isin(list(candidates))]
    return Frames(frames.runs, frames.items, kept, frames.catalogue, frames.texts, frames.behaviours, frames.left_out)
