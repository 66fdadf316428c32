"""Sentences as directions of the words that tell them apart, without any model."""

import zlib
from collections.abc import Iterator, Sequence

import numpy as np

from app.engines.embedder import Vectors
from app.engines.provenance.vocabulary import COMMON
from app.text import patterns

DIMENSIONS = 256  # words are hashed into so many: two of one sentence seldom meet
_ROOT = 6  # letters of a word that are compared: its ending is left out in every language
_WORD = patterns.compile(r"[^\W_]+")
_UNSPACED = patterns.compile("[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]")


def vectors(texts: Sequence[str]) -> Vectors:
    """One row of unit length per text, `DIMENSIONS` wide: words that few of the texts have weigh more;
    zeros for a text without a telling word.
    """
    known: dict[str, int] = {}
    rows = [{known.setdefault(word, len(known)) for word in _telling(text)} for text in texts]
    if not known:
        return np.zeros((len(texts), DIMENSIONS), np.float32)
    having = np.bincount([word for row in rows for word in row], minlength=len(known))
    weight = np.log1p(len(texts) / having)
    weight[having == len(texts)] *= 0.5
    at = np.array([zlib.crc32(word.encode()) % DIMENSIONS for word in known])
    row_of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    word_of = np.fromiter((word for row in rows for word in row), np.int64)
    flat = np.bincount(
        row_of * DIMENSIONS + at[word_of],
        weights=weight[word_of],
        minlength=len(rows) * DIMENSIONS,
    )
    made = flat.reshape(len(rows), DIMENSIONS).astype(np.float32)
    lengths = np.linalg.norm(made, axis=1, keepdims=True)
    made /= np.where(lengths == 0, 1, lengths)
    return made


def _telling(text: str) -> Iterator[str]:
    for word in _WORD.findall(text.lower()):
        if not word.isascii() and _UNSPACED.search(word):
            yield from (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif (len(word) > 2 or word.isdigit() or not word.isascii()) and word not in COMMON:
            yield word[:_ROOT]
