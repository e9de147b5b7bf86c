"""The documents that the reference candidates can find."""

from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.datasets.spotting_set import DocumentSet, load_document_set
from kwsuite.reference.shelf import Shelf

SHELF: Shelf[SpottingDocument] = Shelf(lambda: _by_id(load_document_set()))


def remember_documents(documents: DocumentSet) -> None:
    """Let the reference candidates find documents; a later set replaces an earlier document of the same id."""
    SHELF.remember(_by_id(documents))


def find_document(item_id: str) -> SpottingDocument:
    """Find a document that a task has loaded, else a bundled one.

    Raises:
        ValueError: It is in neither.
    """
    return SHELF.find(item_id)


def _by_id(documents: DocumentSet) -> dict[str, SpottingDocument]:
    return {document.id: document for document in documents.documents}
