"""What a log keeps of the findings about one document."""

import math
from collections.abc import Mapping
from typing import Any

from inspect_ai.scorer import Score

from kwsuite.matching.fates import Fate, fates
from kwsuite.matching.match import Key
from kwsuite.matching.pair_record import PairRecord
from kwsuite.matching.scores import false_alarms_per_thousand, word_count
from kwsuite.scorers.criteria_record import criteria_record, unscored_counts
from kwsuite.scorers.spotted_explanation import spotted_explanation
from kwsuite.scorers.spotted_outcomes import problem_criteria, problem_outcomes
from kwsuite.scorers.spotting import Spotting
from kwsuite.verdicts import state_of


def spotted_record(spotting: Spotting, answer: str, context: Mapping[str, Any]) -> Score:
    """Write the score of one document.

    Args:
        spotting: The reply after matching.
        answer: The reply as written.
        context: Further metadata.

    Returns:
        A score whose value has the keys f1, precision, recall (in [0, 1]), planted, reported, hits, type_accuracy (of
        the findings that name a problem; NaN for none), false_alarms (per 1,000 words), caution (findings over
        problems; NaN on a clean document), readable (0 or 1) and graded (share of compared pairs with a verdict; 1 for
        none). NaN where a number cannot be known for want of a verdict; its bounds are then in the metadata.
    """
    score, comparison = spotting.score, spotting.comparison
    criteria = problem_criteria(comparison)
    outcomes = problem_outcomes(
        comparison, spotting.matching, spotting.similarities, spotting.judged, spotting.threshold
    )
    ends = fates(comparison, spotting.matching, spotting.similarities, spotting.threshold)
    bounds = {"f1": score.f1, "precision": score.precision, "recall": score.recall}
    known = score.hits == score.most_hits
    return Score(
        value={
            **{name: round(one.value, 4) for name, one in bounds.items()},
            "planted": score.planted,
            "reported": score.reported,
            "hits": score.hits if known else math.nan,
            "type_accuracy": _type_accuracy(spotting) if known else math.nan,
            "false_alarms": _rounded(false_alarms_per_thousand(score, spotting.document.text)) if known else math.nan,
            "caution": _rounded(score.reported / score.planted) if score.planted else math.nan,
            "readable": int(score.readable),
            "graded": _graded(spotting),
        },
        answer=answer,
        explanation=spotted_explanation(spotting, outcomes, ends),
        reason=None if known else "grader_failed",
        metadata={
            "verdicts": {name: state_of(outcome) for name, outcome in outcomes.items()},
            "criteria": _criteria(spotting, criteria_record(criteria, outcomes)),
            "bounds": {name: list(one) for name, one in bounds.items()},
            "hits": [score.hits, score.most_hits],
            "words": round(word_count(spotting.document.text), 1),
            "findings": [_finding(spotting, index, fate) for index, fate in enumerate(ends)],
            "refused": [one.model_dump() for one in spotting.reply.refused],
            "pairs": [record.model_dump() for record in pair_records(spotting)],
            "reply_format": spotting.reply.format,
            "reply_truncated": spotting.reply.truncated,
            "reply_several_lists": spotting.reply.several_lists,
            "n_unscored": len(spotting.matching.undecided),
            "n_unparsed": unscored_counts(spotting.judged.values())["n_unparsed"],
            **context,
        },
    )


def pair_records(spotting: Spotting) -> list[PairRecord]:
    """Give every pair that was compared, then the near misses that were not, for people to label.

    A near miss has a similarity only where what compares is at hand without a grader.
    """
    matched = {Key(one.pair.finding, one.pair.problem) for one in spotting.matching.matched}
    compared = {Key(pair.finding, pair.problem): pair for pair in spotting.comparison.pairs}
    near = {Key(one.finding, one.problem): one for one in spotting.near}
    records = [
        _pair(spotting, key, spotting.similarities.get(key), pair.iou, raw_iou=pair.raw_iou, matched=key in matched)
        for key, pair in compared.items()
    ]
    for key, miss in near.items():
        if key not in compared:
            similarity = None if spotting.by == "judge" else miss.similarity
            records.append(_pair(spotting, key, similarity, miss.iou))
    return records


def _pair(
    spotting: Spotting,
    key: Key,
    similarity: float | None,
    iou: float,
    *,
    raw_iou: float | None = None,
    matched: bool = False,
) -> PairRecord:
    return PairRecord(
        document=spotting.document.id,
        language=spotting.document.language,
        problem=spotting.comparison.planted[key.problem].description,
        finding=spotting.comparison.reported[key.finding].finding.description,
        match=spotting.by,
        # Rounding can lift a cosine of equal texts above 1.
        similarity=None if similarity is None else min(similarity, 1.0),
        iou=iou,
        raw_iou=raw_iou,
        matched=matched,
    )


def _type_accuracy(spotting: Spotting) -> float:
    right = [
        spotting.comparison.reported[one.pair.finding].finding.type
        == spotting.comparison.planted[one.pair.problem].type
        for one in spotting.matching.matched
    ]
    return _rounded(sum(right) / len(right)) if right else math.nan


def _graded(spotting: Spotting) -> float:
    pairs = len(spotting.comparison.pairs)
    return _rounded(1 - len(spotting.matching.undecided) / pairs) if pairs else 1.0


def _criteria(spotting: Spotting, entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    finders = {one.pair.problem: one.pair.finding for one in spotting.matching.matched}
    return [
        {**entry, "type": planted.type, "finding": None if index not in finders else finders[index] + 1}
        for index, (entry, planted) in enumerate(zip(entries, spotting.comparison.planted, strict=True))
    ]


def _finding(spotting: Spotting, index: int, fate: Fate) -> dict[str, Any]:
    finding, place = spotting.comparison.reported[index]
    return {
        **finding.model_dump(),
        "place": place.state,
        "place_fault": place.fault,
        "place_score": _rounded(place.score),
        "spans": [list(span) for span in place.spans],
        "state": fate.state,
        "problem": None if fate.problem is None else spotting.comparison.planted[fate.problem].id,
    }


def _rounded(value: float) -> float:
    return round(value, 4)
