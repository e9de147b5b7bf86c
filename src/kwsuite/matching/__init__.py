"""Where findings are, what they mean, and which planted problem each of them names.

The way through: `read_reply` -> `locate_all` -> `compare_places` -> a similarity for each pair -> `match` ->
`DocumentScore`. All of it is pure, but for the embedding model that a similarity may load.
"""

from kwsuite.matching.findings import Finding, Refused, Reply, ReplyFormat
from kwsuite.matching.match import (
    IOU,
    Comparison,
    Key,
    Located,
    Matched,
    Matching,
    Pair,
    Planted,
    compare_places,
    locate_all,
    match,
)
from kwsuite.matching.meaning import THRESHOLDS, MatchBy, Similarity, Wording, embedding, lexical
from kwsuite.matching.places import Place, Source, locate
from kwsuite.matching.problem_types import PROBLEM_TYPES, ProblemType
from kwsuite.matching.replies import read_reply
from kwsuite.matching.scores import DocumentScore
from kwsuite.matching.spans import Span

__all__ = [
    "IOU",
    "PROBLEM_TYPES",
    "THRESHOLDS",
    "Comparison",
    "DocumentScore",
    "Finding",
    "Key",
    "Located",
    "MatchBy",
    "Matched",
    "Matching",
    "Pair",
    "Place",
    "Planted",
    "ProblemType",
    "Refused",
    "Reply",
    "ReplyFormat",
    "Similarity",
    "Source",
    "Span",
    "Wording",
    "compare_places",
    "embedding",
    "lexical",
    "locate",
    "locate_all",
    "match",
    "read_reply",
]
