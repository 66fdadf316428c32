"""BM25 over segments: how well the words of a query fit each chunk."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.text.vocabulary import vocabulary
from knowledge.retrieve.segment import UNITS, Segment
from knowledge.retrieve.words import Stems, words_of

K1 = 1.2
B = 0.75
HEADING_WEIGHT = 6  # units: a word of the nearest heading counts 1.5 times one of the text
TITLE_WEIGHT = 4
TEXT_WEIGHT = 4
# Chunks that a library is thought to have beside its own, one of which holds the word: what the only page
# of a team says is not common for that, and what it does not say is not rare.
UNSEEN = 200
MOST_WORDS = 32  # of a query; the rest of a longer one is not looked up
_ASKING = vocabulary("search.stopwords")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a query: the terms it may stand as, and how rare it is."""

    text: str
    terms: frozenset[int]
    idf: float


def asked_words(text: str, tongues: Iterable[str], stems: Stems) -> dict[str, frozenset[int]]:
    """The words that say what is asked, with their terms in all the languages that documents are in."""
    words = list(dict.fromkeys(words_of(text)))
    telling = [word for word in words if word not in _ASKING and (len(word) > 1 or word.isdigit())]
    spoken = sorted(tongues) or ["en"]
    found: dict[frozenset[int], str] = {}
    for word in (telling or words)[:MOST_WORDS]:
        terms = frozenset(term for tongue in spoken for term in stems.terms(word, tongue))
        if terms:
            found.setdefault(terms, word)
    return {word: terms for terms, word in found.items()}


def weighed(segments: Sequence[Segment], words: Mapping[str, frozenset[int]]) -> list[Word]:
    """The words with their rarity among all chunks (Robertson and Sparck Jones, as Lucene has it)."""
    total = sum(segment.size for segment in segments) + UNSEEN
    found = []
    for word, terms in words.items():
        held = 1 + max(sum(len(one.postings.of(term)[0]) for one in segments) for term in terms)
        found.append(Word(word, terms, math.log(1 + (total - held + 0.5) / (held + 0.5))))
    return found


def lexical(segments: Sequence[Segment], words: Sequence[Word]) -> list[Floats]:
    """The BM25 score of every row, segment by segment."""
    total = sum(segment.size for segment in segments)
    mean = sum(float(segment.lengths.sum()) for segment in segments) / max(1, total)
    return [_scores(segment, words, mean) for segment in segments]


def _scores(segment: Segment, words: Sequence[Word], mean: float) -> Floats:
    scores = np.zeros(segment.size, np.float32)
    norms = np.float32(K1) * (1 - B + B * segment.lengths / np.float32(mean or 1.0))
    for word in words:
        for term in word.terms:
            rows, weights = segment.postings.of(term)
            if len(rows):
                often = weights.astype(np.float32) / UNITS
                scores[rows] += np.float32(word.idf * (K1 + 1)) * often / (often + norms[rows])
    return scores
