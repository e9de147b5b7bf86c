"""Whether the free-form outputs of a gated task are labelled, so that its reference candidates run without a model."""

from collections.abc import Iterator, Mapping

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.gated import Condition, GatedItem
from kwsuite.datasets.gated_labels import LABELS, HandIn, PlayLabels, hand_in_digest, hand_ins, read_gated_labels
from kwsuite.datasets.gated_outputs import text_fault


def judged_findings(item: GatedItem) -> Iterator[AuditFinding]:
    """Check that every play has a label for every judged criterion, made for the text it writes now.

    The labels are declared, not computed: they prove plumbing, and say nothing about how well a judge decides.
    """
    path = item.folder / LABELS

    def finding(message: str) -> AuditFinding:
        return AuditFinding(str(path), item.task.id, message, "labels")

    if not item.task.judged:
        if path.exists():
            yield finding("labels what nobody judges: no output has judged criteria. Delete it.")
        return
    played = hand_ins(item)
    if not path.is_file():
        digests = ", ".join(f"{one.play} {hand_in_digest(one.text)}" for one in played)
        yield finding(f"is missing. Label the judged criteria of each play; the digests are: {digests}.")
        return
    labels = read_gated_labels(item)
    for one in played:
        for message in _play_faults(item, one, labels.get(one.play)):
            yield finding(f"{one.play}: {message}")
    for one in played:
        for other in played:
            if one.play < other.play and one.text == other.text and _states(labels, one) != _states(labels, other):
                yield finding(f"{one.play} and {other.play} deliver the same and are labelled otherwise.")


def _play_faults(item: GatedItem, one: HandIn, labels: PlayLabels | None) -> Iterator[str]:
    digest = hand_in_digest(one.text)
    if labels is None:
        yield f"has no labels. Label what solve.py delivers; its digest is {digest}."
        return
    if labels.digest != digest:
        yield f"delivers something else than was labelled ({labels.digest}, now {digest}). Read and label it again."
    wanted = [criterion.id for criterion in item.task.judged]
    for name in wanted:
        if name not in labels.criteria:
            yield f"criterion {name} has no label. Add it."
        elif one.play == "with" and labels.criteria[name].state != "met":
            yield f"criterion {name} is labelled {labels.criteria[name].state}, so the expert fails. Mend solve.py."
    for name in sorted(set(labels.criteria) - set(wanted)):
        yield f"labels {name!r}, which is no judged criterion. Delete it."
    for output in item.task.judged_outputs:
        fault = text_fault(output, one.outputs)
        if fault:
            yield f"{fault}, so nobody can judge it. Mend solve.py."


def _states(labels: Mapping[Condition, PlayLabels], one: HandIn) -> dict[str, str]:
    held = labels.get(one.play)
    return {} if held is None else {name: label.state for name, label in held.criteria.items()}
