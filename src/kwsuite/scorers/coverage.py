"""The metric that every judging scorer shares: how much has a verdict."""

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from kwsuite.scorers.sample_values import number, over_items, refuse_mixed_versions


@metric(scores="unreduced")
def coverage() -> Metric:
    """Share of criteria that have a verdict, over all items.

    Raises:
        ValueError: Samples were scored on different versions of the items, as after a retry across a change.
    """

    def compute(scores: list[SampleScore]) -> Value:
        refuse_mixed_versions(scores)
        return over_items(scores, lambda score: number(score, "graded"))

    return compute
