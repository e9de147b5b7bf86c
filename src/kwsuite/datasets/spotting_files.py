"""Where documents for problem spotting are read from: one YAML file each, or the JSONL of annotated spans."""

from pathlib import Path

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.spotting import LoadedDocument, SpottingDocument, span_of
from kwsuite.datasets.spotting_jsonl import read_jsonl
from kwsuite.datasets.strict_yaml import load_model, read_yaml

SHIPPED = Path(__file__).parent / "data" / "spotting"
"""Folder of the documents that ship."""


def load_documents(path: Path) -> tuple[SpottingDocument, ...]:
    """Load the documents of a file (.yaml, .jsonl) or of every such file in a folder, by name.

    Raises:
        DataError: Lists every fault with file and line: not readable, unknown fields or types, a quote or offset that
            is not in the text, an id that stands twice, no documents at all.
    """
    loaded = [one for file in files_of(path) for one in read_file(file)]
    faults = [fault for one in loaded for fault in quote_faults(one)]
    seen: dict[str, str] = {}
    for one in loaded:
        place = one.where(("id",))
        if one.document.id in seen:
            faults.append(f"{place}: document {one.document.id} stands twice, first at {seen[one.document.id]}.")
        seen.setdefault(one.document.id, place)
    if faults:
        raise DataError("\n".join(faults))
    return tuple(one.document for one in loaded)


def files_of(path: Path) -> tuple[Path, ...]:
    """Give the document files at a path, sorted by name.

    Raises:
        DataError: There are none.
    """
    kinds = (".yaml", ".yml", ".jsonl")
    files = sorted(file for file in path.iterdir() if file.suffix in kinds) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path}: no documents here. Put .yaml or .jsonl files into the folder.")
    return tuple(files)


def read_file(path: Path) -> tuple[LoadedDocument, ...]:
    """Read one file without looking for its quotes in the text.

    Raises:
        DataError: See `load_documents`.
    """
    if path.suffix == ".jsonl":
        return read_jsonl(path)
    source = read_yaml(path)
    document = load_model(SpottingDocument, source, path.stem)
    if document.id != path.stem:
        raise DataError(f"{source.where(('id',))}: id {document.id!r} in a file named {path.name}. Make them the same.")
    return (LoadedDocument(document, source.where),)


def quote_faults(loaded: LoadedDocument) -> list[str]:
    """List the quotes that are not in the text, or not so often, one line each with its place."""
    faults = []
    for number, problem in enumerate(loaded.document.problems):
        for position, passage in enumerate(problem.passages):
            field = ("problems", number, "also", position - 1) if position else ("problems", number, "quote")
            try:
                span_of(passage, loaded.document.text)
            except DataError as error:
                faults.append(f"{loaded.where(field)}: document {loaded.document.id}: problem p{number + 1}: {error}")
    return faults
