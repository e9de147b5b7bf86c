"""Playing kwbench: the answers that items ship, and their labels for the grader."""

from inspect_ai.model import ModelOutput

from kwsuite.datasets.answers import ANSWERS, read_answer
from kwsuite.reference.labels_grader import labelled_reply
from kwsuite.reference.loaded_items import find_item
from kwsuite.reference.names import GRADER
from kwsuite.reference.prompt import ReferencePrompt


def play_kwbench(prompt: ReferencePrompt) -> ModelOutput:
    """Give the shipped answer, or for the grader the shipped label.

    Raises:
        ValueError: The item ships neither, or the one who is asked does not play this part.
    """
    return ModelOutput.from_content(f"reference/{prompt.name}", _reply(prompt))


def _reply(prompt: ReferencePrompt) -> str:
    if prompt.judging(GRADER):
        return labelled_reply(prompt.item, prompt.ids["criterion"], prompt.text)
    folder = find_item(prompt.item).folder
    if folder is None:
        raise ValueError(f"item {prompt.item!r} is a row of a file and ships no answers. Run a real model on it.")
    name = next((answer for answer in ANSWERS if answer == prompt.name), None)
    if name is None:
        raise ValueError(f"kwbench has no reference/{prompt.name}; choose one of {', '.join(ANSWERS)}.")
    return read_answer(folder, name)
