"""Playing the recitation probe: what the artefact says, then what the reference solution makes of it."""

import json

from inspect_ai.model import ChatMessageAssistant, ModelOutput

from kwsuite.datasets.gated_play import play
from kwsuite.reference.loaded_gated import find_gated
from kwsuite.reference.prompt import ReferencePrompt


def play_recitation(prompt: ReferencePrompt) -> ModelOutput:
    """Answer a turn: `expert` right in both, `surface` recites right and answers by common conventions, `null` neither.

    Raises:
        ValueError: There is no such candidate.
    """
    name = f"reference/{prompt.name}"
    if prompt.name not in ("expert", "surface", "null"):
        raise ValueError(f"{name} plays no part in recitation_probe; choose one of reference/expert, surface, null.")
    item = find_gated(prompt.item)
    first = not any(isinstance(message, ChatMessageAssistant) for message in prompt.messages)
    if prompt.name == "null":
        return ModelOutput.from_content(name, "I have nothing to add.")
    if first:
        return ModelOutput.from_content(name, json.dumps(item.task.values))
    artefact = item.artefact(item.task.values) if prompt.name == "expert" else None
    outputs = play(item, item.instance(int(prompt.ids["seed"])), artefact)
    files = "\n".join(f"===== outputs/{path} =====\n{data.decode()}" for path, data in outputs.items())
    return ModelOutput.from_content(name, files)
