"""Shared logs."""

from pathlib import Path

import pytest

from tests.analysis.published import write_published


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Eight logs built to the figures that KWBench published."""
    folder = tmp_path_factory.mktemp("published")
    write_published(folder)
    return folder
