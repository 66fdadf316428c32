"""What speaks for a passage, as numbers in 0..1, and how sure that makes one."""

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

WINDOW = 25  # words: about a sentence, in which as many as can be of the query's are looked for
WEIGHTS = "relevance.toml"  # written by bench/training/relevance.py
USUAL = "wordllama-256"  # whose weights serve a model that none were fitted for
HIGH, MEDIUM = 0.85, 0.5


@dataclass(frozen=True, slots=True)
class Evidence:
    """`coverage`: of the query's words, by their rarity, the part that the passage or its headings hold;
    `bm25` and `cosine` of the search; `alike` and `sentence`: how near its words and its best sentence are,
    see `Closeness`; `beside`: BM25 of the chunks next to it; `window`: by their rarity, the part of the
    query's words that one stretch holds.
    """

    coverage: float
    bm25: float
    cosine: float
    alike: float
    sentence: float
    beside: float
    window: float


class Judge:
    """Weighs passages against a question."""

    def __init__(self, stems: Stems, closeness: Closeness) -> None:
        self._stems = stems
        self._closeness = closeness

    def evidence(
        self,
        question: str,
        words: Sequence[Word],
        passages: Sequence[tuple[Candidate, Chunk, Document]],
    ) -> list[Evidence]:
        """What speaks for each passage as the answer to a question of these words."""
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
    """The rarities of the words in the stretch of `WINDOW` words that holds most, together."""
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
    """How likely evidence makes it that a passage answers, as fitted on questions with and without an answer:
    `factors` in the order of `Evidence`; `meaning` of their sum (factor, constant), and by how much of each
    it is more where there are more chunks. Where the best passage is below `least` nothing is relevant.
    """

    factors: tuple[float, ...]
    meaning: tuple[float, float]
    with_size: tuple[float, float]
    least: float

    @classmethod
    def load(cls, model: str) -> "Relevance":
        """As fitted to the vectors of this model."""
        fitted = tomllib.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
        found = fitted.get(model, fitted[USUAL])
        factors = tuple(found["factors"][field.name] for field in fields(Evidence))
        return cls(factors, found["meaning"], found["with_size"], found["least"])

    def total(self, found: Evidence) -> float:
        """What speaks for a passage; one that has 1 more is `e` times as likely to be the right one."""
        return float(sum(a * b for a, b in zip(self.factors, astuple(found), strict=True)))

    def likelihood(self, total: float, chunks: int) -> float:
        """In 0..1, that it answers, being one of so many chunks: the best of many is alike by chance."""
        size = math.log10(max(1, chunks))
        factor, constant = (a + size * b for a, b in zip(self.meaning, self.with_size, strict=True))
        return 1 / (1 + math.exp(-(factor * total + constant)))


def confidence_label(best: float) -> Confidence:
    """What the relevance of the best passage is called."""
    return "high" if best >= HIGH else "medium" if best >= MEDIUM else "low"
