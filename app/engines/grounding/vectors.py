"""Embeddings of labels, kept in one bounded matrix."""

from collections.abc import Sequence
from threading import Lock

import numpy as np

from app.engines.grounding.port import Embedder, Vectors

CAPACITY = 8_192  # rows; four trees of the largest size allowed, 8 MB at 256 dimensions


class LabelVectors:
    """Unit vectors by text, for any thread. When full, the oldest half of the rows is given up."""

    def __init__(self, embedder: Embedder, capacity: int = CAPACITY) -> None:
        self._embedder = embedder
        self._capacity = capacity
        self._turn = Lock()
        self._rows: dict[str, int] = {}
        self._free = list(range(capacity))
        self._matrix: Vectors = np.zeros((capacity, embedder.dimensions), dtype=np.float32)

    def cosines(self, phrase: str, texts: Sequence[str]) -> Vectors:
        """The cosine of `phrase` with each text; shape (len(texts),)."""
        wanted = [phrase, *texts]
        if len(set(wanted)) > self._capacity:
            direct = self._embedder.embed(wanted)
            return np.asarray(direct[1:] @ direct[0], dtype=np.float32)
        with self._turn:
            self._learn(wanted)
            rows = self._matrix[[self._rows[text] for text in wanted]]
        return np.asarray(rows[1:] @ rows[0], dtype=np.float32)

    def _learn(self, texts: Sequence[str]) -> None:
        unknown = list(dict.fromkeys(text for text in texts if text not in self._rows))
        if not unknown:
            return
        if len(self._rows) + len(unknown) > self._capacity:
            self._forget(set(texts), len(unknown))
            unknown = list(dict.fromkeys(text for text in texts if text not in self._rows))
        at = [self._free.pop() for _ in unknown]
        self._matrix[at] = self._embedder.embed(unknown)
        self._rows.update(zip(unknown, at, strict=True))

    def _forget(self, needed: set[str], coming: int) -> None:
        """Give up the oldest rows that are not needed now: half of all, more if that many come."""
        old = [text for text in self._rows if text not in needed]
        excess = len(self._rows) + coming - self._capacity
        for text in old[: max(excess, len(old) // 2)]:
            self._free.append(self._rows.pop(text))
