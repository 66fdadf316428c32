"""Features of a passage in 0..1, and the confidence derived from them."""

import math
import tomllib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from importlib.resources import files

from app.domain.knowledge import Chunk, Confidence, Document
from knowledge.retrieve.candidates import Candidate, Word
from knowledge.retrieve.closeness import Closeness
from knowledge.retrieve.stems import Stems

WINDOW = 25  # words, about a sentence: the stretch searched for words of the query
WEIGHTS = "relevance.toml"  # written by bench/training/relevance.py
USUAL = "wordllama-256"  # whose weights apply to models without fitted ones
HIGH, MEDIUM = 0.85, 0.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """Features of a passage.

    `coverage`: share of the query words, weighted by rarity, in the passage or its headings.
    `bm25`, `cosine`: search scores. `alike`, `sentence`: see `Closeness`. `beside`: BM25 of
    neighboring chunks. `window`: share of the query words, weighted by rarity, within one stretch
    of the text.
    """

    coverage: float
    bm25: float
    cosine: float
    alike: float
    sentence: float
    beside: float
    window: float


class Judge:
    """Scores passages against a question."""

    def __init__(self, stems: Stems, closeness: Closeness) -> None:
        self._stems = stems
        self._closeness = closeness

    def evidence(
        self,
        question: str,
        words: Sequence[Word],
        passages: Sequence[tuple[Candidate, Chunk, Document]],
    ) -> list[Evidence]:
        """Features of each passage as an answer to the question."""
        texts = [chunk.text for _, chunk, _ in passages]
        whole = [" ".join((*chunk.heading_path, chunk.text)) for _, chunk, _ in passages]
        alike = self._closeness.word_closeness(words, whole)
        sentence = self._closeness.sentence_closeness(question, texts)
        return [
            self._one(words, *passage, alike[at], sentence[at])
            for at, passage in enumerate(passages)
        ]

    def _one(
        self,
        words: Sequence[Word],
        candidate: Candidate,
        chunk: Chunk,
        document: Document,
        alike: float,
        sentence: float,
    ) -> Evidence:
        language = chunk.language or document.language
        above = set(self._stems.terms(" ".join((document.title, *chunk.heading_path)), language))
        places: dict[int, list[int]] = {}
        asked = {term for word in words for term in word.terms}
        for at, term in enumerate(self._stems.terms(chunk.text, language)):
            if term in asked:
                places.setdefault(term, []).append(at)
        weight = sum(word.idf for word in words) or 1.0
        held = [one for one in words if any(term in places or term in above for term in one.terms)]
        return Evidence(
            coverage=sum(word.idf for word in held) / weight,
            bm25=candidate.bm25 / 2,
            cosine=max(0.0, candidate.cosine),
            alike=alike,
            sentence=max(0.0, sentence),
            beside=candidate.beside / 2,
            window=_window(words, places) / weight,
        )


def _window(words: Sequence[Word], places: dict[int, list[int]]) -> float:
    """Highest total rarity of the words within any stretch of `WINDOW` words."""
    marks = sorted(
        {
            (at, which)
            for which, word in enumerate(words)
            for term in word.terms
            for at in places.get(term, ())
        }
    )
    starts = [at for at, _ in marks]
    best = 0.0
    for first, start in enumerate(starts):
        held = {which for _, which in marks[first : bisect_right(starts, start + WINDOW)]}
        best = max(best, sum(words[which].idf for which in held))
    return best


@dataclass(frozen=True, slots=True)
class Relevance:
    """Maps features to the probability that a passage answers, fitted on questions with and without
    answers.

    `factors` are in the order of `Evidence`. `meaning` holds slope and intercept of the logit, and
    the change of each with the number of chunks. If the best passage is below `least`, nothing is
    relevant.
    """

    factors: tuple[float, ...]
    meaning: tuple[float, float]
    with_size: tuple[float, float]
    least: float

    @classmethod
    def load(cls, model: str) -> "Relevance":
        """Load the weights fitted for this embedding model."""
        fitted = tomllib.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
        found = fitted.get(model, fitted[USUAL])
        factors = tuple(found["factors"][field.name] for field in fields(Evidence))
        return cls(factors, found["meaning"], found["with_size"], found["least"])

    def total(self, found: Evidence) -> float:
        """Log-odds score of a passage: +1 multiplies its odds of being the right one by e."""
        return float(sum(a * b for a, b in zip(self.factors, astuple(found), strict=True)))

    def likelihood(self, total: float, chunks: int) -> float:
        """Probability in 0..1 that the passage answers, given the number of chunks searched: the
        best of many is similar by chance.
        """
        size = math.log10(max(1, chunks))
        factor, constant = (a + size * b for a, b in zip(self.meaning, self.with_size, strict=True))
        return 1 / (1 + math.exp(-(factor * total + constant)))


def confidence_label(best: float) -> Confidence:
    """Confidence label for the relevance of the best passage."""
    return "high" if best >= HIGH else "medium" if best >= MEDIUM else "low"
