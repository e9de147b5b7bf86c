"""The shop, loaded."""

from pathlib import Path
from typing import Any, Protocol

import pytest
from tests.world_shop import write_world

from kwsuite.datasets.worlds import WorldItem, load_scenario


class Build(Protocol):
    """Load the shop with parts replaced: a path -> the new value."""

    def __call__(self, changes: dict[str, Any] | None = None) -> WorldItem: ...


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return lambda changes=None: load_scenario(write_world(tmp_path, changes))
