"""A prompt of one of our tasks, as the reference provider gets it."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.model import ChatMessage

from kwsuite.datasets.message_ids import MESSAGE_KEY


@dataclass(frozen=True)
class ReferencePrompt:
    """A prompt of ours."""

    name: str
    """Who is asked: the model's name after `reference/`."""
    ids: dict[str, str]
    """What the prompt is about: `benchmark` and `item`, and for a grader `criterion`, for a world model `role`."""
    text: str
    """The text of the message that says so."""
    messages: Sequence[ChatMessage]
    """The whole conversation."""
    tools: tuple[str, ...]
    """Names of the tools that may be called."""

    @property
    def item(self) -> str:
        """The item's id."""
        return self.ids["item"]

    def judging(self, grader: str) -> bool:
        """Tell whether a verdict is asked for, and not an answer.

        Args:
            grader: The name under which the provider gives verdicts.

        Raises:
            ValueError: Who is asked does not play that part.
        """
        asked = "criterion" in self.ids
        if asked != (self.name == grader):
            wanted = "a grader" if asked else "a candidate"
            raise ValueError(f"reference/{self.name} was asked to play {wanted}, which it is not.")
        return asked


def read_prompt(name: str, messages: Sequence[ChatMessage], tools: tuple[str, ...]) -> ReferencePrompt:
    """Find the ids in a conversation.

    Raises:
        ValueError: There are none, so the prompt is not of our making.
    """
    for message in messages:
        ids = (message.metadata or {}).get(MESSAGE_KEY)
        if isinstance(ids, dict):
            named = {str(key): str(value) for key, value in ids.items()}
            return ReferencePrompt(name, named, message.text, messages, tools)
    raise ValueError(
        "the reference provider plays only prompts of kwsuite's own tasks, and this is none. Run it on a kwsuite task."
    )
