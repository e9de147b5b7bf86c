"""Asking once, and at most twice more when the reply cannot be read."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, Literal, TypeVar
from weakref import WeakKeyDictionary

from inspect_ai.model import (
    CachePolicy,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ResponseSchema,
)
from inspect_ai.util import LimitExceededError

from kwsuite.asking.reply import Fault

logger = logging.getLogger(__name__)

T = TypeVar("T")
Setting = Literal["schema", "temperature"]

MAX_REASKS = 2
"""How often a reply that cannot be read is asked for again."""

_READS_FILES = "reference/"

_refused: WeakKeyDictionary[Model, frozenset[Setting]] = WeakKeyDictionary()
"""What a model's provider refused in this process, and answered without."""

_KEPT = 2_000
"""Characters of an unreadable reply that are kept for the record."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """What to ask, and how to read what comes back."""

    messages: tuple[ChatMessage, ...]
    """The conversation to send."""
    read: Callable[[str], T | Fault]
    """Pure reader of a reply: the answer, or a fault that the model is told when it is asked again."""
    schema: ResponseSchema | None = None
    """Shape of the reply for providers that take one; dropped if the provider refuses it."""
    temperature: float | None = 0.0
    """Sampling temperature; None leaves it to the model. Dropped if the provider refuses it."""
    cache_scopes: Mapping[str, str] | None = field(default_factory=dict)
    """What the cached reply depends on beside the messages; None switches the cache off."""
    max_reasks: int = MAX_REASKS
    """Bound on further calls, at least 0."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """A reply that could be read."""

    value: T
    """What the reader made of it."""
    attempts: int
    """Calls it took, from 1."""


@dataclass(frozen=True)
class NoAnswer:
    """No reply could be read within the bound."""

    fault: Fault
    """The last fault."""
    reply: str
    """The last raw reply, cut to 2,000 characters; empty if the call itself failed."""
    attempts: int
    """Calls that were made."""


async def ask(model: Model, question: Question[T]) -> Answer[T] | NoAnswer:
    """Ask a model until its reply can be read.

    A call may be answered from the cache until a reply could not be read; every further one bypasses it, shows the
    model its own reply and names the fault. A call that fails counts as a fault too; if its error names the schema or
    the temperature, the next call goes without, since some providers take neither; if that one is answered, so do all
    later ones to this model in this process. Limits on the sample still end it.

    Returns:
        The answer, or what was wrong with the last reply. Never raises for a reply or a provider error.
    """
    known = dropped = _refused.get(model, frozenset[Setting]())
    extra: tuple[ChatMessage, ...] = ()
    fault, reply = Fault("missing", "nothing was asked"), ""
    cache = _cache(question, model)
    for number in range(1, question.max_reasks + 2):
        attempt = _without(question, dropped)
        try:
            output = await model.generate([*question.messages, *extra], config=_config(attempt, model), cache=cache)
        except LimitExceededError:
            raise
        except Exception as error:  # noqa: BLE001 - providers fail in any way; one criterion's must not cancel the others
            logger.warning(f"{model}: {type(error).__name__}: {error}")
            fault, reply, extra = Fault("grader_error", cut(f"{type(error).__name__}: {error}")), "", ()
            refused = _refusal(attempt, error)
            known |= refused
            dropped |= refused or _suspected(error)
            continue
        if known:
            _refused[model] = _refused.get(model, frozenset()) | known
        reply = output.completion
        found = stopped(output) or question.read(reply)
        if not isinstance(found, Fault):
            return Answer(found, number)
        fault, cache = found, False
        extra = _asking_again(reply, fault)
    return NoAnswer(fault, cut(reply), question.max_reasks + 1)


def stopped(output: ModelOutput) -> Fault | None:
    """Tell whether the provider ended the reply early: `truncated`, `refusal`, or None for a whole reply."""
    match output.stop_reason:
        case "max_tokens" | "model_length":
            return Fault("truncated", f"the reply was cut off (stop reason {output.stop_reason}). Be brief.")
        case "content_filter":
            return Fault("refusal", "the reply was withheld (stop reason content_filter).")
        case _:
            return None


def cut(text: str, limit: int = _KEPT) -> str:
    """Shorten `text` to `limit` characters for the record, marking the cut."""
    return text if len(text) <= limit else f"{text[:limit]} [cut: {len(text) - limit:,} more characters]"


def _without(question: Question[T], dropped: frozenset[Setting]) -> Question[T]:
    return replace(
        question,
        schema=None if "schema" in dropped else question.schema,
        temperature=None if "temperature" in dropped else question.temperature,
    )


def _refusal(attempt: Question[T], error: Exception) -> frozenset[Setting]:
    """Find the setting that a provider's error names; none for an outage or a time-out."""
    told = str(error).casefold()
    if attempt.schema is not None and any(word in told for word in ("schema", "response_format", "structured")):
        return frozenset({"schema"})
    return frozenset({"temperature"} if attempt.temperature is not None and "temperature" in told else ())


def _suspected(error: Exception) -> frozenset[Setting]:
    """Take the bare word json for a refused schema; never remembered, for passing errors hold it too."""
    return frozenset({"schema"} if "json" in str(error).casefold() else ())


def _config(question: Question[T], model: Model) -> GenerateConfig:
    own = model.config.temperature
    return GenerateConfig(temperature=question.temperature if own is None else None, response_schema=question.schema)


def _cache(question: Question[T], model: Model) -> CachePolicy | bool:
    # A reference model reads files, which change under the same prompt.
    if question.cache_scopes is None or str(model).startswith(_READS_FILES):
        return False
    return CachePolicy(expiry=None, per_epoch=False, scopes=dict(question.cache_scopes))


def _asking_again(reply: str, fault: Fault) -> tuple[ChatMessage, ...]:
    again = ChatMessageUser(content=f"Your reply could not be used: {fault.message} Answer once more.")
    return (ChatMessageAssistant(content=cut(reply)), again) if reply.strip() else (again,)
