"""An oracle over epochs."""

import math

from inspect_ai.scorer import Score, ScoreReducer, score_reducer


@score_reducer
def best_epoch() -> ScoreReducer:
    """Keep each item's best epoch whole, by gate and then score; an oracle, for no run does this well on every item.

    In worlds it is by all_pass and then fraction.

    An epoch whose gate or score is NaN loses to any that is known. The kept score carries `oracle: best_epoch`. On
    scores that are plain numbers the greatest is kept.
    """

    def reduce(scores: list[Score]) -> Score:
        best = max(scores, key=_rank)
        return best.model_copy(update={"metadata": {**(best.metadata or {}), "oracle": "best_epoch"}})

    return reduce


_RANKED_BY = (("gate", "score"), ("all_pass", "fraction"))


def _rank(score: Score) -> tuple[float, float]:
    value = score.value
    if not isinstance(value, dict):
        return _known(value), 0.0
    for first, second in _RANKED_BY:
        if first in value:
            return _known(value[first]), _known(value.get(second))
    raise ValueError(f"best_epoch ranks gate or all_pass scores, or plain numbers; this score has {', '.join(value)}.")


def _known(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not math.isnan(value) else -1.0
