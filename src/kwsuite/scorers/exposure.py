"""How far an artefact got: available, listed, opened, quoted."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageTool, ChatMessageUser

from kwsuite.datasets.gated_sample import ARTEFACT_FOLDER, Delivery

_SHINGLE = 6
# The word alone is ordinary prose; these are how ls, ls -l, find, a path and a printed list name the folder.
_LISTED = re.compile(
    rf"^(?:\S*/|[dl][rwxsStT-]{{9}}.*\s)?{ARTEFACT_FOLDER}$|{ARTEFACT_FOLDER}/|(['\"]){ARTEFACT_FOLDER}\1", re.MULTILINE
)


def exposure(
    messages: Sequence[ChatMessage], artefact: Mapping[str, str], instruction: str, delivery: Delivery
) -> dict[str, bool]:
    """Read the exposure chain out of a conversation.

    Args:
        messages: The whole conversation.
        artefact: Its files; empty without one.
        instruction: The task's, whose words do not count as quotes.
        delivery: An inline artefact is listed and opened by being in the prompt.

    Returns:
        `available`: the condition has one.
        `listed`: a tool's reply named its folder, as a listing or a path does, or a file of it.
        `opened`: a line of it stood in a tool's reply, or a call named one of its files.
        `quoted`: the candidate repeated six of its words in a row.
        A program that opens the artefact by a pattern and prints nothing is not seen.
    """
    if not artefact:
        return dict.fromkeys(("available", "listed", "opened", "quoted"), False)
    replies = "\n".join(message.text for message in messages if isinstance(message, ChatMessageTool))
    calls = "\n".join(_calls(message) for message in messages if isinstance(message, ChatMessageAssistant))
    own = calls + "\n".join(m.text for m in messages if isinstance(m, ChatMessageAssistant))
    listed = bool(_LISTED.search(replies)) or any(name in replies for name in artefact)
    lines = [line.strip() for text in artefact.values() for line in text.splitlines() if len(line.strip()) >= 25]
    opened = any(line in replies for line in lines) or any(f"{ARTEFACT_FOLDER}/{name}" in calls for name in artefact)
    inline = delivery == "inline" and any(isinstance(message, ChatMessageUser) for message in messages)
    said = _shingles(own)
    quoted = any(said & (_shingles(text) - _shingles(instruction)) for text in artefact.values())
    return {
        "available": True,
        "listed": inline or opened or listed,
        "opened": inline or opened,
        "quoted": quoted,
    }


def _calls(message: ChatMessageAssistant) -> str:
    return "\n".join(str(value) for call in message.tool_calls or [] for value in _leaves(call.arguments))


def _leaves(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [leaf for part in value.values() for leaf in _leaves(part)]
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, list) else [value]


def _shingles(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.casefold())
    return {tuple(words[start : start + _SHINGLE]) for start in range(len(words) - _SHINGLE + 1)}
