"""From a loaded item to the sample that a candidate is shown."""

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.item_set import ItemSet, LoadedItem
from kwsuite.datasets.kwbench import Framing
from kwsuite.datasets.material import Material
from kwsuite.datasets.message_ids import MESSAGE_KEY

OUTPUTS_KEY = "kwsuite:outputs"
"""Key of a sample's metadata that names the files to be produced. Not `outputs`: other datasets hold answers there."""

MATERIAL_LINE = "The following material is provided."
"""What stands between the task and its material."""


def kwbench_dataset(items: ItemSet, framing: Framing = "cold") -> MemoryDataset:
    """Make the samples of a set, in its order.

    Args:
        items: The loaded set.
        framing: `cold` shows the task as it is; `hinted` and `specified` add the item's sentence to it.

    Raises:
        DataError: An item lacks the framing.
    """
    version = items.digest()
    return MemoryDataset([_sample(loaded, framing, version) for loaded in items.items], name=items.source)


def shown_text(task: str, material: tuple[Material, ...]) -> str:
    """Put the material under neutral headings after the task; the task alone if there is none."""
    parts = [task.strip()]
    if material:
        parts.append(MATERIAL_LINE)
        parts += [f"===== {part.name} =====\n\n{part.text.strip()}" for part in material]
    return "\n\n".join(parts)


def _sample(loaded: LoadedItem, framing: Framing, version: str) -> Sample:
    item = loaded.item
    sentence = _framing_sentence(loaded, framing)
    rubric = item.to_rubric()
    task = item.task.strip() + (f"\n\n{sentence}" if sentence else "")
    message = ChatMessageUser(
        content=shown_text(task, loaded.material),
        metadata={MESSAGE_KEY: {"benchmark": "kwbench", "item": item.id}},
    )
    return Sample(
        id=item.id,
        input=[message],
        target=item.ground_truth or "",
        metadata={
            "category": item.category,
            "subcategory": item.subcategory,
            "polarity": item.polarity,
            "neighbour_of": item.neighbour_of,
            "framing": framing,
            "framing_sentence": sentence,
            "tools": item.config.model_dump(),
            OUTPUTS_KEY: list(item.outputs),
            "rubric": rubric.model_dump(mode="json"),
            "rubric_hash": rubric.digest(),
            "version": version,
        },
    )


def _framing_sentence(loaded: LoadedItem, framing: Framing) -> str | None:
    if framing == "cold":
        return None
    if loaded.item.framings is None:
        raise DataError(f"item {loaded.item.id}: has no {framing} framing. Use framing=cold, or add framings to it.")
    framings = loaded.item.framings
    return (framings.hinted if framing == "hinted" else framings.specified).strip()
