"""The part of a judge's prompt that holds the criterion."""

_HEADING = "Criterion:\n"


def write_criterion(text: str, closing: str) -> str:
    """Write the part: the criterion under its heading, then how to reply, a text without empty lines."""
    return f"{_HEADING}{text}\n\n{closing}"


def read_criterion(prompt: str) -> str:
    """Give the text of the criterion that a prompt ends with; empty where it ends with none."""
    return prompt.rpartition(_HEADING)[2].rpartition("\n\n")[0]
