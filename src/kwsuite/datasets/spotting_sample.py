"""From a document to the sample that a candidate is shown, and back from a sample to its document."""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser
from pydantic import ValidationError

from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.message_ids import MESSAGE_KEY
from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.datasets.spotting_set import DocumentSet
from kwsuite.matching.findings import ReplyFormat

BENCHMARK = "problem_spotting"

PROBLEMS_KEY = "problems"
"""Where a sample's metadata carries the planted problems as written."""

_LONGEST = 50
"""Characters of a sample's id that go into a document's name, which has 64 at most."""


def spotting_dataset(documents: DocumentSet, output: ReplyFormat = "xml") -> MemoryDataset:
    """Make the samples of a set, in its order.

    A sample's input is the document's text and nothing else, so that a finished log holds the text once and can be
    scored again without the file.

    Args:
        documents: The set.
        output: The format that replies are asked in; the reference candidates answer in it.
    """
    version = documents.digest()
    return MemoryDataset([_sample(one, output, version) for one in documents.documents], name=documents.source)


def document_of(sample_id: object, text: str, metadata: Mapping[str, Any]) -> SpottingDocument:
    """Give the document of a sample: its input, with the planted problems of its metadata.

    Works for samples of any task that carry `problems` (as in an authored file), and optionally `language`, `domain`. A
    document without a name of its own is named after its sample.

    Raises:
        DataError: There are no problems in the metadata, or they do not fit the format or the text; the sample is
            named.
    """
    place = f"sample {sample_id}"
    if PROBLEMS_KEY not in metadata:
        raise DataError(f"{place}: its metadata has no {PROBLEMS_KEY!r}, so there is nothing to score against. Add it.")
    fields = {
        "id": metadata.get("document", _name_for(str(sample_id))),
        "language": metadata.get("language", "en"),
        "domain": metadata.get("domain", "other"),
        "text": text,
        "problems": metadata[PROBLEMS_KEY],
    }
    try:
        document = SpottingDocument.model_validate(fields)
        document.planted()
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise DataError(f"{place}: its metadata is no document ({faults}). Mend it.") from error
    except DataError as error:
        raise DataError(f"{place}: its metadata does not fit its text: {error}") from error
    return document


def _name_for(sample_id: str) -> str:
    """Make a document's name of a sample's id, which may hold anything: itself if it can be one, else with a digest."""
    plain = re.sub(r"[^a-z0-9_]+", "-", sample_id.casefold()).strip("-_")
    if plain == sample_id and len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST] or 'sample'}-{hashlib.sha256(sample_id.encode()).hexdigest()[:8]}"


def _sample(document: SpottingDocument, output: ReplyFormat, version: str) -> Sample:
    message = ChatMessageUser(
        content=document.text,
        metadata={MESSAGE_KEY: {"benchmark": BENCHMARK, "item": document.id, "output": output}},
    )
    return Sample(
        id=document.id,
        input=[message],
        target=[problem.description for problem in document.problems],
        metadata={
            "document": document.id,
            "language": document.language,
            "domain": document.domain,
            "clean": document.clean,
            PROBLEMS_KEY: [problem.model_dump(mode="json") for problem in document.problems],
            "version": version,
        },
    )
