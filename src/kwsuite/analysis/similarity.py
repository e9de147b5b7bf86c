"""How alike texts are, without a model."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from scipy import sparse

from kwsuite.analysis.intervals import Floats

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def similarities(texts: Sequence[str]) -> Floats:
    """Give the TF-IDF cosine of all pairs of texts: sublinear counts, smoothed inverse document frequency.

    Words are compared without case; runs of Chinese, Japanese or Korean characters count as pairs of characters.
    Source: Manning, Raghavan and Schuetze (2008), Introduction to Information Retrieval, section 6.4.

    Returns:
        A symmetric matrix in [0, 1]. A text without words is like no other, and its row is 0. Empty for none.
    """
    counts = [Counter(_terms(text)) for text in texts]
    vocabulary = {term: place for place, term in enumerate(sorted({term for count in counts for term in count}))}
    if not vocabulary:
        return np.zeros((len(texts), len(texts)))
    rows = np.repeat(np.arange(len(texts)), [len(count) for count in counts])
    columns = np.array([vocabulary[term] for count in counts for term in count])
    weights = 1 + np.log(np.array([number for count in counts for number in count.values()], dtype=float))
    found = np.bincount(columns, minlength=len(vocabulary))
    rarity = np.log((1 + len(texts)) / (1 + found)) + 1
    matrix = sparse.csr_array((weights * rarity[columns], (rows, columns)), shape=(len(texts), len(vocabulary)))
    norms = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    norms[norms == 0] = 1.0
    cosine = np.asarray((matrix @ matrix.T).todense(), dtype=float) / norms[:, None] / norms[None, :]
    bounded: Floats = np.clip(cosine, 0.0, 1.0)
    return bounded


def _terms(text: str) -> list[str]:
    terms = []
    for word in _WORD.findall(text.casefold()):
        if _UNSPACED.search(word) and len(word) > 1:
            terms += [word[place : place + 2] for place in range(len(word) - 1)]
        else:
            terms.append(word)
    return terms
