"""From a gated task to the sample that a candidate is shown."""

import base64
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser

from kwsuite.datasets.gated import Condition, GatedItem
from kwsuite.datasets.gated_set import GatedSet
from kwsuite.datasets.message_ids import MESSAGE_KEY

BENCHMARK = "knowledge_gated"
ARTEFACT_FOLDER = "specification"
DATA_FOLDER = "data"
OUTPUT_FOLDER = "outputs"

Delivery = Literal["folder", "skill", "inline"]

DESIGNS: dict[Delivery, str] = {
    "folder": "artefact placed as a folder; prompt and tools are the same in all conditions",
    "skill": "artefact offered by a skill tool that only its arm has: another design, not comparable with folder",
    "inline": "artefact in the prompt, so that finding it is no part: another design, not comparable with folder",
}


@dataclass(frozen=True)
class GatedArm:
    """How a sample is to be played: read back from its metadata."""

    task: str
    seed: int
    condition: Condition
    delivery: Delivery
    item_version: str
    """See `GatedItem.posed_digest`."""
    dataset: str

    @property
    def artefact_placed(self) -> bool:
        """Whether the artefact stands in the sandbox from the start."""
        return self.condition != "without" and self.delivery == "folder"


def gated_dataset(tasks: GatedSet, condition: Condition, seed: int, delivery: Delivery = "folder") -> MemoryDataset:
    """Make one sample a task, in the set's order."""
    return MemoryDataset([_sample(item, tasks, condition, seed, delivery) for item in tasks.items], name=tasks.source)


def arm_of(metadata: Mapping[str, Any]) -> GatedArm:
    """Read a sample's arm from its metadata.

    Raises:
        ValueError: The sample is none of a gated task.
    """
    if metadata.get("benchmark") != BENCHMARK:
        raise ValueError("this sample is none of knowledge_gated: its metadata does not say which task and arm it is.")
    return GatedArm(**{name: metadata[name] for name in GatedArm.__dataclass_fields__})


def instruction_hash(item: GatedItem) -> str:
    """Identify an instruction by its bytes."""
    return hashlib.sha256(item.instruction.encode()).hexdigest()


def inline_text(artefact: Mapping[str, str]) -> str:
    """Write an artefact's files under headings, as the inline delivery appends them; empty for none."""
    return "".join(f"\n===== {ARTEFACT_FOLDER}/{name} =====\n{text.rstrip()}\n" for name, text in artefact.items())


def _sample(item: GatedItem, tasks: GatedSet, condition: Condition, seed: int, delivery: Delivery) -> Sample:
    instance = item.instance(seed)
    artefact = item.artefact_in(condition)
    files = {f"{DATA_FOLDER}/{name}": text for name, text in instance.files.items()}
    files["CANARY.txt"] = (
        f"Synthetic evaluation data. It must not appear in training corpora.\ncanary GUID {item.task.canary}\n"
    )
    if delivery == "folder":
        files |= {f"{ARTEFACT_FOLDER}/{name}": text for name, text in artefact.items()}
    text = item.instruction + (inline_text(artefact) if delivery == "inline" else "")
    message = ChatMessageUser(
        content=text, metadata={MESSAGE_KEY: {"benchmark": BENCHMARK, "item": item.task.id, "delivery": delivery}}
    )
    return Sample(
        id=item.task.id,
        input=[message],
        target="",
        files={name: _data_url(content) for name, content in files.items()},
        metadata={
            "benchmark": BENCHMARK,
            "task": item.task.id,
            "seed": seed,
            "condition": condition,
            "delivery": delivery,
            "design": DESIGNS[delivery],
            "gate": item.task.gate,
            "instruction_sha256": instruction_hash(item),
            "data_digest": instance.digest(),
            "item_version": item.posed_digest(),
            "version": tasks.digest(),
            "dataset": tasks.source,
        },
    )


def _data_url(text: str) -> str:
    """Write content so that Inspect cannot take it for a path."""
    return "data:application/octet-stream;base64," + base64.b64encode(text.encode()).decode()
