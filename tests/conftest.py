"""What every test stands on: no shared cache, no network counters, no state left over from another test."""

import pytest

from kwsuite.reference import loaded_documents, loaded_gated, loaded_items, loaded_worlds
from kwsuite.scorers import graders


@pytest.fixture(autouse=True)
def _clean_state(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path_factory.mktemp("logs")))
    loaded_documents.SHELF.forget()
    loaded_items.SHELF.forget()
    loaded_worlds.SHELF.forget()
    loaded_gated.SHELF.forget()
    monkeypatch.setattr(graders, "_warned", set())
