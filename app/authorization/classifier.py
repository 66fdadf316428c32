"""Classifies the effect of pressing a control, by a small network (`make train`)."""

from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from app.authorization.features import BUCKETS, Features, features_of, gram_buckets
from app.domain.page import Node, Observation

Effect = Literal["harmless", "deletes", "pays", "sends", "grants"]
EFFECTS: tuple[Effect, ...] = get_args(Effect)
WEIGHTS = "weights.npz"
_REMEMBERED = 8_192  # texts whose vectors are kept

Vector = npt.NDArray[np.float32]


class Judgement(NamedTuple):
    """The most likely effect of a press, and the probability of each of `EFFECTS`.

    `consequential`: the probability of any effect but harmless reaches the threshold chosen in
    training.
    """

    effect: Effect
    probabilities: tuple[float, ...]
    consequential: bool


def classify_press(node: Node, page: Observation, choice: str = "") -> Judgement:
    """Classify a press of `node` on `page`; `choice` is an option to be chosen in it.

    Deterministic; about a third of a millisecond on a page of 500 controls.
    """
    return weights().judge(features_of(node, page, choice))


class Weights:
    """The network: each text is the mean of its n-gram vectors, followed by one hidden layer."""

    def __init__(self, arrays: dict[str, Any]) -> None:
        self._table = _table_of(arrays)
        self._hidden = arrays["hidden"].astype(np.float32)
        self._hidden_bias = arrays["hidden_bias"].astype(np.float32)
        self._flags = arrays["flags"].astype(np.float32)
        self._out = arrays["out"].astype(np.float32)
        self._out_bias = arrays["out_bias"].astype(np.float32)
        self.threshold = float(arrays["threshold"])
        self.data_checksum = str(arrays["data_checksum"])
        self._vector = lru_cache(maxsize=_REMEMBERED)(self._embed)

    def judge(self, features: Features) -> Judgement:
        """Judge one control."""
        texts = np.concatenate([self._vector(text) for text in features.texts])
        inner = texts @ self._hidden + self._flags[list(features.flags)].sum(0) + self._hidden_bias
        scores = np.maximum(inner, 0) @ self._out + self._out_bias
        odds = np.exp(scores - scores.max())
        probabilities = tuple(float(p) for p in odds / odds.sum())
        consequential = 1 - probabilities[0] >= self.threshold
        graver = max(range(1, len(EFFECTS)), key=probabilities.__getitem__)
        return Judgement(EFFECTS[graver if consequential else 0], probabilities, consequential)

    def _embed(self, text: str) -> Vector:
        found = gram_buckets(text)
        if not found:
            return np.zeros(self._table.shape[1], np.float32)
        total = self._table[list(found)].sum(0, dtype=np.float32)
        return np.asarray(total / np.sqrt(len(found)), np.float32)


def _table_of(arrays: dict[str, Any]) -> npt.NDArray[np.float16]:
    """Return the vector of each bucket: product-quantized for the most informative, zero for
    others.
    """
    codes, codebooks = arrays["codes"], arrays["codebooks"]
    parts = [book[codes[:, at]] for at, book in enumerate(codebooks)]
    table = np.zeros((BUCKETS, codebooks.shape[0] * codebooks.shape[2]), np.float16)
    table[np.unpackbits(arrays["kept"], count=BUCKETS).astype(bool)] = np.hstack(parts)
    return table


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Load the shipped weights at first use."""
    content = files("app.authorization").joinpath(WEIGHTS).read_bytes()
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return Weights(dict(arrays))
