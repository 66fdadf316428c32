"""Train the classifier's network: averaged n-gram vectors, one hidden layer, Adam."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from app.authorization.assessment import EFFECTS
from app.authorization.features import BUCKETS, STRUCTURE, TEXTS, Features, gram_buckets

SIZE = 24  # dimensions of a text vector
HIDDEN = 96
_BATCH = 256
_RATE = 0.003
_DROPPED = 0.25  # dropout of whole text fields, so that no field alone decides
_DECAY = 1e-5
_AVERAGED = 0.6  # share of the steps before averaging starts
_BETWEEN = 20  # steps between two averaged ones

Array = npt.NDArray[np.float32]


@dataclass
class Corpus:
    """Samples as arrays: the text number of each field, and the flags; texts are stored once."""

    texts: sparse.csr_matrix
    places: npt.NDArray[np.int64]
    flags: sparse.csr_matrix
    effects: npt.NDArray[np.int64]
    weights: Array

    @staticmethod
    def of(samples: Sequence[tuple[Features, str, float]]) -> Corpus:
        """The corpus of (features, effect, weight)."""
        numbers: dict[str, int] = {}
        places = np.array(
            [[numbers.setdefault(text, len(numbers)) for text in f.texts] for f, _, _ in samples]
        )
        return Corpus(
            _text_rows(list(numbers)),
            places,
            _rows([f.flags for f, _, _ in samples], len(STRUCTURE)),
            np.array([EFFECTS.index(effect) for _, effect, _ in samples]),  # type: ignore[arg-type]
            np.array([weight for _, _, weight in samples], np.float32),
        )


def _rows(indices: Sequence[Sequence[int]], width: int) -> sparse.csr_matrix:
    ends = np.cumsum([0, *(len(row) for row in indices)])
    flat = np.fromiter((i for row in indices for i in row), np.int64, int(ends[-1]))
    return sparse.csr_matrix((np.ones(len(flat), np.float32), flat, ends), (len(indices), width))


def _text_rows(texts: list[str]) -> sparse.csr_matrix:
    rows = _rows([gram_buckets(text) for text in texts], BUCKETS)
    counts = np.diff(rows.indptr)
    scale = 1 / np.sqrt(np.maximum(counts, 1))
    rows.data *= np.repeat(scale, counts).astype(np.float32)
    return rows


@dataclass
class Network:
    """Parameters by name, with their Adam moments."""

    parameters: dict[str, Array]
    _first: dict[str, Array] = field(default_factory=dict)
    _second: dict[str, Array] = field(default_factory=dict)
    _steps: int = 0

    @staticmethod
    def new(chance: np.random.Generator) -> Network:
        """A network with small random parameters."""
        width = len(TEXTS) * SIZE

        def normal(scale: float, *shape: int) -> Array:
            return (chance.standard_normal(shape) * scale).astype(np.float32)

        return Network({
            "table": normal(0.01, BUCKETS, SIZE),
            "hidden": normal((2 / width) ** 0.5, width, HIDDEN),
            "flags": normal(0.1, len(STRUCTURE), HIDDEN),
            "hidden_bias": np.zeros(HIDDEN, np.float32),
            "out": normal((2 / HIDDEN) ** 0.5, HIDDEN, len(EFFECTS)),
            "out_bias": np.zeros(len(EFFECTS), np.float32),
        })  # fmt: skip

    def train(self, corpus: Corpus, epochs: int, chance: np.random.Generator) -> None:
        """Train with a decreasing rate, in an order given by `chance`; the result is the mean of the
        parameters over the last epochs, which depends less on that order.
        """
        total = len(corpus.effects)
        steps = epochs * -(-total // _BATCH)
        mean: dict[str, Array] = {}
        taken = 0
        for _ in range(epochs):
            order = chance.permutation(total)
            for start in range(0, total, _BATCH):
                rate = _RATE * max(0.02, 1 - self._steps / steps)
                self._step(corpus, order[start : start + _BATCH], rate, chance)
                if self._steps >= _AVERAGED * steps and self._steps % _BETWEEN == 0:
                    taken += 1
                    for name, own in self.parameters.items():
                        of_it = mean.setdefault(name, np.zeros_like(own))
                        of_it += (own - of_it) / taken
        self.parameters = mean or self.parameters

    def scores(self, corpus: Corpus) -> Array:
        """The probability of each effect."""
        vectors = corpus.texts @ self.parameters["table"]
        inner = self._inner(vectors[corpus.places].reshape(len(corpus.places), -1), corpus.flags)
        return _softmax(np.maximum(inner, 0) @ self.parameters["out"] + self.parameters["out_bias"])

    def _inner(self, texts: Array, flags: sparse.csr_matrix) -> Array:
        own = self.parameters
        return np.asarray(texts @ own["hidden"] + flags @ own["flags"] + own["hidden_bias"])

    def _step(
        self,
        corpus: Corpus,
        chosen: npt.NDArray[np.int64],
        rate: float,
        chance: np.random.Generator,
    ) -> None:
        own = self.parameters
        used, places = np.unique(corpus.places[chosen], return_inverse=True)
        places = places.reshape(len(chosen), -1)
        rows = corpus.texts[used]
        kept = (chance.random(places.shape) >= _DROPPED).astype(np.float32)
        kept[:, 0] = 1  # the name is never dropped
        texts = (rows @ own["table"])[places] * kept[:, :, None]
        flat = texts.reshape(len(chosen), -1)
        flags = corpus.flags[chosen]
        inner = self._inner(flat, flags)
        active = np.maximum(inner, 0)
        wrong = _softmax(active @ own["out"] + own["out_bias"])
        wrong[np.arange(len(chosen)), corpus.effects[chosen]] -= 1
        wrong *= (corpus.weights[chosen] / corpus.weights[chosen].sum())[:, None]
        back = (wrong @ own["out"].T) * (inner > 0)
        spread = (back @ own["hidden"].T).reshape(texts.shape) * kept[:, :, None]
        of_texts = np.zeros((len(used), SIZE), np.float32)
        np.add.at(of_texts, places.ravel(), spread.reshape(-1, SIZE))
        self._update({
            "table": rows.T @ of_texts, "hidden": flat.T @ back, "flags": flags.T @ back,
            "hidden_bias": back.sum(0), "out": active.T @ wrong, "out_bias": wrong.sum(0),
        }, rate)  # fmt: skip

    def _update(self, gradients: dict[str, Any], rate: float) -> None:
        self._steps += 1
        for name, gradient in gradients.items():
            own = self.parameters[name]
            step = np.asarray(gradient, np.float32) + _DECAY * own
            first = self._first.setdefault(name, np.zeros_like(own))
            second = self._second.setdefault(name, np.zeros_like(own))
            first += 0.1 * (step - first)
            second += 0.001 * (step * step - second)
            corrected = rate * (1 - 0.999**self._steps) ** 0.5 / (1 - 0.9**self._steps)
            own -= corrected * first / (np.sqrt(second) + 1e-8)


def _softmax(scores: Array) -> Array:
    odds = np.exp(scores - scores.max(1, keepdims=True))
    return np.asarray(odds / odds.sum(1, keepdims=True), np.float32)
