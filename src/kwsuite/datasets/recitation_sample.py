"""Samples of the recitation probe: the artefact in the prompt, then the task with its data."""

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.gated import GatedItem, Instance
from kwsuite.datasets.gated_sample import inline_text, instruction_hash
from kwsuite.datasets.gated_set import GatedSet
from kwsuite.datasets.message_ids import MESSAGE_KEY

RECITATION = "recitation_probe"

RECITED_KEY = "kwsuite:recited"
"""Key of the store under which the reply to the first turn is kept."""

_FIRST = """This is the established in-house specification for a kind of work.
{artefact}
Restate its conventions as one JSON object with exactly these keys, numbers as numbers and texts as they stand:

{shape}
"""

_SECOND = """{instruction}
You have no tools here. The input files follow. Instead of writing files, give each file to deliver in full after a line
`===== outputs/NAME =====`, and nothing else after the first such line.
{files}"""

RECITATION_PROMPTS = (_FIRST, _SECOND)
"""The texts of both turns, before they are filled in."""


def recitation_dataset(tasks: GatedSet, seed: int, budget: int) -> MemoryDataset:
    """Make one sample for each task whose data fits.

    Args:
        tasks: The tasks.
        seed: Of the instances.
        budget: Largest size of all input files of a task together, in characters.

    Raises:
        DataError: No task fits.
    """
    made = [(item, item.instance(seed)) for item in tasks.items]
    fitting = [(item, instance) for item, instance in made if sum(map(len, instance.files.values())) <= budget]
    if not fitting:
        sizes = ", ".join(f"{item.task.id} {sum(map(len, instance.files.values()))}" for item, instance in made)
        raise DataError(f"no task's data fits the budget of {budget} characters ({sizes}). Raise it.")
    return MemoryDataset([_sample(item, instance, tasks) for item, instance in fitting], name=tasks.source)


def _sample(item: GatedItem, instance: Instance, tasks: GatedSet) -> Sample:
    ids = {"benchmark": RECITATION, "item": item.task.id, "seed": str(instance.seed)}
    first = _FIRST.format(artefact=inline_text(item.artefact(item.task.values)), shape=_shape(item))
    second = _SECOND.format(instruction=item.instruction, files=_files(instance))
    return Sample(
        id=item.task.id,
        input=[ChatMessageUser(content=first, metadata={MESSAGE_KEY: ids})],
        target="",
        metadata={
            "benchmark": "knowledge_gated",
            "task": item.task.id,
            "seed": instance.seed,
            "condition": "with",
            "delivery": "inline",
            "instruction_sha256": instruction_hash(item),
            "item_version": item.posed_digest(),
            "version": tasks.digest(),
            "dataset": tasks.source,
            "second_turn": second,
        },
    )


def _shape(item: GatedItem) -> str:
    """Say which keys are asked for, without their values."""
    return "\n".join(f"* {name}: {_told(convention.value)}" for name, convention in item.task.conventions.items())


def _told(value: object) -> str:
    if isinstance(value, dict):
        return "an object with " + ", ".join(f"{key} ({_told(part)})" for key, part in value.items())
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return "a number" if isinstance(value, int | float) else "a text"


def _files(instance: Instance) -> str:
    return "".join(f"\n===== data/{name} =====\n{text.rstrip()}\n" for name, text in sorted(instance.files.items()))
