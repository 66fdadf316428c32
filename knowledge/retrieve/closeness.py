"""How near the words and sentences of a text are to those of a question, by the vectors of a package."""

import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from app.llm.embedding import WordLlama
from knowledge.retrieve.lexical import Word
from knowledge.retrieve.vectors import unit

MOST_WORDS = 300  # of one text that are compared
MOST_SENTENCES = 24
MOST_KEPT = 20_000  # words whose vectors are remembered, 20 MB
UNLIKE = 0.3  # cosine of words that have nothing to do with each other
_WORDS = re.compile(r"[^\W_]+")
_SENTENCES = re.compile(r"(?<=[.!?:])\s+|\n+")
_SHORTEST = 20  # characters of a sentence

Floats = npt.NDArray[np.float32]


class Closeness:
    """One for a process: it remembers the vectors of words. Nothing leaves the process."""

    def __init__(self) -> None:
        self._model: WordLlama | None = None
        self._rows: dict[str, int] = {}
        self._vectors = np.zeros((MOST_KEPT, 0), np.float32)

    def of_words(self, words: Sequence[Word], texts: Sequence[str]) -> list[float]:
        """Of each text, in 0..1: how near its nearest words are to those asked for, the rare ones first.
        `cheque` is near `check`, which no stem brings together.
        """
        weight = sum(word.idf for word in words)
        if not weight:
            return [0.0] * len(texts)
        asked = self._of([word.text for word in words])
        idf = np.array([word.idf for word in words], np.float32)
        found = []
        for text in texts:
            held = list(dict.fromkeys(_WORDS.findall(text.lower())))[:MOST_WORDS]
            if not held:
                found.append(0.0)
                continue
            nearest = (asked @ self._of(held).T).max(axis=1)
            found.append(float(idf @ np.clip((nearest - UNLIKE) / (1 - UNLIKE), 0, 1)) / weight)
        return found

    def of_sentences(self, question: str, texts: Sequence[str]) -> list[float]:
        """The cosine of each text's nearest sentence with the question, both as the means of their words."""
        asked = _WORDS.findall(question.lower())
        if not asked:
            return [0.0] * len(texts)
        wanted = unit(self._of(asked).sum(axis=0, keepdims=True))[0]
        return [self._nearest(wanted, text) for text in texts]

    def _nearest(self, wanted: Floats, text: str) -> float:
        parts = [_WORDS.findall(part.lower()) for part in sentences(text)]
        parts = [part[:MOST_WORDS] for part in parts if part]
        if not parts:
            return 0.0
        vectors = self._of([word for part in parts for word in part])
        starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
        return float((unit(np.add.reduceat(vectors, starts)) @ wanted).max())

    def _of(self, words: Sequence[str]) -> Floats:
        new = list(dict.fromkeys(word for word in words if word not in self._rows))
        if len(self._rows) + len(new) > MOST_KEPT:
            self._rows, new = {}, list(dict.fromkeys(words))
        if new:
            made = self._embed(new)
            if not self._vectors.shape[1]:
                self._vectors = np.zeros((MOST_KEPT, made.shape[1]), np.float32)
            first = len(self._rows)
            self._vectors[first : first + len(new)] = made
            self._rows.update({word: first + at for at, word in enumerate(new)})
        return self._vectors[[self._rows[word] for word in words]]

    def _embed(self, texts: Sequence[str]) -> Floats:
        self._model = self._model or WordLlama()
        return self._model.made(texts).vectors


def sentences(text: str) -> list[str]:
    """Those worth comparing; the whole of a text that has none."""
    parts = [part for part in _SENTENCES.split(text) if len(part) >= _SHORTEST]
    return parts[:MOST_SENTENCES] or [text]
