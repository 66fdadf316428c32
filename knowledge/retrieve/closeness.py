"""Similarity of words and sentences to a question, by the word vectors of `wordllama`."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from threading import Lock

import numpy as np
import numpy.typing as npt

from app.llm.embedder import WordLlama
from app.text import patterns
from knowledge.retrieve.candidates import Word
from knowledge.retrieve.segment import normalize_rows

MOST_WORDS = 300  # per text that are compared
MOST_SENTENCES = 24
SMALL = 200_000  # multiplications; from 262,144 on OpenBLAS starts threads, which contend with each other
AT_ONCE = 2_000  # words compared at once: 2 MB fit in the processor's cache
MOST_KEPT = 20_000  # words with cached vectors, 20 MB
UNLIKE = 0.3  # cosine of unrelated words
_WORDS = patterns.compile(r"[^\W_]+")
_SENTENCES = patterns.compile(r"(?<=[.!?:])\s+|\n+")
_SHORTEST = 20  # characters of a sentence

Floats = npt.NDArray[np.float32]


class Closeness:
    """Computes similarities and caches word vectors; one per process. Runs locally."""

    def __init__(self) -> None:
        self._model: WordLlama | None = None
        self._rows: dict[str, int] = {}
        self._vectors = np.zeros((MOST_KEPT, 0), np.float32)
        self._alone = Lock()  # searches run in threads that share the cache

    def word_closeness(self, words: Sequence[Word], texts: Sequence[str]) -> list[float]:
        """Similarity of each text to the query words, in 0..1, weighted by rarity. Matches `cheque`
        with `check`, which stemming does not.
        """
        weight = sum(word.idf for word in words)
        if not weight:
            return [0.0] * len(texts)
        asked = self._of([word.text for word in words])
        idf = np.array([word.idf for word in words], np.float32)
        held = [list(dict.fromkeys(_WORDS.findall(text.lower())))[:MOST_WORDS] for text in texts]
        found = [0.0] * len(texts)
        for group in _groups([len(one) for one in held]):
            nearest = self._nearest_words(asked, [held[at] for at in group])
            shares = idf @ np.clip((nearest - UNLIKE) / (1 - UNLIKE), 0, 1) / weight
            for at, share in zip(group, shares, strict=True):
                found[at] = float(share)
        return found

    def _nearest_words(self, asked: Floats, held: Sequence[Sequence[str]]) -> Floats:
        """Cosine of the nearest word in each text, for each query word."""
        distinct = list(dict.fromkeys(chain.from_iterable(held)))
        columns = {word: at for at, word in enumerate(distinct)}
        cosines = _cosines(asked, self._of(distinct))
        each = _numbers(columns, list(chain.from_iterable(held)))
        spread = cosines.take(each, axis=1)
        return np.asarray(np.maximum.reduceat(spread, _starts(held), axis=1), dtype=np.float32)

    def sentence_closeness(self, question: str, texts: Sequence[str]) -> list[float]:
        """Cosine of the question with the nearest sentence of each text, both as means of their
        word vectors.
        """
        asked = _WORDS.findall(question.lower())
        found = [0.0] * len(texts)
        if not asked:
            return found
        wanted = normalize_rows(self._of(asked).sum(axis=0, keepdims=True))[0]
        spoken = [_spoken(text) for text in texts]
        for group in _groups([sum(map(len, parts)) for parts in spoken]):
            parts = list(chain.from_iterable(spoken[at] for at in group))
            vectors = self._of(list(chain.from_iterable(parts)))
            means = normalize_rows(np.add.reduceat(vectors, _starts(parts)))
            cosines = np.einsum("ij,j->i", means, wanted)  # single-threaded, as in `_cosines`
            nearest = np.maximum.reduceat(cosines, _starts([spoken[at] for at in group]))
            for at, cosine in zip(group, nearest, strict=True):
                found[at] = float(cosine)
        return found

    def _of(self, words: Sequence[str]) -> Floats:
        """Vectors of the words; at most `MOST_KEPT` different ones."""
        with self._alone:
            new = list(set(words).difference(self._rows))
            if len(self._rows) + len(new) > MOST_KEPT:
                self._rows, new = {}, list(set(words))
            if new:
                self._learn(new)
            return self._vectors.take(_numbers(self._rows, words), axis=0)

    def _learn(self, new: Sequence[str]) -> None:
        made = self._embed(new)
        if not self._vectors.shape[1]:
            self._vectors = np.zeros((MOST_KEPT, made.shape[1]), np.float32)
        first = len(self._rows)
        self._vectors[first : first + len(new)] = made
        self._rows.update({word: first + at for at, word in enumerate(new)})

    def _embed(self, texts: Sequence[str]) -> Floats:
        self._model = self._model or WordLlama()
        return self._model.embed_batch(texts).vectors


def comparable_sentences(text: str) -> list[str]:
    """The sentences long enough to compare; the whole text if there are none."""
    parts = [part for part in _SENTENCES.split(text) if len(part) >= _SHORTEST]
    return parts[:MOST_SENTENCES] or [text]


def _spoken(text: str) -> list[list[str]]:
    """Words of each non-empty sentence."""
    parts = (_WORDS.findall(part)[:MOST_WORDS] for part in comparable_sentences(text.lower()))
    return [part for part in parts if part]


def _groups(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Consecutive non-empty groups of at most `AT_ONCE` words; a larger item is a group of its own."""
    group: list[int] = []
    total = 0
    for at, size in enumerate(sizes):
        if group and total + size > AT_ONCE:
            yield group
            group, total = [], 0
        if size:
            group.append(at)
            total += size
    if group:
        yield group


def _cosines(asked: Floats, rows: Floats) -> Floats:
    """Cosines of all pairs, in products small enough to stay single-threaded."""
    step = max(1, SMALL // max(1, asked.size))
    parts = [asked @ rows[at : at + step].T for at in range(0, len(rows), step)]
    return np.asarray(np.concatenate(parts, axis=1), dtype=np.float32)


def _starts(parts: Sequence[Sequence[object]]) -> npt.NDArray[np.intp]:
    """Offset of each part in their concatenation."""
    return np.cumsum([0, *map(len, parts[:-1])], dtype=np.intp)


def _numbers(known: Mapping[str, int], words: Sequence[str]) -> npt.NDArray[np.intp]:
    return np.fromiter(map(known.__getitem__, words), np.intp, len(words))
