"""Who judges."""

import logging
from dataclasses import dataclass

from inspect_ai.model import Model, get_model

from kwsuite.asking.grader_role import bound_grader_models, required_graders

logger = logging.getLogger(__name__)

_SELF = (
    "No grader role for {candidate}: the candidate grades its own answers, which flatters it. "
    "Bind a grader with --model-role grader=PROVIDER/MODEL, or refuse with require_grader=true "
    "(-T of a task, -S of inspect score)."
)

_BOUND_TO_ITSELF = "The grader of {candidate} is the candidate itself, which flatters it. Bind another model as grader."


@dataclass(frozen=True)
class Graders:
    """The judging models of a run."""

    models: tuple[Model, ...]
    """One, or a panel in the order given."""
    self_graded: bool
    """Whether the candidate judges itself, for want of a grader or because it is the one bound."""

    @property
    def name(self) -> str:
        """Names of the models, joined by commas."""
        return ", ".join(str(model) for model in self.models)


def bound_graders(*, require: bool = False, otherwise: str = "") -> Graders:
    """Find the models bound to the role `grader`; without one, the candidate, with a warning.

    Args:
        require: Refuse to do without a bound grader.
        otherwise: What to do instead of binding one, as a sentence for that error.

    Raises:
        ValueError: No grader is bound and one is required.
    """
    models = required_graders(otherwise) if require else bound_grader_models()
    candidate = get_model()
    if not models:
        _warn_once(_SELF, candidate)
        return Graders((candidate,), self_graded=True)
    itself = str(candidate) in [str(model) for model in models]
    if itself:
        _warn_once(_BOUND_TO_ITSELF, candidate)
    return Graders(models, self_graded=itself)


_warned: set[str] = set()


def _warn_once(message: str, candidate: Model) -> None:
    """Warn once of each candidate, not once a sample."""
    told = message.format(candidate=candidate)
    if told not in _warned:
        _warned.add(told)
        logger.warning(told)
