"""Answering for the grader with the labels that an item ships."""

import json
from functools import lru_cache
from pathlib import Path

from kwsuite.asking.criterion_part import read_criterion
from kwsuite.asking.fence import unwrap
from kwsuite.datasets.answers import ANSWERS, AnswerName, read_answer, read_labels
from kwsuite.datasets.label import Label
from kwsuite.reference.loaded_items import find_item

_WORDS = {"met": "MET", "not_met": "NOT_MET"}


def labelled_reply(item_id: str, criterion_id: str, prompt: str) -> str:
    """Give the label of the shipped answer that stands in a judge's prompt, as the JSON a grader would reply.

    Raises:
        ValueError: The answer in the prompt is not, byte for byte, one that the item ships, or it has no such label; or
            the criterion is not worded as the item words the one with this id, so that its label says nothing of it.
    """
    loaded = find_item(item_id)
    folder = loaded.folder
    if folder is None:
        raise ValueError(f"item {item_id!r} is a row of a file and ships no labels. Bind a grading model.")
    worded = {criterion.id: criterion.text for criterion in loaded.item.to_rubric().criteria}
    if worded.get(criterion_id) != read_criterion(prompt):
        raise ValueError(
            f"item {item_id!r}: criterion {criterion_id!r} is asked in other words than the item's, so its label says "
            "nothing of it. Bind a grading model with --model-role grader=PROVIDER/MODEL."
        )
    judged = unwrap("answer", prompt)
    labels = _labels(folder, (folder / "labels" / "final.yaml").stat().st_mtime_ns)
    for name in ANSWERS:
        if name in labels and read_answer(folder, name) == judged:
            label = labels[name].get(criterion_id)
            if label is None:
                raise ValueError(f"item {item_id!r}: the {name} answer has no label for criterion {criterion_id!r}.")
            return label_reply(label)
    raise ValueError(
        f"item {item_id!r}: the answer to judge is none of those that the item ships, so there are no labels for it. "
        "Bind a grading model with --model-role grader=PROVIDER/MODEL."
    )


def label_reply(label: Label) -> str:
    """Write a label as a grader would reply."""
    return json.dumps({"rationale": label.why, "verdict": _WORDS[label.state]}, ensure_ascii=False)


@lru_cache(maxsize=256)
def _labels(folder: Path, changed: int) -> dict[AnswerName, dict[str, Label]]:
    """Read the labels once for all criteria of an item; `changed` makes an edited file another entry."""
    return read_labels(folder)
