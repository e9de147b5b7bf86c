"""How Inspect View lists the samples of a task."""

from collections.abc import Mapping, Sequence

from inspect_ai.viewer import (
    SampleScoreView,
    ScoreColorScale,
    TaskSamplesColumn,
    TaskSamplesView,
    ViewerConfig,
)


def score_view(
    name: str, scorer: str, numbers: Sequence[str], labels: Mapping[str, str], counts: Sequence[str] = ()
) -> ViewerConfig:
    """Show the numbers of a score as columns, coloured from 0 to 1, and texts only on demand.

    Args:
        name: What the list is called.
        scorer: Whose score.
        numbers: Keys of the score's value, in the order of the columns.
        labels: Other headings for some of them.
        counts: Those of them that are no shares, and so have no colour.
    """
    scale = ScoreColorScale(palette="good-high", min=0, max=1)
    return ViewerConfig(
        task_samples_view=TaskSamplesView(
            name=name,
            columns=[
                *[TaskSamplesColumn(id=name) for name in ("sampleStatus", "sampleId", "epoch")],
                *[TaskSamplesColumn.score(scorer, number) for number in numbers],
                *[TaskSamplesColumn(id=name, visible=False) for name in ("input", "target", "answer")],
                *[TaskSamplesColumn(id=name) for name in ("tokens", "error", "limit")],
            ],
            multiline=False,
            score_labels=dict(labels),
            score_color_scales={number: scale for number in numbers if number not in counts},
        ),
        sample_score_view=SampleScoreView(default="grid"),
    )
