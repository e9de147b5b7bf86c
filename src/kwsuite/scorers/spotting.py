"""A document's reply after matching."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kwsuite.datasets.spotting import SpottingDocument
from kwsuite.matching.findings import Reply
from kwsuite.matching.match import Comparison, Key, Matching
from kwsuite.matching.meaning import MatchBy
from kwsuite.matching.near_misses import NearMiss
from kwsuite.matching.scores import DocumentScore
from kwsuite.verdicts import Outcome


@dataclass(frozen=True)
class Spotting:
    """A document's reply after matching."""

    document: SpottingDocument
    """The document."""
    reply: Reply
    """The reply as read."""
    comparison: Comparison
    """Findings and problems that agree in place."""
    similarities: Mapping[Key, float | None]
    """Agreement of those pairs in meaning."""
    matching: Matching
    """The assignment."""
    judged: Mapping[Key, Outcome]
    """What the grader said of the pairs; empty where none compared."""
    near: Sequence[NearMiss]
    """Problems that were nearly found."""
    by: MatchBy
    """What compared meanings."""
    threshold: float
    """Least similarity that counts as the same."""

    @property
    def score(self) -> DocumentScore:
        """The counts that precision, recall and F1 follow from."""
        return DocumentScore(
            planted=len(self.comparison.planted),
            reported=self.reply.reported,
            hits=self.matching.hits,
            most_hits=self.matching.most_hits,
            readable=self.reply.readable,
        )
