"""The planted problems of a document as criteria, each with what it came to."""

from collections.abc import Mapping, Sequence

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
    threshold: float,
) -> dict[str, Outcome]:
    """Say of each planted problem whether it was found.

    Args:
        comparison: The pairs that agree in place.
        matching: Their assignment.
        similarities: Their agreement in meaning.
        judged: What the grader said of each pair; empty where no grader compared.
        threshold: Least similarity at which a finding names a problem.

    Returns:
        By problem id: met with the finding that names it; not met; or unscored with the grader's reason, where the
        grader's silence, on it or on a problem that the same finding names, keeps it from being found.
    """
    found = {one.pair.problem: one for one in matching.matched}
    credited = {one.pair.finding: comparison.planted[one.pair.problem].id for one in matching.matched}
    open_ended = matching.hits < matching.most_hits
    could_be = {key.problem: key for key in matching.most_matched}
    outcomes: dict[str, Outcome] = {}
    for index, planted in enumerate(comparison.planted):
        silent = [key for key in matching.undecided if key.problem == index]
        if index in found:
            key = Key(found[index].pair.finding, index)
            outcomes[planted.id] = _found(key, found[index].similarity, judged)
        elif silent and open_ended:
            outcomes[planted.id] = _unscored(silent[0], judged)
        elif freeing := _silence(index, matching):
            outcomes[planted.id] = _waiting(could_be[index], freeing, credited, judged)
        else:
            keys = [Key(pair.finding, pair.problem) for pair in comparison.pairs if pair.problem == index]
            naming = [key for key in keys if (similarities.get(key) or 0.0) >= threshold]
            outcomes[planted.id] = _taken(naming[0], credited) if naming else _missed(keys, similarities, judged)
    return outcomes


def _found(key: Key, similarity: float, judged: Mapping[Key, Outcome]) -> Outcome:
    if key in judged:
        return _about(key, judged[key])
    return Verdict(state="met", rationale=f"Finding {key.finding + 1}: similarity {similarity:.2f}.", source="matcher")


def _unscored(key: Key, judged: Mapping[Key, Outcome]) -> Outcome:
    return _about(key, judged[key]) if key in judged else Unscored(reason="missing", source="matcher", attempts=0)


def _silence(problem: int, matching: Matching) -> Key | None:
    """Give the silence that keeps an unfound problem from its finding; None where no answer would free one for it."""
    most = {key.problem: key for key in matching.most_matched}
    known = {one.pair.finding: one.pair.problem for one in matching.matched}
    silent = None
    # Each step frees a finding: the problem it is credited to takes another one in the fuller assignment.
    while key := most.get(problem):
        silent = silent or (key if key in matching.undecided else None)
        if key.finding not in known:
            return silent
        problem = known[key.finding]
    return None


def _waiting(key: Key, silent: Key, credited: Mapping[int, str], judged: Mapping[Key, Outcome]) -> Outcome:
    said = (
        f"Named by finding {key.finding + 1}, which is credited to {credited[key.finding]} and would be free if the "
        f"silence on finding {silent.finding + 1} were a yes."
    )
    return _unscored(silent, judged).model_copy(update={"rationale": said})


def _taken(key: Key, credited: Mapping[int, str]) -> Outcome:
    # A finding that names a problem nobody else found is credited somewhere, or it would have been assigned here.
    said = f"Named by finding {key.finding + 1}, which is credited to {credited[key.finding]}."
    return Verdict(state="not_met", rationale=said, source="matcher")


def _missed(keys: Sequence[Key], similarities: Mapping[Key, float | None], judged: Mapping[Key, Outcome]) -> Outcome:
    for key in keys:
        if key in judged and isinstance(judged[key], Verdict) and judged[key].rationale:
            return _about(key, judged[key])
    if keys:
        nearest = max(keys, key=lambda key: similarities.get(key) or 0.0)
        said = f"Finding {nearest.finding + 1} points here; similarity {similarities.get(nearest) or 0.0:.2f}."
        return Verdict(state="not_met", rationale=said, source="matcher")
    return Verdict(state="not_met", rationale="No finding points here.", source="matcher")


def _about(key: Key, outcome: Outcome) -> Outcome:
    return outcome.model_copy(update={"rationale": f"Finding {key.finding + 1}: {outcome.rationale}"})
