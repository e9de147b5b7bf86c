"""What a reader asks of logs by name, and whether any sample had it."""

from dataclasses import dataclass, field

from inspect_ai.log import EvalSampleSummary

from kwsuite.analysis.logs import NoLogsError
from kwsuite.analysis.record import SCORERS, Record, read_record

_DEFAULT_GROUP = "category"


@dataclass
class Wanted:
    """Names that a user gave; a name that nothing answers to would otherwise change figures without a word."""

    scorer: str | None = None
    """The scorer to read; None for this suite's, else the first of each sample."""
    value: str | None = None
    """The key to read from a foreign scorer's map of values; None for its first number."""
    by: str = _DEFAULT_GROUP
    """The sample metadata key that groups items."""
    _scorers: set[str] = field(default_factory=set)
    _values: set[str] = field(default_factory=set)
    _groups: set[str] = field(default_factory=set)

    def read(self, sample: EvalSampleSummary) -> Record | None:
        """Read the score that counts, and remember which names the sample has."""
        record = read_record(sample.scores, self.scorer, self.value)
        self._scorers |= set(sample.scores or {})
        self._groups |= set(sample.metadata)
        if record and record.scorer.rstrip("0123456789") not in SCORERS:
            self._values |= set(record.values)
        return record

    def refuse_missing(self) -> None:
        """Refuse a name that no sample had.

        Raises:
            NoLogsError: Names it, and what there is.
        """
        for option, name, found in (
            ("scorer", self.scorer, self._scorers),
            ("value", self.value, self._values),
            ("by", None if self.by == _DEFAULT_GROUP else self.by, self._groups),
        ):
            if name is not None and name not in found:
                there = ", ".join(sorted(found)) or "none (the suite's own scorers are read by their own keys)"
                raise NoLogsError(f"{option} {name!r}: no sample in these logs has it. There are: {there}.")
