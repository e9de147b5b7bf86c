"""Metrics over findings: documents with problems and clean ones apart, epochs averaged within a document."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from statistics import fmean

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.matching.problem_types import PROBLEM_TYPES
from kwsuite.matching.scores import DocumentScore, Measure, Ratio, ratio, total
from kwsuite.scorers.intervals import bootstrap_ratio_interval
from kwsuite.scorers.sample_values import item_means, metadata, number, over_items
from kwsuite.verdicts import rate_interval

_HOW = ("match", "threshold", "iou")


@metric(scores="unreduced")
def f1_scores() -> Metric:
    """F1 over documents with problems.

    Gives `micro_f1` (all findings together) and `macro_f1` (mean of the documents), each with its 95 % bootstrap
    interval over documents (`_low`, `_high`; the seed is fixed), over documents whose matching is decided; both again
    as `_all` over every document, an undecided meaning counting as different; and the counts `documents` and
    `undecided`. NaN and 0 for none.

    Raises:
        ValueError: Samples were matched in different ways, as after a change of arguments between retries.
    """

    def compute(scores: list[SampleScore]) -> Value:
        _refuse_mixed_ways(scores)
        planted = [score for score in scores if not _document(score).clean]
        decided = [score for score in planted if _decided(score)]
        names = {str(score.sample_id) for score in planted}
        return {
            **_with_interval("micro_f1", decided),
            **_with_interval("macro_f1", decided),
            "micro_f1_all": total(_ratios("micro_f1", planted)),
            "macro_f1_all": total(_ratios("macro_f1", planted)),
            "documents": len(names),
            "undecided": len(names - {str(score.sample_id) for score in decided}),
        }

    return compute


@metric(scores="unreduced")
def precision_and_recall() -> Metric:
    """Micro and macro precision and recall over decided documents with problems, each with its bootstrap interval."""

    def compute(scores: list[SampleScore]) -> Value:
        decided = [score for score in scores if not _document(score).clean and _decided(score)]
        measures: tuple[Measure, ...] = ("micro_precision", "micro_recall", "macro_precision", "macro_recall")
        return {key: value for measure in measures for key, value in _with_interval(measure, decided).items()}

    return compute


@metric(scores="unreduced")
def recall_by_type() -> Metric:
    """Share of the planted problems of each type that were found, as `recall:<type>`, for types that occur."""

    def compute(scores: list[SampleScore]) -> Value:
        shares = {name: over_problems(scores, name) for name in PROBLEM_TYPES}
        return {f"recall:{name}": share for name, share in shares.items() if not math.isnan(share)}

    return compute


def over_problems(scores: Iterable[SampleScore], type_: str) -> float:
    """Average over the planted problems of a type, each over its epochs; what is unscored is left out."""
    problems: dict[tuple[str, str], list[float]] = defaultdict(list)
    for score in scores:
        for entry in metadata(score).get("criteria", []):
            if entry["type"] == type_ and entry["state"] != "unscored":
                problems[str(score.sample_id), str(entry["id"])].append(float(entry["state"] == "met"))
    return fmean(fmean(states) for states in problems.values()) if problems else math.nan


@metric(scores="unreduced")
def type_accuracy() -> Metric:
    """Share of the findings that name a problem which also give its type; a type that cannot be read is wrong.

    Gives `type_accuracy` and `type_read`, the share whose type can be read at all, over decided documents; counts are
    averaged over a document's epochs. NaN for no such findings.
    """

    def compute(scores: list[SampleScore]) -> Value:
        decided = [score for score in scores if _decided(score)]
        return {
            "type_accuracy": _share_or_nan(_per_item(decided, lambda score: _matched_types(score, right=True))),
            "type_read": _share_or_nan(_per_item(decided, lambda score: _matched_types(score, right=False))),
        }

    return compute


def _matched_types(score: SampleScore, *, right: bool) -> Ratio:
    types = {str(entry["id"]): entry["type"] for entry in metadata(score).get("criteria", [])}
    matched = [one for one in metadata(score).get("findings", []) if one["state"] == "matched"]
    good = [one["type"] == types[str(one["problem"])] if right else one["type"] is not None for one in matched]
    return Ratio(sum(good), len(good))


@metric(scores="unreduced")
def false_alarms() -> Metric:
    """Findings that name no planted problem for every 1,000 words, over all documents together; NaN for none."""

    def compute(scores: list[SampleScore]) -> Value:
        def alarms(score: SampleScore) -> Ratio:
            document = _document(score)
            return Ratio(document.reported - document.hits, float(metadata(score).get("words", 0)) / 1000)

        ratios = _per_item([score for score in scores if _decided(score)], alarms)
        return {"false_alarms_per_1000": _share_or_nan(ratios)}

    return compute


@metric(scores="unreduced")
def clean_documents() -> Metric:
    """Share of clean documents whose reply can be read and reports nothing, with its 95 % interval.

    Gives `clean_rate` (`clean_rate_low`, `clean_rate_high`; Wilson for epochs that agree), `clean_reported` (mean
    number of findings on a clean document) and the count `clean_documents`. NaN and 0 for none.
    """

    def compute(scores: list[SampleScore]) -> Value:
        clean = [score for score in scores if _document(score).clean]
        rates = item_means(clean, lambda score: number(score, "f1"))
        low, high = rate_interval(rates)
        return {
            "clean_rate": fmean(rates) if rates else math.nan,
            "clean_rate_low": low,
            "clean_rate_high": high,
            "clean_reported": over_items(clean, lambda score: number(score, "reported")),
            "clean_documents": len(rates),
        }

    return compute


@metric(scores="unreduced")
def caution_index() -> Metric:
    """Findings over planted problems, on documents with problems: under 1 over-cautious, over 1 over-eager; not capped.

    NaN for no such documents.
    """

    def compute(scores: list[SampleScore]) -> Value:
        return total(_ratios("caution_index", [score for score in scores if not _document(score).clean]))

    return compute


@metric(scores="unreduced")
def format_failures() -> Metric:
    """Share of replies that could not be read (they score zero) as `format_failures`, and of `truncated` ones."""

    def compute(scores: list[SampleScore]) -> Value:
        return {
            "format_failures": over_items(scores, lambda score: 1 - number(score, "readable")),
            "truncated": over_items(scores, lambda score: float(bool(metadata(score).get("reply_truncated")))),
        }

    return compute


def _with_interval(measure: Measure, scores: Iterable[SampleScore]) -> dict[str, float]:
    ratios = _ratios(measure, scores)
    low, high = bootstrap_ratio_interval([one.numerator for one in ratios], [one.denominator for one in ratios])
    return {measure: total(ratios), f"{measure}_low": low, f"{measure}_high": high}


def _ratios(measure: Measure, scores: Iterable[SampleScore]) -> list[Ratio]:
    return _per_item(scores, lambda score: ratio(measure, _document(score)))


def _per_item(scores: Iterable[SampleScore], read: Callable[[SampleScore], Ratio]) -> list[Ratio]:
    """Average each part over the epochs of a document, so that every document weighs the same."""
    items: dict[str, list[Ratio]] = defaultdict(list)
    for score in scores:
        items[str(score.sample_id)].append(read(score))
    return [
        Ratio(fmean(one.numerator for one in ratios), fmean(one.denominator for one in ratios))
        for ratios in items.values()
    ]


def _share_or_nan(ratios: list[Ratio]) -> float:
    return total(ratios) if sum(one.denominator for one in ratios) else math.nan


def _document(score: SampleScore) -> DocumentScore:
    low, high = metadata(score).get("hits", (0, 0))
    return DocumentScore(
        planted=_count(score, "planted"),
        reported=_count(score, "reported"),
        hits=int(low),
        most_hits=int(high),
        readable=bool(_count(score, "readable")),
    )


def _count(score: SampleScore, key: str) -> int:
    value = number(score, key)
    if math.isnan(value):
        raise ValueError(f"sample {score.sample_id}: its score has no {key!r}, so it is not one of `spotted`.")
    return int(value)


def _decided(score: SampleScore) -> bool:
    document = _document(score)
    return document.hits == document.most_hits


def _refuse_mixed_ways(scores: Iterable[SampleScore]) -> None:
    ways = {tuple(metadata(score).get(key) for key in _HOW) for score in scores}
    if len(ways) > 1:
        shown = "; ".join(sorted(_shown(dict(zip(_HOW, way, strict=True))) for way in ways))
        raise ValueError(
            f"samples were matched in different ways ({shown}), and their scores do not compare. Score the whole log "
            "again with inspect score --scorer kwsuite/spotted."
        )


def _shown(way: Mapping[str, object]) -> str:
    return ", ".join(f"{key}={value}" for key, value in way.items())
