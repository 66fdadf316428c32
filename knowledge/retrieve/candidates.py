"""Ranks candidate chunks by keywords (BM25) and vectors, fused into one order."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from app.domain.knowledge import Chunk
from app.store.knowledge import NearChunk
from app.text.vocabulary import vocabulary
from knowledge.retrieve.index import FacetFilter, Index, Mask
from knowledge.retrieve.segment import UNITS, Segment
from knowledge.retrieve.stems import Stems, search_words

Floats = npt.NDArray[np.float32]

K1 = 1.2
B = 0.75
HEADING_WEIGHT = 6  # units: a word in the nearest heading weighs 1.5 times one in the text
TITLE_WEIGHT = 4
TEXT_WEIGHT = 4
# Pseudo-count for small libraries: IDF assumes this many further chunks, one of which contains the
# word. Otherwise every word of a single-page library would count as common.
UNSEEN = 200
MOST_WORDS = 32  # of a query; further words are ignored
_STOPWORDS = vocabulary("search.stopwords")
DEPTH = 60  # candidates per ranking
RRF_K = 5  # the constant k of reciprocal rank fusion, tuned in bench.knowledge.retrieval
LEXICAL_WEIGHT = 1.0
VECTOR_WEIGHT = 0.7


@dataclass(frozen=True, slots=True)
class Word:
    """A query word: its possible terms and its rarity."""

    text: str
    terms: frozenset[int]
    idf: float


def query_words(text: str, languages: Iterable[str], stems: Stems) -> dict[str, frozenset[int]]:
    """The content words of a query, with their terms in all languages of the documents."""
    words = list(dict.fromkeys(search_words(text)))
    content = [
        word for word in words if word not in _STOPWORDS and (len(word) > 1 or word.isdigit())
    ]
    languages = sorted(languages) or ["en"]
    words_by_terms: dict[frozenset[int], str] = {}
    for word in (content or words)[:MOST_WORDS]:
        terms = frozenset(term for language in languages for term in stems.terms(word, language))
        if terms:
            words_by_terms.setdefault(terms, word)
    return {word: terms for terms, word in words_by_terms.items()}


def weigh_words(segments: Sequence[Segment], words: Mapping[str, frozenset[int]]) -> list[Word]:
    """Words with their IDF over all chunks (Robertson and Sparck Jones, as in Lucene)."""
    total = sum(segment.size for segment in segments) + UNSEEN
    weighed = []
    for word, terms in words.items():
        holders = 1 + max(sum(len(one.postings.of(term)[0]) for one in segments) for term in terms)
        weighed.append(Word(word, terms, math.log(1 + (total - holders + 0.5) / (holders + 0.5))))
    return weighed


def bm25_scores(segments: Sequence[Segment], words: Sequence[Word]) -> list[Floats]:
    """BM25 scores of all rows, one array per segment."""
    total = sum(segment.size for segment in segments)
    mean = sum(float(segment.lengths.sum()) for segment in segments) / max(1, total)
    return [_scores(segment, words, mean) for segment in segments]


def _scores(segment: Segment, words: Sequence[Word], mean: float) -> Floats:
    scores = np.zeros(segment.size, np.float32)
    norms = np.float32(K1) * (1 - B + B * segment.lengths / np.float32(mean or 1.0))
    for word in words:
        for term in word.terms:
            rows, weights = segment.postings.of(term)
            if len(rows):
                often = weights.astype(np.float32) / UNITS
                scores[rows] += np.float32(word.idf * (K1 + 1)) * often / (often + norms[rows])
    return scores


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """`place` is as in `segment.Row`. `bm25` is the share of the maximum score of the query;
    `beside` is the larger share of its neighbors in the document.
    """

    chunk_id: str
    place: tuple[int, ...]
    bm25: float
    beside: float
    cosine: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """Weights of the two rankings; 0 disables one."""

    lexical: float = LEXICAL_WEIGHT
    vector: float = VECTOR_WEIGHT
    k: float = RRF_K


@dataclass(frozen=True, slots=True)
class Candidates:
    """Candidates, best first, with the query words."""

    words: tuple[Word, ...]
    found: tuple[Candidate, ...]


def find_candidates(
    index: Index,
    text: str,
    vector: Floats | None,
    admits: FacetFilter,
    documents: Sequence[str] = (),
    *,
    stems: Stems,
    weights: Weights = Weights(),
    nearest: Sequence[NearChunk] | None = None,
) -> Candidates:
    """Find the best visible chunks that pass the filter, within `documents` if given. `nearest`
    are the results of the server's vector search, for an index without vectors.
    """
    languages = {facet.language for facet in index.facets if facet.language}
    words = weigh_words(index.segments, query_words(text, languages, stems))
    masks = _masks(index, admits, documents)
    total = sum(segment.size for segment in index.segments)
    if not total or not any(mask.any() for mask in masks):
        return Candidates(tuple(words), ())
    mask = np.concatenate(masks)
    scores = np.where(mask, np.concatenate(bm25_scores(index.segments, words)), 0)
    closeness = np.zeros(total, np.float32)
    if vector is not None and weights.vector:
        cosines = [one.vectors.coarse_cosines(vector) for one in index.segments]
        if nearest is not None:
            cosines = [_server_cosines(index, segment, nearest) for segment in index.segments]
        closeness = np.where(mask, 1 + np.concatenate(cosines), 0)  # all positive
    fused = _fuse(scores, closeness, weights)
    best = sorted(fused, key=lambda row: -fused[row])[:DEPTH]
    most = np.float32(sum(word.idf for word in words) or 1.0)
    return Candidates(
        tuple(words),
        tuple(_candidates(index, best, (scores / most).astype(np.float32), vector)),
    )


def _server_cosines(index: Index, segment: Segment, nearest: Sequence[NearChunk]) -> Floats:
    """Cosines from the server's vector search by row; 0 for all others."""
    cosines = {one.chunk_id.encode(): one.cosine for one in nearest}
    numbers = [
        index.numbers[one.document_id] for one in nearest if one.document_id in index.numbers
    ]
    row_cosines = np.zeros(segment.size, np.float32)
    for row in np.flatnonzero(np.isin(segment.places[:, 0], np.array(numbers, np.int32))):
        row_cosines[row] = cosines.get(bytes(segment.ids[row]), 0.0)
    return row_cosines


def _fuse(scores: Floats, near: Floats, weights: Weights) -> dict[int, float]:
    """Reciprocal rank fusion: the weighted sum of 1 / (k + rank), by row."""
    fused: dict[int, float] = {}
    for values, weight in ((scores, weights.lexical), (near, weights.vector)):
        if weight:
            for rank, row in enumerate(_top(values)):
                fused[row] = fused.get(row, 0.0) + weight / (weights.k + rank + 1)
    return fused


def _top(values: Floats) -> list[int]:
    """Rows of the highest positive values, highest first."""
    count = min(DEPTH, len(values))
    rows = np.argpartition(-values, count - 1)[:count]
    rows = rows[values[rows] > 0]
    return [int(row) for row in rows[np.argsort(-values[rows], kind="stable")]]


def _masks(index: Index, admits: FacetFilter, documents: Sequence[str]) -> list[Mask]:
    admitted = np.fromiter((admits(facet) for facet in index.facets), bool, len(index.facets))
    numbers = [index.numbers[one] for one in documents if one in index.numbers]
    masks = []
    for segment, visible in zip(index.segments, index.visible, strict=True):
        mask = visible & admitted[segment.places[:, 1]]
        if documents:
            mask &= np.isin(segment.places[:, 0], numbers)
        masks.append(mask)
    return masks


def _candidates(
    index: Index,
    rows: Sequence[int],
    shares: Floats,
    vector: Floats | None,
) -> list[Candidate]:
    starts = np.cumsum([0, *(segment.size for segment in index.segments)])
    candidates = []
    for row in rows:
        which = int(np.searchsorted(starts, row, side="right")) - 1
        segment, local = index.segments[which], row - int(starts[which])
        position = np.array([local], dtype=np.intp)
        cosine = (
            0.0 if vector is None else float(segment.vectors.exact_cosines(vector, position)[0])
        )
        candidates.append(
            Candidate(
                chunk_id=segment.ids[local].decode(),
                place=tuple(int(one) for one in segment.places[local]),
                bm25=float(shares[row]),
                beside=_beside(segment.places, shares[int(starts[which]) :], local),
                cosine=cosine,
            )
        )
    return candidates


def _beside(places: npt.NDArray[np.int32], shares: Floats, row: int) -> float:
    """The larger share of the two neighboring rows; chunks of a document are stored in order."""
    neighbors = (at for at in (row - 1, row + 1) if 0 <= at < len(places))
    document, ordinal = places[row, 0], places[row, 2]
    return max(
        (
            float(shares[at])
            for at in neighbors
            if places[at, 0] == document and abs(int(places[at, 2] - ordinal)) == 1
        ),
        default=0.0,
    )


def with_exact_cosines(
    candidates: Candidates, chunks: Mapping[str, Chunk], vector: Floats, model: str
) -> Candidates:
    """Candidates with the cosines of their stored vectors, since the server reports only the nearest."""

    def cosine(candidate: Candidate) -> float:
        chunk = chunks.get(candidate.chunk_id)
        if chunk is None or chunk.model != model or not chunk.vector:
            return candidate.cosine
        return float(np.frombuffer(chunk.vector, dtype="<f4") @ vector)

    return Candidates(
        candidates.words,
        tuple(replace(candidate, cosine=cosine(candidate)) for candidate in candidates.found),
    )
