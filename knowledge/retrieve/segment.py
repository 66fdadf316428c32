"""An immutable segment of a tenant's index: an inverted index and vectors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from app.llm.embedder import normalize_rows

Floats = npt.NDArray[np.float32]

COARSE = 256  # leading dimensions, compared first: models are trained so that these carry most
_STEPS = 127.0
MOST_ROWS = 16_384  # per segment; a merge takes about 0.2 s, and row numbers have 16 bits
UNITS = 4  # weights are stored in quarters, up to 255; a word in the text weighs 1


@dataclass(frozen=True, slots=True)
class Vectors:
    """`coarse`: the first `COARSE` dimensions, normalized. `fine`: all dimensions in 8 bits
    with a step size, if there are more. A row of zeros has no vector; with 0 dimensions the
    server searches vectors.
    """

    coarse: Floats
    fine: npt.NDArray[np.int8]
    steps: Floats

    @classmethod
    def of(cls, vectors: Sequence[Floats | None], dimensions: int) -> "Vectors":
        """Build from one vector per row; None for a chunk embedded by another model."""
        whole = np.zeros((len(vectors), dimensions), np.float32)
        for at, vector in enumerate(vectors):
            if vector is not None and len(vector) == dimensions:
                whole[at] = vector
        if dimensions <= COARSE:
            return cls(whole, np.zeros((len(vectors), 0), np.int8), np.zeros(0, np.float32))
        steps = np.abs(whole).max(axis=1, initial=0.0) / _STEPS
        fine = np.rint(whole / np.where(steps > 0, steps, 1.0)[:, None]).astype(np.int8)
        return cls(normalize_rows(whole[:, :COARSE]), fine, steps.astype(np.float32))

    @property
    def bytes(self) -> int:
        return int(self.coarse.nbytes + self.fine.nbytes + self.steps.nbytes)

    def coarse_cosines(self, query: Floats) -> Floats:
        """Approximate cosine of every row with the query, by the leading dimensions."""
        if not self.coarse.shape[1]:
            return np.zeros(len(self.coarse), np.float32)
        # As fast as BLAS for one query, without its threads, which contend on a busy machine.
        return np.asarray(
            np.einsum("ij,j->i", self.coarse, normalize_rows(query[None, :COARSE])[0]),
            dtype=np.float32,
        )

    def exact_cosines(self, query: Floats, rows: npt.NDArray[np.intp]) -> Floats:
        """Cosine of these rows with the query, by all dimensions."""
        if not self.coarse.shape[1]:
            return np.zeros(len(rows), np.float32)
        if not self.fine.shape[1]:
            return np.asarray(self.coarse[rows] @ query, dtype=np.float32)
        whole = self.fine[rows].astype(np.float32) @ query
        return np.asarray(whole * self.steps[rows], dtype=np.float32)

    def select(self, used: npt.NDArray[np.bool_]) -> "Vectors":
        steps = self.steps[used] if len(self.steps) else self.steps
        return Vectors(self.coarse[used], self.fine[used], steps)

    @classmethod
    def concatenate(cls, parts: Sequence["Vectors"]) -> "Vectors":
        return cls(
            np.concatenate([part.coarse for part in parts]),
            np.concatenate([part.fine for part in parts]),
            np.concatenate([part.steps for part in parts]),
        )


Ints = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`weights`: one per term, in `UNITS`. `place`: (document number, facet number,
    ordinal, start, end, page, last page); pages are 0 if unknown.
    """

    chunk_id: str
    place: tuple[int, int, int, int, int, int, int]
    terms: npt.NDArray[np.int64]
    weights: npt.NDArray[np.uint8]
    vector: npt.NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Postings:
    """Rows of `terms[i]`, which are sorted: `rows[offsets[i]:offsets[i + 1]]`; so are weights."""

    terms: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.uint32]
    rows: npt.NDArray[np.uint16]
    weights: npt.NDArray[np.uint8]

    @property
    def bytes(self) -> int:
        arrays = (self.terms, self.offsets, self.rows, self.weights)
        return sum(array.nbytes for array in arrays)

    def of(self, term: int) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
        """Rows that contain the term, in order, and its weight in each."""
        at = int(np.searchsorted(self.terms, term))
        if at >= len(self.terms) or self.terms[at] != term:
            return self.rows[:0], self.weights[:0]
        low, high = int(self.offsets[at]), int(self.offsets[at + 1])
        return self.rows[low:high], self.weights[low:high]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Chunks by row. `lengths` are their weighted word counts."""

    ids: npt.NDArray[np.bytes_]
    places: Ints  # n x 7, as in `Row`
    lengths: Floats
    postings: Postings
    vectors: Vectors

    @property
    def size(self) -> int:
        return len(self.lengths)

    @property
    def bytes(self) -> int:
        own = self.ids.nbytes + self.places.nbytes + self.lengths.nbytes
        return own + self.postings.bytes + self.vectors.bytes


def build_segment(rows: Sequence[Row], dimensions: int) -> Segment:
    counts = [len(row.terms) for row in rows]
    terms = np.concatenate([np.zeros(0, np.int64), *(row.terms for row in rows)])
    weights = np.concatenate([np.zeros(0, np.uint8), *(row.weights for row in rows)])
    holders = np.repeat(np.arange(len(rows), dtype=np.uint16), counts)
    lengths = np.zeros(len(rows), np.float32)
    np.add.at(lengths, holders, weights.astype(np.float32) / UNITS)
    return Segment(
        ids=np.array([row.chunk_id.encode() for row in rows], dtype=np.bytes_),
        places=np.array([row.place for row in rows], dtype=np.int32).reshape(len(rows), 7),
        lengths=lengths,
        vectors=Vectors.of([row.vector for row in rows], dimensions),
        postings=_invert(terms, holders, weights),
    )


def merge_segments(parts: Sequence[tuple[Segment, npt.NDArray[np.bool_]]]) -> Segment:
    terms, holders, weights, first = [], [], [], 0
    for segment, used in parts:
        new_rows = first + np.cumsum(used) - 1
        postings = segment.postings
        is_used = used[postings.rows]
        terms.append(np.repeat(postings.terms, np.diff(postings.offsets))[is_used])
        holders.append(new_rows[postings.rows[is_used]].astype(np.uint16))
        weights.append(postings.weights[is_used])
        first += int(used.sum())
    return Segment(
        ids=np.concatenate([segment.ids[used] for segment, used in parts]),
        places=np.concatenate([segment.places[used] for segment, used in parts]),
        lengths=np.concatenate([segment.lengths[used] for segment, used in parts]),
        vectors=Vectors.concatenate([segment.vectors.select(used) for segment, used in parts]),
        postings=_invert(np.concatenate(terms), np.concatenate(holders), np.concatenate(weights)),
    )


def _invert(
    terms: npt.NDArray[np.int64], holders: npt.NDArray[np.uint16], weights: npt.NDArray[np.uint8]
) -> Postings:
    """Sort by term, then row; duplicate terms in a row are summed."""
    order = np.argsort(terms, kind="stable")
    terms, holders, weights = terms[order], holders[order], weights[order]
    new = np.ones(len(terms), dtype=bool)
    new[1:] = (terms[1:] != terms[:-1]) | (holders[1:] != holders[:-1])
    starts = np.flatnonzero(new)
    if len(starts) < len(terms):
        sums = np.add.reduceat(weights.astype(np.uint32), starts)
        terms, holders, weights = (
            terms[starts],
            holders[starts],
            np.minimum(sums, 255).astype(np.uint8),
        )
    firsts = np.flatnonzero(np.r_[True, terms[1:] != terms[:-1]]) if len(terms) else starts
    return Postings(
        terms=terms[firsts],
        offsets=np.r_[firsts, len(terms)].astype(np.uint32),
        rows=holders,
        weights=weights,
    )
