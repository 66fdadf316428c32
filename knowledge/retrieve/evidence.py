"""Features of a passage in 0..1, and the confidence derived from them."""

import math
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from importlib.resources import files
from itertools import chain
from threading import Lock

import numpy as np
import numpy.typing as npt

from app.domain.knowledge import Chunk, Confidence, Document
from app.llm.embedder import WordLlama, normalize_rows
from app.text import patterns
from knowledge.retrieve.candidates import Candidate, Word
from knowledge.retrieve.stems import Stems

MOST_WORDS = 300  # per text that are compared
MOST_SENTENCES = 24
MAX_PRODUCT = (
    200_000  # multiplications; from 262,144 OpenBLAS uses threads, which contend with each other
)
AT_ONCE = 2_000  # words compared at once: 2 MB fit in the processor's cache
MAX_CACHED = 20_000  # words with cached vectors, 20 MB
UNRELATED = 0.3  # cosine of unrelated words
_WORDS = patterns.compile(r"[^\W_]+")
_SENTENCES = patterns.compile(r"(?<=[.!?:])\s+|\n+")
_SHORTEST = 20  # characters of a sentence

Floats = npt.NDArray[np.float32]

WINDOW = 25  # words, about a sentence: the stretch searched for words of the query
WEIGHTS = "relevance.toml"  # written by bench/training/relevance.py
DEFAULT_MODEL = "wordllama-256"  # whose weights apply to models without fitted ones
HIGH, MEDIUM = 0.85, 0.5


class Closeness:
    """Computes similarities and caches word vectors; one per process. Runs locally."""

    def __init__(self) -> None:
        self._model: WordLlama | None = None
        self._rows: dict[str, int] = {}
        self._vectors = np.zeros((MAX_CACHED, 0), np.float32)
        self._lock = Lock()  # searches run in threads that share the cache

    def word_closeness(self, words: Sequence[Word], texts: Sequence[str]) -> list[float]:
        """Similarity of each text to the query words, in 0..1, weighted by rarity. Matches `cheque`
        with `check`, which stemming does not.
        """
        weight = sum(word.idf for word in words)
        if not weight:
            return [0.0] * len(texts)
        query = self._vectors_of([word.text for word in words])
        idf = np.array([word.idf for word in words], np.float32)
        word_lists = [
            list(dict.fromkeys(_WORDS.findall(text.lower())))[:MOST_WORDS] for text in texts
        ]
        closeness = [0.0] * len(texts)
        for group in _groups([len(one) for one in word_lists]):
            nearest = self._nearest_words(query, [word_lists[at] for at in group])
            shares = idf @ np.clip((nearest - UNRELATED) / (1 - UNRELATED), 0, 1) / weight
            for at, share in zip(group, shares, strict=True):
                closeness[at] = float(share)
        return closeness

    def _nearest_words(self, query: Floats, word_lists: Sequence[Sequence[str]]) -> Floats:
        """Cosine of the nearest word in each text, for each query word."""
        distinct = list(dict.fromkeys(chain.from_iterable(word_lists)))
        columns = {word: at for at, word in enumerate(distinct)}
        cosines = _cosines(query, self._vectors_of(distinct))
        positions = _numbers(columns, list(chain.from_iterable(word_lists)))
        word_cosines = cosines.take(positions, axis=1)
        return np.asarray(
            np.maximum.reduceat(word_cosines, _starts(word_lists), axis=1), dtype=np.float32
        )

    def sentence_closeness(self, question: str, texts: Sequence[str]) -> list[float]:
        """Cosine of the question with each text's nearest sentence, as means of word vectors."""
        query = _WORDS.findall(question.lower())
        closeness = [0.0] * len(texts)
        if not query:
            return closeness
        question_mean = normalize_rows(self._vectors_of(query).sum(axis=0, keepdims=True))[0]
        sentences = [_sentence_words(text) for text in texts]
        for group in _groups([sum(map(len, parts)) for parts in sentences]):
            parts = list(chain.from_iterable(sentences[at] for at in group))
            vectors = self._vectors_of(list(chain.from_iterable(parts)))
            means = normalize_rows(np.add.reduceat(vectors, _starts(parts)))
            cosines = np.einsum(
                "ij,j->i", means, question_mean
            )  # single-threaded, as in `_cosines`
            nearest = np.maximum.reduceat(cosines, _starts([sentences[at] for at in group]))
            for at, cosine in zip(group, nearest, strict=True):
                closeness[at] = float(cosine)
        return closeness

    def _vectors_of(self, words: Sequence[str]) -> Floats:
        """Vectors of the words; at most `MAX_CACHED` different ones."""
        with self._lock:
            missing = list(set(words).difference(self._rows))
            if len(self._rows) + len(missing) > MAX_CACHED:
                self._rows, missing = {}, list(set(words))
            if missing:
                self._add_vectors(missing)
            return self._vectors.take(_numbers(self._rows, words), axis=0)

    def _add_vectors(self, new: Sequence[str]) -> None:
        self._model = self._model or WordLlama()
        vectors = self._model.embed_batch(new).vectors
        if not self._vectors.shape[1]:
            self._vectors = np.zeros((MAX_CACHED, vectors.shape[1]), np.float32)
        first = len(self._rows)
        self._vectors[first : first + len(new)] = vectors
        self._rows.update({word: first + at for at, word in enumerate(new)})


def _sentence_words(text: str) -> list[list[str]]:
    lowered = text.lower()
    long = [part for part in _SENTENCES.split(lowered) if len(part) >= _SHORTEST]
    parts = (_WORDS.findall(part)[:MOST_WORDS] for part in long[:MOST_SENTENCES] or [lowered])
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


def _cosines(query: Floats, rows: Floats) -> Floats:
    """Cosines of all pairs, in products small enough to stay single-threaded."""
    step = max(1, MAX_PRODUCT // max(1, query.size))
    parts = [query @ rows[at : at + step].T for at in range(0, len(rows), step)]
    return np.asarray(np.concatenate(parts, axis=1), dtype=np.float32)


def _starts(parts: Sequence[Sequence[object]]) -> npt.NDArray[np.intp]:
    return np.cumsum([0, *map(len, parts[:-1])], dtype=np.intp)


def _numbers(numbers: Mapping[str, int], words: Sequence[str]) -> npt.NDArray[np.intp]:
    return np.fromiter(map(numbers.__getitem__, words), np.intp, len(words))


@dataclass(frozen=True, slots=True)
class Evidence:
    """`coverage`: share of the query words, weighted by rarity, in the passage or its headings.
    `bm25`, `cosine`: search scores. `alike`, `sentence`: see `Closeness`. `beside`: BM25 of
    neighboring chunks. `window`: share of the query words, weighted by rarity, within one
    stretch of the text.
    """

    coverage: float
    bm25: float
    cosine: float
    alike: float
    sentence: float
    beside: float
    window: float


@dataclass(frozen=True)
class Judge:
    """Scores passages against a question."""

    stems: Stems
    closeness: Closeness

    def evidence(
        self,
        question: str,
        words: Sequence[Word],
        passages: Sequence[tuple[Candidate, Chunk, Document]],
    ) -> list[Evidence]:
        texts = [chunk.text for _, chunk, _ in passages]
        texts_with_headings = [
            " ".join((*chunk.heading_path, chunk.text)) for _, chunk, _ in passages
        ]
        alike = self.closeness.word_closeness(words, texts_with_headings)
        sentence = self.closeness.sentence_closeness(question, texts)
        query_terms = {term for word in words for term in word.terms}
        weight = sum(word.idf for word in words) or 1.0
        results = []
        for at, (candidate, chunk, document) in enumerate(passages):
            language = chunk.language or document.language
            heading_terms = set(
                self.stems.terms(" ".join((document.title, *chunk.heading_path)), language)
            )
            places: dict[int, list[int]] = {}
            for place, term in enumerate(self.stems.terms(chunk.text, language)):
                if term in query_terms:
                    places.setdefault(term, []).append(place)
            present = heading_terms | places.keys()
            covered = [word for word in words if not present.isdisjoint(word.terms)]
            results.append(
                Evidence(
                    coverage=sum(word.idf for word in covered) / weight,
                    bm25=candidate.bm25 / 2,
                    cosine=max(0.0, candidate.cosine),
                    alike=alike[at],
                    sentence=max(0.0, sentence[at]),
                    beside=candidate.beside / 2,
                    window=_window(words, places) / weight,
                )
            )
        return results


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
        covered = {which for _, which in marks[first : bisect_right(starts, start + WINDOW)]}
        best = max(best, sum(words[which].idf for which in covered))
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
        models = tomllib.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
        values = models.get(model, models[DEFAULT_MODEL])
        factors = tuple(values["factors"][field.name] for field in fields(Evidence))
        return cls(factors, values["meaning"], values["with_size"], values["least"])

    def total(self, evidence: Evidence) -> float:
        """Log-odds score of a passage: +1 multiplies its odds of being the right one by e."""
        return float(sum(a * b for a, b in zip(self.factors, astuple(evidence), strict=True)))

    def likelihood(self, total: float, chunks: int) -> float:
        """Probability in 0..1 that the passage answers, given the number of chunks searched: the
        best of many is similar by chance.
        """
        size = math.log10(max(1, chunks))
        factor, constant = (a + size * b for a, b in zip(self.meaning, self.with_size, strict=True))
        return 1 / (1 + math.exp(-(factor * total + constant)))


def confidence_label(best: float) -> Confidence:
    return "high" if best >= HIGH else "medium" if best >= MEDIUM else "low"
