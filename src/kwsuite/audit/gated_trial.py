"""One instance of a gated task on trial: its plays and what is right for it are computed once."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kwsuite.datasets.gated import GatedItem, Instance
from kwsuite.datasets.gated_outputs import CollectedOutputs, verified_checks
from kwsuite.datasets.gated_play import changed_data, place_data, play_in
from kwsuite.datasets.gated_programs import Remembered


class Trial:
    """An instance in a folder of its own, where the reference solution can be played again and again."""

    def __init__(self, item: GatedItem, instance: Instance, root: Path) -> None:
        self.item = item
        """The task."""
        self.instance = instance
        """The instance."""
        self._root = root
        self._played: dict[str, dict[str, bytes]] = {}
        self._right = Remembered()

    def play(self, values: Mapping[str, Any] | None) -> dict[str, bytes]:
        """Give what `solve.py` delivers with an artefact of these values, or with none.

        Raises:
            DataError: It left an output out.
        """
        key = json.dumps(values, sort_keys=True)
        if key not in self._played:
            artefact = None if values is None else self.item.artefact(values)
            self._played[key] = play_in(self._root, self.item, artefact)
        return self._played[key]

    def failed(self, outputs: Mapping[str, bytes], values: Mapping[str, Any] | None = None) -> list[str]:
        """Name the verifier's criteria that outputs do not meet; `values` None takes the private ones."""
        collected = CollectedOutputs.of(outputs)
        checks = verified_checks(self.item, self.instance, collected, values, self._right)
        return [check.name for check in checks if not check.met]

    def changed_data(self) -> list[str]:
        """Name the input files that a play has changed."""
        return changed_data(self._root, self.instance)


@contextmanager
def trial(item: GatedItem, instance: Instance) -> Iterator[Trial]:
    """Set up a trial, and clear it away afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        place_data(Path(folder), instance)
        yield Trial(item, instance, Path(folder))
