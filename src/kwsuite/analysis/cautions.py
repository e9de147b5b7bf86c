"""What a reader must know before believing the numbers."""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

import pandas as pd

from kwsuite.analysis.conditions import conditions
from kwsuite.analysis.frames import Frames
from kwsuite.analysis.wording import counted

SMALL = 30
"""Below so many items an interval is wider than most differences between models."""


class Caution(NamedTuple):
    """One thing to know."""

    level: Literal["warning", "note"]
    """A warning can change a conclusion; a note explains what is shown."""
    title: str
    """What it is, in a few words."""
    text: str
    """What was seen, with counts, and what to do."""


def cautions(frames: Frames) -> list[Caution]:
    """Look for what can mislead in the frames of one benchmark: warnings first.

    Empty when there is nothing to say.
    """
    found = [
        *_graders(frames.items),
        *_missing(frames.items),
        *_versions(frames),
        *_samples(frames),
        *_kinds(frames),
    ]
    return sorted(found, key=lambda caution: caution.level != "warning")


def _graders(items: pd.DataFrame) -> Iterator[Caution]:
    own = items.loc[items["self_graded"], "candidate"].unique()
    if len(own):
        yield Caution(
            "warning", "Self-graded runs", f"{_list(own)}: the candidate judged itself. Bind a grader and score again."
        )
    judged = items[(items["grader"] != "") & (items["state"] == "scored")]
    graders = sorted(set(judged["grader"].astype(str)))
    if len(graders) > 1:
        yield Caution(
            "warning",
            "Different graders",
            f"Verdicts come from {_list(graders)}. Candidates judged by different graders are not comparable.",
        )
    labels = "reference/labels"
    loose = sorted(set(judged.loc[~judged["calibrated"], "grader"].astype(str)) - {labels})
    if loose:
        yield Caution(
            "warning",
            "Uncalibrated grader",
            f"Nothing in the logs says how often {_list(loose)} agrees with people. Calibrate it before relying on "
            "absolute rates.",
        )
    if labels in graders:
        own = judged[judged["grader"] == labels]
        scored = int((items["state"] == "scored").sum())
        where = "here" if len(own) == scored else f"on {len(own):,} of {counted(scored, 'scored sample')}"
        whose = "" if len(graders) == 1 else f", of {_list(dict.fromkeys(own['candidate'].astype(str)))}"
        yield Caution(
            "note", "Shipped labels", f"The labels that ship with the items stand in for a grader {where}{whose}."
        )


def _missing(items: pd.DataFrame) -> Iterator[Caution]:
    for state, one, several in (
        (
            "unscored",
            "has no verdict, because a grader gave none or a criterion that decides has none",
            "have no verdict, because a grader gave none or a criterion that decides has none",
        ),
        ("errored", "ended in an error of the machinery", "ended in an error of the machinery"),
        ("not_run", "was planned and is not in the log", "were planned and are not in the log"),
    ):
        rows = items[items["state"] == state]
        if len(rows):
            shares = rows.groupby("candidate", observed=True).size().sort_values(ascending=False)
            who = ", ".join(f"{name} {count}" for name, count in list(shares.items())[:4])
            more = f" and {len(shares) - 4} more" if len(shares) > 4 else ""
            yield Caution(
                "warning",
                f"{len(rows):,} of {counted(len(items), 'sample')} {state.replace('_', ' ')}",
                f"It {one} ({who}{more}). Rates over all count it as a fail."
                if len(rows) == 1
                else f"They {several} ({who}{more}). Rates over all count them as fails.",
            )
    limited = int((items["limit"] != "").sum())
    if limited:
        yield Caution(
            "note",
            f"{counted(limited, 'sample')} hit a limit",
            f"{'It was' if limited == 1 else 'They were'} graded on the state reached by then.",
        )


def _versions(frames: Frames) -> Iterator[Caution]:
    versions = sorted(set(frames.runs["version"]))
    if len(versions) > 1:
        yield Caution(
            "warning", "Mixed versions", f"Runs of {_list(versions)} stand side by side; their items may differ."
        )
    stale = int(frames.items["stale"].sum())
    if stale:
        yield Caution(
            "warning",
            f"{counted(stale, 'sample')} from another rubric",
            "Verdicts that belong to another version than the log's header says, as after a retry with a changed "
            "rubric. Score these logs again.",
        )
    hashes = frames.items[frames.items["rubric_hash"] != ""].groupby("item")["rubric_hash"].nunique()
    mixed = hashes[hashes > 1]
    if len(mixed):
        yield Caution(
            "warning",
            f"{counted(len(mixed), 'item')} with more than one rubric",
            f"Candidates were asked different questions or judged by different rules on {_list(mixed.index)}.",
        )
    if frames.runs["invalidated"].any():
        logs = frames.runs.loc[frames.runs["invalidated"].astype(bool), "link"]
        yield Caution("warning", "Invalidated samples", f"Samples in {_list(logs)} were marked invalid.")


def _samples(frames: Frames) -> Iterator[Caution]:
    positives = frames.items[frames.items["polarity"] == "positive"]
    counts = positives[positives["state"] == "scored"].groupby("candidate", observed=True)["item"].nunique()
    if len(counts) and counts.min() < SMALL:
        yield Caution(
            "warning",
            "Few items",
            f"The smallest run has {counted(int(counts.min()), 'scored item')}. Below {SMALL}, most differences cannot "
            "be told from chance.",
        )
    own = positives.groupby("candidate", observed=True)["item"].agg(frozenset)
    if own.nunique() > 1:
        common = frozenset.intersection(*own)
        yield Caution(
            "warning",
            "Different items",
            f"Candidates were not given the same items; {len(common)} {'is' if len(common) == 1 else 'are'} common to "
            "all. Differences use common items only, single rates do not.",
        )
    repeats = positives.groupby("candidate", observed=True)["repeat"].max()
    if len(repeats) and repeats.max() > 1:
        yield Caution(
            "note",
            "Repeats",
            "Rates are means over repeats, and intervals cluster by item. Where an item must count as passed or not "
            "(coverage, overlap, difficulty), it is passed when more than half of its repeats are.",
        )


def _kinds(frames: Frames) -> Iterator[Caution]:
    arms = conditions(frames.runs)
    if arms.names:
        yield Caution(
            "note",
            "Conditions",
            f"A candidate is contrasted with itself under {_list(arms.names)}, not ranked. Where candidates stand "
            f"against each other, it is under {arms.base}.",
        )
    others = sorted(set(frames.items["other_scorers"]) - {""})
    if others:
        used = sorted(set(frames.items["scorer"]) - {""})
        yield Caution(
            "note", "Several scores", f"Read: {_list(used)}. Not read: {_list(others)}. Choose with --scorer."
        )
    references = frames.runs.loc[frames.runs["reference"].astype(bool), "subject"].unique()
    if len(references):
        yield Caution(
            "note",
            "Reference candidates",
            f"{_list(references)} plays answers that ship with the items. It tests the machinery, not a model."
            if len(references) == 1
            else f"{_list(references)} play answers that ship with the items. They test the machinery, not a model.",
        )
    if frames.items["passed"].isna().all() and frames.items["score"].notna().any():
        yield Caution(
            "note",
            "No pass or fail",
            "These scores are numbers without a pass mark, so there is no pass rate. Set one with --pass-at.",
        )


def _list(names: Iterable[object], most: int = 4) -> str:
    every = [str(name) for name in names]
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if len(every) > most else "")
