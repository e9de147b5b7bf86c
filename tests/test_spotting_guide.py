"""The authors' page: its example is a document that passes."""

import re
from pathlib import Path

import pytest

from kwsuite.audit.spotting import audit_spotting

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("page", ["authoring-spotting.md", "authoring-spotting.zh.md"])
def test_the_example_of_the_guide_passes_the_check(page: str, tmp_path: Path) -> None:
    example = re.search(r"```yaml\n(id: (\w+).*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    (tmp_path / f"{example[2]}.yaml").write_text(example[1], encoding="utf-8")
    assert audit_spotting(tmp_path) == []
