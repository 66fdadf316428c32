"""Ablation: lexical and vector search alone, compared with both.

Each alone has its own candidates, features and weights, fitted and evaluated in the same way.
"""

import hashlib
from collections.abc import Iterator, Sequence

import numpy as np

from bench.knowledge.retrieval.corpus import TENANT
from bench.knowledge.retrieval.questions import Question
from bench.knowledge.retrieval.weights import (
    NAMES,
    QuestionEvidence,
    collect_evidence,
    fit_ordering,
)
from knowledge.retrieve.candidates import Weights
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import Documents

FOLDS = 10
OF_WORDS = ("coverage", "bm25", "beside", "window")
OF_VECTORS = ("cosine", "alike", "sentence")
SIDES = {
    "words, judged": (Weights(lexical=1, vector=0), OF_WORDS),
    "vectors, judged": (Weights(lexical=0, vector=1), OF_VECTORS),
    "both, judged": (Weights(), NAMES),
}
Ranks = dict[Question, int | None]


async def sides(
    retriever: Retriever,
    documents: Documents,
    tuning: Sequence[Question],
    tested: Sequence[Question],
) -> Iterator[tuple[str, Ranks]]:
    """The ranks by each side: of the tuning questions with weights fitted on those of other documents, of
    the test questions with weights fitted on all tuning questions.
    """
    index = await retriever._tenants.get(TENANT)

    def ranks(weights: Weights, names: Sequence[str]) -> Ranks:
        columns = [NAMES.index(name) for name in names]
        found = [collect_evidence(retriever, documents, index, one, weights) for one in tuning]
        other = [collect_evidence(retriever, documents, index, one, weights) for one in tested]
        whole = fit_ordering(found, columns) if other else np.zeros(0)
        return {
            **_crossed(found, columns),
            **{one.question: one.rank(whole, columns) for one in other},
        }

    return ((name, ranks(*side)) for name, side in SIDES.items())


def _crossed(found: Sequence[QuestionEvidence], columns: Sequence[int]) -> Ranks:
    ranks: Ranks = {}
    for fold in range(FOLDS):
        weights = fit_ordering([one for one in found if _fold(one) != fold], columns)
        ranks |= {one.question: one.rank(weights, columns) for one in found if _fold(one) == fold}
    return ranks


def _fold(one: QuestionEvidence) -> int:
    """Questions on one document are in the same fold."""
    document = one.question.answers[0][0]
    return int(hashlib.sha256(document.encode()).hexdigest(), 16) % FOLDS
