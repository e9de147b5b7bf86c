"""How a prompt says what it is about, and whose sample it belongs to."""

from collections.abc import Sequence

from inspect_ai.model import ChatMessage

MESSAGE_KEY = "kwsuite"
"""Key of a message's metadata under which our ids travel to the provider; ids only, never labels."""


def is_of_this_suite(shown: str | Sequence[ChatMessage]) -> bool:
    """Tell by a sample's input whether a task of this suite made the sample.

    Samples of other tasks have metadata of their own under names that ours use too, such as `version`.
    """
    return not isinstance(shown, str) and any(MESSAGE_KEY in (message.metadata or {}) for message in shown)
