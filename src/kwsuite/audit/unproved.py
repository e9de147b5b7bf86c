"""What a check of the user's own items did not prove, because nothing is there to prove it with."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from kwsuite.audit.kwbench import holds_rows, item_folders
from kwsuite.datasets.answers import ANSWERS, AnswerName, read_labels
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.spotting import LoadedDocument
from kwsuite.datasets.spotting_files import files_of, read_file


def unproved_items(paths: Sequence[Path]) -> list[str]:
    """Say what is not there of the answers and labels of kwbench items; empty if every item has all.

    Args:
        paths: Items, folders of items, or published rows, which have neither. What cannot be read is left to the
            check's findings.
    """
    folders = [folder for path in paths if not holds_rows(path) for folder in item_folders(path)]
    labelled = {folder: _labelled(folder) for folder in folders if (folder / "task.yaml").is_file()}
    some = {folder: names for folder, names in labelled.items() if names}
    told = []
    if any(holds_rows(path) for path in paths):
        told.append("published rows have no answers: pass and fail were not tried")
    if bare := len(labelled) - len(some):
        told.append(f"{bare} of {_count(len(labelled), 'item')} without labelled answers: pass and fail were not tried")
    for name in ANSWERS:
        if lacking := sum(name not in names for names in some.values()):
            told.append(f"no labelled {name} answer in {lacking} of {_count(len(labelled), 'item')}")
    if once := sum(not (folder / "labels" / "blind.yaml").is_file() for folder in some):
        told.append(f"no second labelling (labels/blind.yaml) in {once} of {_count(len(labelled), 'item')}")
    return told


def unproved_documents(paths: Sequence[Path]) -> list[str]:
    """Say how many documents have no reference answers; empty if all have."""
    documents = [one.document for path in paths for one in _loaded(path)]
    bare = sum(document.reference is None for document in documents)
    if not bare:
        return []
    many = _count(len(documents), "document")
    return [f"{bare} of {many} without reference answers: whether the problems can be found was not tried"]


def _labelled(folder: Path) -> frozenset[AnswerName]:
    try:
        return frozenset(read_labels(folder))
    except DataError:
        # Labels that are there and broken are a finding of the check.
        return frozenset(ANSWERS if (folder / "labels" / "final.yaml").exists() else ())


def _loaded(path: Path) -> list[LoadedDocument]:
    try:
        files = files_of(path)
    except (DataError, OSError):
        return []
    found: list[LoadedDocument] = []
    for file in files:
        with suppress(DataError):
            found += read_file(file)
    return found


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
