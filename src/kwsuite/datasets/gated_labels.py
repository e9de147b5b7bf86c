"""Labels of what the reference solution of a gated task writes for a judge."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, RootModel

from kwsuite.datasets.gated import CONDITIONS, DEFAULT_SEED, Condition, GatedItem, read_gated
from kwsuite.datasets.gated_outputs import CollectedOutputs, handed_in
from kwsuite.datasets.gated_play import play
from kwsuite.datasets.label import Label
from kwsuite.datasets.strict_yaml import load_model, read_yaml

LABELS = "labels.yaml"
"""The file's name in the task's folder."""


class PlayLabels(BaseModel):
    """The labels of one play."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    digest: str
    """Of what was labelled: `hand_in_digest` on the default seed. Labels are held to count for other seeds too."""
    criteria: dict[str, Label]
    """One for each judged criterion."""


class GatedLabels(RootModel[dict[Condition, PlayLabels]]):
    """Labels by play."""

    model_config = ConfigDict(frozen=True)


class HandIn(NamedTuple):
    """What a play delivers."""

    play: Condition
    """What `solve.py` was given: the artefact, none (as `surface` plays in every condition), or the perturbed one."""
    text: str
    """All of it, as a judge is shown it."""
    outputs: CollectedOutputs
    """The files."""


def read_gated_labels(item: GatedItem) -> dict[Condition, PlayLabels]:
    """Read `labels.yaml` of a task.

    Raises:
        DataError: It is missing or broken; file:line:column and the task are named.
    """
    return load_model(GatedLabels, read_yaml(item.folder / LABELS), item.task.id).root


def hand_ins(item: GatedItem, seed: int = DEFAULT_SEED) -> tuple[HandIn, ...]:
    """Play the reference solution with each artefact and give what it delivers.

    Raises:
        DataError: It leaves an output out.
    """
    return _hand_ins(item.folder, item.digest(), seed)


def hand_in_digest(text: str) -> str:
    """Identify a delivery by content: 16 hex digits of SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@lru_cache(maxsize=32)
def _hand_ins(folder: Path, digest: str, seed: int) -> tuple[HandIn, ...]:
    """Play once for all criteria of a sample; `digest` makes a changed task another entry."""
    return tuple(_played(read_gated(folder), seed))


def _played(item: GatedItem, seed: int) -> Iterator[HandIn]:
    instance = item.instance(seed)
    for name in CONDITIONS:
        outputs = CollectedOutputs.of(play(item, instance, item.artefact_in(name) or None))
        yield HandIn(name, handed_in(item.task, outputs), outputs)
