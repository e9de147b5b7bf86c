"""Which benchmark an item is of, told by what lies there."""

from pathlib import Path
from typing import Literal

from kwsuite.audit.spotting_files import looks_like_documents
from kwsuite.audit.world_files import looks_like_worlds
from kwsuite.datasets.gated_set import looks_like_gated

Kind = Literal["kwbench", "implicit_worlds", "problem_spotting", "knowledge_gated", "logs"]

_PARTS_OF_AN_ITEM = ("task.yaml", "reference_files", "answers", "labels")
_FORMATS: dict[str, tuple[Kind, ...]] = {
    ".yaml": ("problem_spotting", "implicit_worlds"),
    ".yml": ("problem_spotting",),
    ".jsonl": ("problem_spotting",),
}
"""What a file that nothing else tells is held to be, if there are such items beside it."""


def sort_items(path: Path) -> dict[Kind, list[Path]]:
    """Sort what lies at a path by benchmark.

    Args:
        path: An item or a log, or a folder of them.

    Returns:
        The path itself under its benchmark, `kwbench` where nothing tells; or, for a folder that mixes several, the
        items of each. A file that is of none goes to a benchmark that keeps such files, so that its fault is told.
    """
    if not path.is_dir() or (path / "task.yaml").is_file():
        return {_kind(path) or "kwbench": [path]}
    if (path / "dataset.jsonl").is_file():
        return {"problem_spotting" if looks_like_documents(path / "dataset.jsonl") else "kwbench": [path]}
    found: dict[Kind, list[Path]] = {}
    unknown: list[Path] = []
    for child in sorted(path.iterdir()):
        if kind := _kind(child):
            found.setdefault(kind, []).append(child)
        elif child.is_file():
            unknown.append(child)
    if len(found) < 2:
        return {next(iter(found), "kwbench"): [path]}
    for file in unknown:
        home = next((kind for kind in _FORMATS.get(file.suffix, ()) if kind in found), None)
        if home:
            found[home].append(file)
    return found


def _kind(path: Path) -> Kind | None:
    if path.is_dir():
        if path.name.startswith((".", "_")):
            return None
        if (path / "task.yaml").is_file() and looks_like_gated(path):
            return "knowledge_gated"
        return "kwbench" if any((path / part).exists() for part in _PARTS_OF_AN_ITEM) else None
    if path.suffix == ".eval" and path.is_file():
        return "logs"
    if looks_like_worlds(path):
        return "implicit_worlds"
    return "problem_spotting" if looks_like_documents(path) else None
