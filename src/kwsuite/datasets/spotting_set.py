"""Where documents for problem spotting come from: the bundle, a file, or a folder of files."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.datasets.spotting_files import SHIPPED, load_documents

BUNDLED = "bundled"
"""The name of the set that ships."""

LanguageChoice = Literal["all", "en", "zh"]


@dataclass(frozen=True)
class DocumentSet:
    """Documents loaded together, ids unique."""

    source: str
    """`bundled`, or the name of a folder or file."""
    documents: tuple[SpottingDocument, ...]
    """At least one, in the order of the files' names."""

    def digest(self) -> str:
        """Identify the set by content: 12 hex digits of SHA-256 over every document."""
        sha = hashlib.sha256()
        for document in self.documents:
            sha.update(document.model_dump_json().encode())
        return sha.hexdigest()[:12]

    def only(self, language: LanguageChoice = "all", domain: str = "all") -> "DocumentSet":
        """Keep the documents of a language and a domain; `all` keeps every one.

        Raises:
            DataError: None is left; the message names the domains there are.
        """
        kept = tuple(
            document
            for document in self.documents
            if language in ("all", document.language) and domain in ("all", document.domain)
        )
        if not kept:
            domains = ", ".join(sorted({document.domain for document in self.documents}))
            raise DataError(
                f"dataset {self.source}: holds no documents with language={language} and domain={domain}. "
                f"Its domains are: {domains}. Use all for either."
            )
        return DocumentSet(self.source, kept)


def load_document_set(dataset: str = BUNDLED) -> DocumentSet:
    """Load a set of documents.

    Args:
        dataset: `bundled`, a path to a `.yaml` or `.jsonl` file, or a path to a folder of such files.

    Raises:
        DataError: Nothing is there, or a document is broken; see `load_documents`.
    """
    if not isinstance(dataset, str) or not dataset.strip():
        raise DataError(f"dataset is {dataset!r}. Use {BUNDLED!r}, a .yaml or .jsonl file, or a folder of them.")
    if dataset == BUNDLED:
        return DocumentSet(BUNDLED, load_documents(SHIPPED))
    path = Path(dataset).expanduser()
    if not path.exists():
        raise DataError(
            f"dataset {dataset!r}: there is no such file or folder. Use {BUNDLED!r}, a .yaml or .jsonl file, or a "
            "folder of them; kwsuite new spotting NAME writes one."
        )
    return DocumentSet(path.name, load_documents(path))
