"""The planted problems of a document as criteria, each with what it came to."""

from collections.abc import Mapping

from kwsuite.matching.match import Comparison, Key, Matching
from kwsuite.verdicts import Criterion, Outcome, Unscored, Verdict


def problem_criteria(comparison: Comparison) -> tuple[Criterion, ...]:
    """Give a criterion for each planted problem, in order; none for a clean document."""
    return tuple(Criterion(id=planted.id, text=planted.description) for planted in comparison.planted)


def problem_outcomes(
    comparison: Comparison,
    matching: Matching,
    similarities: Mapping[Key, float | None],
    judged: Mapping[Key, Outcome],
) -> dict[str, Outcome]:
    """Say of each planted problem whether it was found.

    Args:
        comparison: The pairs that agree in place.
        matching: Their assignment.
        similarities: Their agreement in meaning.
        judged: What the grader said of each pair; empty where no grader compared.

    Returns:
        By problem id: met with the finding that names it; not met; or unscored with the grader's reason, where the
        grader's silence is all that keeps the problem from being found.
    """
    found = {one.pair.problem: one for one in matching.matched}
    open_ended = matching.hits < matching.most_hits
    outcomes: dict[str, Outcome] = {}
    for index, planted in enumerate(comparison.planted):
        silent = [key for key in matching.undecided if key.problem == index]
        if index in found:
            key = Key(found[index].pair.finding, index)
            outcomes[planted.id] = _found(key, found[index].similarity, judged)
        elif silent and open_ended:
            outcomes[planted.id] = _unscored(silent[0], judged)
        else:
            outcomes[planted.id] = _missed(index, comparison, similarities, judged)
    return outcomes


def _found(key: Key, similarity: float, judged: Mapping[Key, Outcome]) -> Outcome:
    if key in judged:
        return _about(key, judged[key])
    return Verdict(state="met", rationale=f"Finding {key.finding + 1}: similarity {similarity:.2f}.", source="matcher")


def _unscored(key: Key, judged: Mapping[Key, Outcome]) -> Outcome:
    return _about(key, judged[key]) if key in judged else Unscored(reason="missing", source="matcher", attempts=0)


def _missed(
    problem: int, comparison: Comparison, similarities: Mapping[Key, float | None], judged: Mapping[Key, Outcome]
) -> Outcome:
    keys = [Key(pair.finding, pair.problem) for pair in comparison.pairs if pair.problem == problem]
    for key in keys:
        if key in judged and isinstance(judged[key], Verdict) and judged[key].rationale:
            return _about(key, judged[key].model_copy(update={"state": "not_met"}))
    if keys:
        nearest = max(keys, key=lambda key: similarities.get(key) or 0.0)
        said = f"Finding {nearest.finding + 1} points here; similarity {similarities.get(nearest) or 0.0:.2f}."
        return Verdict(state="not_met", rationale=said, source="matcher")
    return Verdict(state="not_met", rationale="No finding points here.", source="matcher")


def _about(key: Key, outcome: Outcome) -> Outcome:
    return outcome.model_copy(update={"rationale": f"Finding {key.finding + 1}: {outcome.rationale}"})
