"""Trains the classifier from `tests/data/controls` and writes its weights: `make train`."""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.cluster.vq import kmeans2

from app.authorization.assessment import EFFECTS, WEIGHTS
from app.authorization.features import TEXTS, Features, features_of
from bench.training import composition
from bench.training.network import Array, Corpus, Network
from bench.training.samples import DATA, Sample, checksum, pages, written

SEED = 20
EPOCHS = 8
THRESHOLD = 0.3  # minimum probability of a consequence
_WEIGHT = {"written": 6.0, "pages": 2.0, "composed": 1.0}
_GRAVER = 1.5  # weight of consequential samples: a missed one costs more than a question
_VEILED = 0.2  # share of controls also learned in an unknown language
_LETTERS = (
    *range(0x61, 0x7B),
    *range(0x3B1, 0x3CA),
    *range(0x430, 0x450),
)  # Latin, Greek, Cyrillic
_KEPT = 44_000  # buckets with shipped vectors
_CODED = 4  # vector components encoded by one byte
_ROUNDS = 12  # iterations of the codebook's clustering
_REPEATED = 3  # how often the same control of the same application is used
TARGET = Path(__file__).parents[2] / "app" / "authorization" / WEIGHTS


def samples() -> Iterator[tuple[Sample, float]]:
    """All labelled controls with their weight."""
    for sample in written(DATA / "written.txt"):
        yield sample, _WEIGHT["written"]
    seen: Counter[tuple[str, ...]] = Counter()
    for page in pages(DATA / "pages.jsonl"):
        for sample in page:
            node = sample.node
            key = (sample.source, sample.language, node.role, node.name, node.group, sample.effect)
            seen[key] += 1
            if sample.consequential or seen[key] <= _REPEATED:
                yield sample, _WEIGHT["pages"]
    phrases = composition.phrases(DATA / "phrases.tsv")
    for messages in composition.load(DATA / "messages.jsonl"):
        chance = random.Random(f"{SEED} {messages.language}")
        for sample in composition.compose(messages, chance):
            yield sample, _WEIGHT["composed"]
        if messages.language in phrases:
            for sample in composition.command(phrases[messages.language], messages, chance):
                yield sample, _WEIGHT["composed"]


def veil_features(features: Features, chance: random.Random) -> Features:
    """The same control in an unknown language: each letter is replaced, except in the address."""
    letters = sorted({letter for text in features.texts for letter in text if letter.isalpha()})
    table = str.maketrans({letter: chr(chance.choice(_LETTERS)) for letter in letters})
    return Features(
        tuple(
            text if name == "address" else text.translate(table)
            for name, text in zip(TEXTS, features.texts, strict=True)
        ),
        features.flags,
    )


def rows() -> list[tuple[Features, str, float]]:
    """The training rows: features, effect, weight; some controls are repeated veiled."""
    found = []
    chance = random.Random(SEED)
    for sample, weight in samples():
        features = features_of(sample.node, sample.page, sample.choice)
        weight *= _GRAVER if sample.consequential else 1
        found.append((features, sample.effect, weight))
        if chance.random() < _VEILED:
            found.append((veil_features(features, chance), sample.effect, weight))
    return found


def quantize_table(table: Array, texts: sparse.csr_matrix) -> dict[str, np.ndarray[Any, Any]]:
    """Quantize the table for the classifier: which buckets are kept, their codes, and the codebook. Kept
    are buckets with long vectors that occur in many texts.
    """
    spread = np.bincount(texts.indices, minlength=len(table))
    tells = np.linalg.norm(table, axis=1) * np.log1p(spread)
    kept = np.zeros(len(table), bool)
    kept[np.argsort(-tells)[:_KEPT]] = True
    codes, books = [], []
    for start in range(0, table.shape[1], _CODED):
        part = table[kept, start : start + _CODED]
        book, code = kmeans2(part, 256, iter=_ROUNDS, minit="++", rng=np.random.default_rng(SEED))
        books.append(book)
        codes.append(code)
    return {
        "kept": np.packbits(kept),
        "codes": np.stack(codes, axis=1).astype(np.uint8),
        "codebooks": np.stack(books).astype(np.float16),
    }


def main() -> None:
    """Train and write the weights."""
    began = time.monotonic()
    found = rows()
    corpus = Corpus.of(found)
    counts = np.bincount(corpus.effects, minlength=len(EFFECTS))
    print(
        f"{len(found)} controls in {time.monotonic() - began:.0f} s:",
        dict(zip(EFFECTS, counts.tolist(), strict=True)),
    )
    chance = np.random.default_rng(SEED)
    network = Network.new(chance)
    network.train(corpus, EPOCHS, chance)
    own = network.parameters
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET
    np.savez_compressed(
        target, threshold=THRESHOLD, data_checksum=checksum(), **quantize_table(own["table"], corpus.texts),
        **{name: own[name].astype(np.float16) for name in own if name != "table"},
    )  # fmt: skip
    print(f"{target}: {target.stat().st_size / 1e3:.0f} kB in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
