"""Check documents for problem spotting: their quotes, their overlaps, and what the reference candidates score."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from kwsuite.audit.finding import AuditFinding
from kwsuite.datasets.data_error import DataError
from kwsuite.datasets.spotting import LoadedDocument, ReferenceFinding, References, SpottingDocument
from kwsuite.datasets.spotting_files import files_of, quote_faults, read_file
from kwsuite.datasets.spotting_references import as_findings, match_references
from kwsuite.matching import (
    THRESHOLDS,
    Matching,
    Planted,
    Similarity,
    Source,
    embedding,
    lexical,
    locate_all,
    read_reply,
)
from kwsuite.matching.problem_types import read_type

Measure = Literal["lexical", "embedding"]

MEASURES: dict[Measure, tuple[Similarity, float]] = {
    "lexical": (lexical, THRESHOLDS["lexical"]),
    "embedding": (embedding, THRESHOLDS["embedding"]),
}
"""The measures that need no grader, each with its threshold."""

_FAULT = re.compile(r"^(?P<place>.+?:\d+:\d+): (?:(?:item|document) (?P<item>[^\s:]+): )?(?P<message>.*)$", re.DOTALL)


def audit_spotting(
    path: Path, require_references: bool = True, measures: Sequence[Measure] = tuple(MEASURES)
) -> list[AuditFinding]:
    """Check a file or a folder of documents.

    Args:
        path: A .yaml or .jsonl file, or a folder of them.
        require_references: Whether a document without reference answers is a fault. Without them nothing proves that
            its problems can be found.
        measures: What to match the reference answers by; `embedding` needs the extra `embed`.

    Returns:
        The faults in the order of the files; empty if there are none.

    Raises:
        EmbeddingUnavailable: A measure needs the extra `embed`, which is not installed.
    """
    findings: list[AuditFinding] = []
    first: dict[str, str] = {}
    try:
        files = files_of(path)
    except (DataError, OSError) as error:
        return [_from_line(str(error), path.name)]
    for file in files:
        try:
            loaded = read_file(file)
        except DataError as error:
            findings += [_from_line(line, file.stem) for line in str(error).splitlines()]
            continue
        for one in loaded:
            name, place = one.document.id, one.where(("id",))
            if name in first:
                findings.append(AuditFinding(place, name, f"this id stands twice, first at {first[name]}. Rename one."))
            first.setdefault(name, place)
            findings += audit_document(one, require_references, measures)
    return findings


def audit_document(
    loaded: LoadedDocument, require_references: bool = True, measures: Sequence[Measure] = tuple(MEASURES)
) -> list[AuditFinding]:
    """Check one document; see `audit_spotting`. Quotes that are not found end the check, since all else needs them."""
    lost = quote_faults(loaded)
    if lost:
        return [_from_line(line, loaded.document.id) for line in lost]
    source = Source(loaded.document.text)
    findings = _overlaps(loaded, source)
    if loaded.document.reference is not None:
        findings += _reference_faults(loaded, loaded.document.reference, source, measures)
    elif require_references:
        message = "no reference answers, so nothing proves that the problems can be found. Add `reference`."
        findings.append(AuditFinding(loaded.where(()), loaded.document.id, message))
    return findings


def play(
    findings: Sequence[ReferenceFinding], document: SpottingDocument, source: Source, measure: Measure
) -> Matching:
    """Match the findings of a reference candidate by one of `MEASURES`."""
    return match_references(findings, document, source, *MEASURES[measure])


def _overlaps(loaded: LoadedDocument, source: Source) -> list[AuditFinding]:
    """Find problems that share a sentence without saying so: the matcher could then tell them apart by meaning only."""
    findings = []
    planted = loaded.document.planted()
    for later, other in enumerate(planted):
        for earlier, one in enumerate(planted[:later]):
            declared = loaded.document.problems[later].overlaps or loaded.document.problems[earlier].overlaps
            if not declared and _share_sentence(one, other, source):
                message = (
                    f"problems {one.id} and {other.id} share a sentence. Move one, or write `overlaps: true` if it is "
                    "meant."
                )
                findings.append(AuditFinding(loaded.where(("problems", later)), loaded.document.id, message))
    return findings


def _share_sentence(one: Planted, other: Planted, source: Source) -> bool:
    wide = [[source.widen(span) for span in problem.spans] for problem in (one, other)]
    return any(a.start < b.end and b.start < a.end for a in wide[0] for b in wide[1])


def _reference_faults(
    loaded: LoadedDocument, reference: References, source: Source, measures: Sequence[Measure]
) -> list[AuditFinding]:
    document = loaded.document

    def fault(field: str, number: int | None, message: str) -> AuditFinding:
        at = ("reference", field) if number is None else ("reference", field, number)
        return AuditFinding(loaded.where(at), document.id, message)

    findings = []
    for field, answers in (("expert", reference.expert), ("surface", reference.surface)):
        for number, one in enumerate(answers):
            if read_type(one.type) is None:
                findings.append(fault(field, number, f"type {one.type!r} is unknown. Use a name or label of the six."))
    copied = {_plain(problem.description) for problem in document.problems}
    for number, one in enumerate(reference.expert):
        if _plain(one.description) in copied:
            findings.append(
                fault("expert", number, "repeats the planted description, which proves nothing. Say it otherwise.")
            )
    for number, located in enumerate(locate_all(as_findings(reference.expert), source)):
        if not located.place.spans:
            findings.append(
                fault("expert", number, f"location is not found ({located.place.fault}). Quote the text exactly.")
            )
    for measure in measures:
        findings += [fault(*one) for one in _score_faults(document, reference, source, measure)]
    if read_reply(reference.null).readable:
        findings.append(fault("null", None, "reads as an answer. Write prose that neither lists nor denies problems."))
    # Faults of the answers themselves come up once for each measure.
    return list(dict.fromkeys(findings))


def _score_faults(
    document: SpottingDocument, reference: References, source: Source, measure: Measure
) -> list[tuple[str, int | None, str]]:
    """Check what expert and surface score by one measure."""
    faults: list[tuple[str, int | None, str]] = []
    expert = play(reference.expert, document, source, measure)
    planted = document.planted()
    found = {one.pair.problem for one in expert.matched}
    missed = [problem.id for index, problem in enumerate(planted) if index not in found]
    if missed:
        faults.append(("expert", None, f"does not match {', '.join(missed)} by {measure}. Mend place or description."))
    if len(reference.expert) > len(planted):
        extra = len(reference.expert) - len(planted)
        faults.append(("expert", None, f"reports {extra} more than is planted. Plant it or take it out."))
    for one in expert.matched:
        reported = reference.expert[one.pair.finding].type
        if read_type(reported) not in (None, planted[one.pair.problem].type):
            wanted = planted[one.pair.problem].type
            faults.append(
                ("expert", one.pair.finding, f"calls {planted[one.pair.problem].id} {reported!r}, not {wanted}.")
            )
    surface = play(reference.surface, document, source, measure)
    count = len(reference.surface)
    if planted and surface.hits == len(planted):
        faults.append(("surface", None, f"finds every problem by {measure}. Leave out those that take thought."))
    if surface.hits == count:
        faults.append(("surface", None, f"raises no false alarm by {measure}. Add a plausible one."))
    if planted and not surface.hits:
        faults.append(("surface", None, f"finds nothing by {measure}. Add an obvious problem."))
    return faults


def _plain(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


def _from_line(line: str, item: str) -> AuditFinding:
    match = _FAULT.match(line)
    if match is None:
        return AuditFinding(item, item, line)
    return AuditFinding(match["place"], match["item"] or item, match["message"])
