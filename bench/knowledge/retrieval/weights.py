"""Fit the weights of the evidence in `knowledge/retrieve/evidence.py`, so that the right candidate of a
question ranks first.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import softmax

from bench.knowledge.retrieval.corpus import TENANT
from bench.knowledge.retrieval.questions import Question, plain
from knowledge.retrieve.candidates import Weights, find_candidates
from knowledge.retrieve.evidence import Evidence
from knowledge.retrieve.index import Index
from knowledge.retrieve.passages import Passage, drop_duplicates, join_neighbours
from knowledge.retrieve.retriever import MAX_READ, WEIGHTS, Retriever, _passage
from tests.unit.knowledge.retrieve.memory_store import Documents

Floats = npt.NDArray[np.float64]
SMALL = 0.1  # regularization, in units of the evidence's standard deviation
NAMES = tuple(field.name for field in fields(Evidence))


@dataclass(frozen=True, slots=True)
class QuestionEvidence:
    """The evidence a search found for a question, and which of it is the answer."""

    question: Question
    passages: tuple[Passage, ...]
    rows: Floats
    right: npt.NDArray[np.bool_]
    chunks: int

    def rank(self, weights: Floats, columns: Sequence[int]) -> int | None:
        """The rank of the answer with these weights, after deduplication and merging of neighbours."""
        if not self.passages:
            return None
        sums = self.rows[:, columns] @ weights
        ordered = [self.passages[at] for at in np.argsort(-sums, kind="stable")]
        kept = join_neighbours(drop_duplicates(ordered))
        answered = (
            at
            for at, one in enumerate(kept)
            if self.question.answered(one.document.key, plain(one.text))
        )
        return next(answered, None)


def collect_evidence(
    retriever: Retriever,
    documents: Documents,
    index: Index,
    question: Question,
    weights: Weights = WEIGHTS,
    tenant: str = TENANT,
) -> QuestionEvidence:
    """The evidence for a question when candidates are selected with these weights."""
    vector = retriever._vector(question.text)
    found = find_candidates(
        index, question.text, vector, lambda facet: True, stems=retriever._stems, weights=weights
    )
    known = [
        (one, documents.stored[(tenant, one.chunk_id)], index.document(one.place[0]))
        for one in found.found[:MAX_READ]
    ]
    rows = retriever._judge.evidence(question.text, found.words, known) if known else []
    right = [question.answered(document.key, plain(chunk.text)) for _, chunk, document in known]
    return QuestionEvidence(
        question,
        tuple(_passage(*one, 0.0) for one in known),
        np.array([astuple(row) for row in rows]).reshape(len(rows), len(NAMES)),
        np.array(right, dtype=bool),
        index.chunks,
    )


def fit_ordering(found: Sequence[QuestionEvidence], columns: Sequence[int]) -> Floats:
    """Fit weights for these kinds of evidence, from questions whose answer was among the candidates."""
    return _ordering([(one.rows[:, columns], one.right) for one in found if one.right.any()])


def _ordering(pairs: Sequence[tuple[Floats, npt.NDArray[np.bool_]]]) -> Floats:
    """The maximum-likelihood weights for the right candidate of each question to rank first."""
    every = np.concatenate([rows for rows, _ in pairs])
    spread = every.std(axis=0) + 1e-9

    def cost(weights: Floats) -> tuple[float, Floats]:
        total, slope = SMALL / 2 * weights @ weights, SMALL * weights
        for rows, right in pairs:
            sums = rows / spread @ weights
            share = softmax(sums)
            wanted = share * right / (share @ right)
            total -= np.log(share @ right) / len(pairs)
            slope = slope - (wanted - share) @ (rows / spread) / len(pairs)
        return float(total), slope

    found = minimize(cost, np.zeros(every.shape[1]), jac=True, method="L-BFGS-B")
    return np.asarray(found.x / spread)
