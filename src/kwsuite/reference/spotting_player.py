"""Playing problem_spotting: the findings that documents ship, and the same findings as labels for the grader."""

import json
from functools import lru_cache

from inspect_ai.model import ModelOutput

from kwsuite.asking.fence import unwrap
from kwsuite.datasets.spotting import References, SpottingDocument
from kwsuite.datasets.spotting_references import as_findings, match_references
from kwsuite.matching.findings import ReplyFormat
from kwsuite.matching.meaning import THRESHOLDS, lexical
from kwsuite.matching.places import Source
from kwsuite.matching.reply_writer import write_reply
from kwsuite.reference.loaded_documents import find_document
from kwsuite.reference.names import GRADER
from kwsuite.reference.prompt import ReferencePrompt

_FORMATS: dict[str, ReplyFormat] = {"xml": "xml", "json": "json", "markdown": "markdown"}


def play_spotting(prompt: ReferencePrompt) -> ModelOutput:
    """Give a document's reference findings in the format asked for, or for the grader whether two remarks are the same.

    The labels are those findings as matched by shared wording, so they prove the path of the judge and nothing more.

    Raises:
        ValueError: The document ships no such answer, or the one who is asked does not play this part.
    """
    return ModelOutput.from_content(f"reference/{prompt.name}", _reply(prompt))


def _reply(prompt: ReferencePrompt) -> str:
    judging = prompt.judging(GRADER)
    document = find_document(prompt.item)
    if document.reference is None:
        raise ValueError(
            f"document {prompt.item!r} ships no reference answers. Add `reference` to it, or run a real model on it."
        )
    if judging:
        return _label(document, document.reference, prompt)
    if prompt.ids.get("stage") in ("claims", "check"):
        return "No notes."
    form = _FORMATS[prompt.ids["output"]]
    match prompt.name:
        case "expert":
            return write_reply(as_findings(document.reference.expert), form)
        case "surface":
            return write_reply(as_findings(document.reference.surface), form)
        case "null":
            return document.reference.null
        case _:
            raise ValueError(
                f"problem_spotting has no reference/{prompt.name}; choose one of reference/expert, reference/surface, "
                "reference/null."
            )


def _label(document: SpottingDocument, reference: References, prompt: ReferencePrompt) -> str:
    said, problem = unwrap("report", prompt.text), prompt.ids["criterion"]
    shipped = {one.description for one in (*reference.expert, *reference.surface)}
    if said not in shipped:
        raise ValueError(
            f"document {document.id!r}: the finding to compare is none of those that it ships, so there is no label "
            "for it. Bind a grading model with --model-role grader=PROVIDER/MODEL, or use -T match=lexical."
        )
    met = (said, problem) in _named(document)
    why = f"The shipped finding {'names' if met else 'does not name'} {problem}."
    return json.dumps({"rationale": why, "verdict": "MET" if met else "NOT_MET"}, ensure_ascii=False)


@lru_cache(maxsize=256)
def _named(document: SpottingDocument) -> frozenset[tuple[str, str]]:
    """Give each shipped description with the problem that it names; kept, for it is asked once for every pair."""
    source, planted = Source(document.text), document.planted()
    reference = document.reference
    named = set()
    for findings in (reference.expert, reference.surface) if reference else ():
        for one in match_references(findings, document, source, lexical, THRESHOLDS["lexical"]).matched:
            named.add((findings[one.pair.finding].description, planted[one.pair.problem].id))
    return frozenset(named)
