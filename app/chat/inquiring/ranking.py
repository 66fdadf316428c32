"""The sentences of passages by how well they answer a question."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from app.chat.evidence import Sentence, sentences_of
from app.chat.evidence.wording import root, tells, tongue, words_of
from app.chat.inquiring.question import Question
from app.chat.inquiring.wanting import asks_for_code, wanted
from app.domain.chat import Evidence
from app.engines.embedder import Embedder

# What speaks for a sentence. Set on the tuning questions of bench/knowledge_retrieval.py.
COVERS, MEANS, KIND, PASSAGE = 1.0, 0.5, 0.1, 0.5
ABOVE, NEIGHBOUR, BEFORE = (
    0.4,
    0.35,
    0.5,
)  # what a word counts in a heading, the sentence before; of earlier talk
LONG, SHORT = 60, 4  # words
UNSHAPELY = 0.5  # taken off a sentence that is too long or short, or a question itself
SURELY_NOT = 1e-4  # no search is surer
CLOSER = 6  # sentences of a passage whose meaning is looked at
MOST = 400  # sentences that are looked at


@dataclass(frozen=True, slots=True)
class Ranked:
    """A sentence with its worth; `covers` in 0..1 is the part of the question's words it has, by rarity, what
    stands above it included; `fits`: it is of the kind that the question wants.
    """

    sentence: Sentence
    worth: float
    covers: float
    fits: bool


@dataclass(frozen=True, slots=True)
class Weighing:
    """The question's stems, each with how rare it is in the passages."""

    weights: dict[str, float]
    language: str

    def share(self, text: str) -> float:
        """The part of the question's words that a text has, by rarity, in 0..1."""
        total = sum(self.weights.values())
        here = roots(text, self.language)
        return sum(weight for stem, weight in self.weights.items() if stem in here) / (total or 1.0)


def weighed(question: Question, passages: Sequence[Evidence]) -> Weighing:
    """How much each word of the question weighs among these passages."""
    sentences = [one for passage in passages for one in sentences_of(passage)][:MOST]
    language = tongue(question.query)
    return Weighing(_weights(question, sentences, language), language)


def ranked(
    question: Question, passages: Sequence[Evidence], embedder: Embedder | None = None
) -> list[Ranked]:
    """Best first."""
    sentences = [one for passage in passages for one in sentences_of(passage)][:MOST]
    if not sentences:
        return []
    language = tongue(question.query)
    weights = _weights(question, sentences, language)
    kinds = wanted(question.own)
    covered: list[tuple[float, Sentence]] = []
    for at, one in enumerate(sentences):
        before = sentences[at - 1] if at and sentences[at - 1].evidence is one.evidence else None
        covered.append((_covered(one, before, weights, language), one))
    likely = _likely(covered)
    near = _nearness(question.query, [one for _, one in likely], embedder)
    found = []
    for at, (covers, one) in enumerate(likely):
        fits = sum(shows(one) for shows in kinds) / len(kinds) if kinds and covers else 0.0
        worth = (
            COVERS * covers + MEANS * near[at] + KIND * fits + PASSAGE * odds(one.evidence.score)
        )
        off = _unshapely(one, coded=asks_for_code(question.own))
        found.append(Ranked(one, worth - off, covers, not kinds or fits > 0))
    return sorted(found, key=lambda one: -one.worth)


def _likely(covered: list[tuple[float, Sentence]]) -> list[tuple[float, Sentence]]:
    """Of each passage those that say most of what is asked; the rest is looked at no closer."""
    of: dict[str, list[tuple[float, Sentence]]] = {}
    for covers, one in covered:
        of.setdefault(one.evidence.ref, []).append((covers, one))
    return [
        pair
        for some in of.values()
        for pair in sorted(some, key=lambda pair: (-pair[0], pair[1].number))[:CLOSER]
    ]


def odds(score: float) -> float:
    """The logarithm of the odds of what a search found: 0.98 is as far from 0.9 as 0.9 from 0.65."""
    kept = min(max(score, SURELY_NOT), 1 - SURELY_NOT)
    return math.log(kept / (1 - kept))


@lru_cache(maxsize=8_192)
def roots(text: str, language: str) -> frozenset[str]:
    """The stems of the words that tell something."""
    return frozenset(root(word, language) for word in words_of(text) if tells(word))


def _weights(question: Question, sentences: Sequence[Sentence], language: str) -> dict[str, float]:
    """The question's stems by how rare they are in these sentences; those of earlier talk count less."""
    own, before = roots(question.content, language), roots(question.before, language)
    held = Counter(stem for one in sentences for stem in roots(one.text, language) & (own | before))
    total = len(sentences)
    rarity = {stem: math.log(1 + total / (0.5 + held[stem])) for stem in own | before}
    return {stem: rare * (1 if stem in own else BEFORE) for stem, rare in rarity.items()}


def _covered(
    one: Sentence, before: Sentence | None, weights: dict[str, float], language: str
) -> float:
    total = sum(weights.values())
    if not total:
        return 0.0
    here = roots(one.text, language)
    evidence = one.evidence
    above = roots(" ".join((evidence.title, *evidence.heading_path)), language)
    beside = roots(before.text, language) if before else frozenset()
    return (
        sum(
            weight
            * (
                1.0
                if stem in here
                else ABOVE
                if stem in above
                else NEIGHBOUR
                if stem in beside
                else 0.0
            )
            for stem, weight in weights.items()
        )
        / total
    )


def _nearness(
    question: str, sentences: Sequence[Sentence], embedder: Embedder | None
) -> list[float]:
    """How near in meaning each is, in 0..1; 0 where nothing can tell."""
    if embedder is None:
        return [0.0] * len(sentences)
    vectors = np.asarray(embedder.embed([question, *(one.text[:500] for one in sentences)]))
    lengths = np.linalg.norm(vectors, axis=1)
    lengths[lengths == 0] = 1.0
    unit = vectors / lengths[:, None]
    return [max(0.0, float(value)) for value in unit[1:] @ unit[0]]


def _unshapely(one: Sentence, *, coded: bool) -> float:
    count = len(one.text.split())
    off = count > LONG or (count < SHORT and one.kind in ("prose", "item"))
    off = off or (one.kind == "code" and not coded)
    return UNSHAPELY * (off + one.text.rstrip().endswith("?"))
