"""What the judge is shown, fenced and in the order that caches like."""

from dataclasses import dataclass
from functools import cached_property

from kwsuite.asking import Fence


@dataclass(frozen=True)
class Evidence:
    """Everything about one answer that a criterion is decided from."""

    task: str
    """The task as set, with its material unless that stands apart."""
    answer: str
    """The answer, with the text of any deliverables; may be empty."""
    material: str | None = None
    """Material that is not part of the task text."""
    ground_truth: str | None = None
    """The expert's reasoning, only where the user asked for the judge to see it."""
    rubric_hash: str = ""
    """Digest of the rubric; goes into the fence."""

    def parts(self) -> dict[str, str]:
        """Give what is fenced, by label, in order; the answer last."""
        parts = {"task": self.task, "material": self.material, "expert_reasoning": self.ground_truth}
        return {label: text for label, text in parts.items() if text is not None} | {"answer": self.answer}

    @property
    def quotable(self) -> str:
        """What the candidate wrote: a verdict that stands in it is a quotation."""
        return self.answer

    @cached_property
    def shared_text(self) -> str:
        """The part of the prompt that is the same for every criterion of this answer."""
        given = self.parts()
        fence = Fence.around(self.rubric_hash, *given.values())
        blocks = [fence.wrap(label, text) for label, text in given.items()]
        if not self.answer.strip():
            blocks.append("The answer is empty.")
        return "\n\n".join(blocks) + "\n\n"
