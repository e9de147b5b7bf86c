"""Answering for the grader with the labels that a gated task ships for its free-form outputs."""

from kwsuite.asking.fence import unwrap
from kwsuite.datasets.gated_labels import hand_ins, read_gated_labels
from kwsuite.reference.labels_grader import label_reply
from kwsuite.reference.loaded_gated import find_gated


def labelled_hand_in(item_id: str, criterion_id: str, seed: int, prompt: str) -> str:
    """Give the label of the play whose delivery stands in a judge's prompt, as the JSON a grader would reply.

    Raises:
        ValueError: The delivery in the prompt is not, byte for byte, one of the reference solution on this seed, or the
            play has no such label.
    """
    item = find_gated(item_id)
    judged = unwrap("answer", prompt)
    labels = read_gated_labels(item)
    for one in hand_ins(item, seed):
        if one.text == judged:
            held = labels.get(one.play)
            label = None if held is None else held.criteria.get(criterion_id)
            if label is None:
                raise ValueError(f"task {item_id!r}: the play {one.play} has no label for criterion {criterion_id!r}.")
            return label_reply(label)
    raise ValueError(
        f"task {item_id!r}: what was delivered is nothing that its solve.py writes, so there are no labels for it. "
        "Bind a grading model with --model-role grader=PROVIDER/MODEL."
    )
