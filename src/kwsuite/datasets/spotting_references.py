"""What the reference candidates of a document find, as findings."""

from collections.abc import Sequence

from kwsuite.datasets.spotting import ReferenceFinding, SpottingDocument
from kwsuite.matching.findings import Finding
from kwsuite.matching.match import Key, Matching, compare_places, locate_all, match
from kwsuite.matching.meaning import Similarity
from kwsuite.matching.places import Source
from kwsuite.matching.problem_types import read_type


def as_findings(findings: Sequence[ReferenceFinding]) -> tuple[Finding, ...]:
    """Give authored findings as a reply would hold them, in order."""
    return tuple(
        Finding(location=one.location, type=read_type(one.type), type_text=one.type, description=one.description)
        for one in findings
    )


def match_references(
    findings: Sequence[ReferenceFinding],
    document: SpottingDocument,
    source: Source,
    similarity: Similarity,
    threshold: float,
) -> Matching:
    """Match authored findings with the document's problems by a measure that needs no grader."""
    comparison = compare_places(locate_all(as_findings(findings), source), document.planted(), source)
    scores = similarity([pair.wording for pair in comparison.pairs])
    by_key = {Key(pair.finding, pair.problem): score for pair, score in zip(comparison.pairs, scores, strict=True)}
    return match(comparison, by_key, threshold)
