"""Weights for the evidence of `knowledge/retrieve/evidence.py`, from the tuning questions alone.

The order is fitted first (of the candidates of a question the right one is to be best), then what the
best one's sum means: the questions that nothing answers say what is not enough.
"""

from collections.abc import Sequence
from dataclasses import astuple, fields

import numpy as np
import numpy.typing as npt

from bench.retrieval.asking import Question, plain
from bench.retrieval.corpus import TENANT
from knowledge.port import Query
from knowledge.retrieve.evidence import Evidence
from knowledge.retrieve.retriever import READ, Retriever
from tests.unit.knowledge.retrieve.memory import Documents

Floats = npt.NDArray[np.float64]
SMALL = 0.02  # what a weight costs, in the units of its evidence's spread
STEPS = 600


async def fitted(
    retriever: Retriever,
    documents: Documents,
    asked: Sequence[Question],
    nothing: Sequence[Question],
) -> None:
    """Print the factors, the constant last."""
    index = await retriever._tenants.current(TENANT)
    keys = {one.document_id: one.key for _, one in documents.documents.values()}

    def seen(question: Question) -> tuple[Floats, npt.NDArray[np.bool_]]:
        found = retriever._candidates(index, Query(text=question.text), lambda facet: True)
        known = [
            (one, documents.stored[(TENANT, one.chunk_id)], index.document(one.place[0]))
            for one in found.found[:READ]
        ]
        rows = retriever._judge.evidence(question.text, found.words, known)
        right = [
            question.answered(keys[chunk.document_id], plain(chunk.text)) for _, chunk, _ in known
        ]
        return np.array([astuple(row) for row in rows]), np.array(right, dtype=bool)

    tuning = [seen(one) for one in asked if not one.held_out]
    off = [seen(one)[0] for one in nothing if not one.held_out]
    weights = _ordering([pair for pair in tuning if pair[1].any()])
    best = np.array([float((rows @ weights).max()) for rows, _ in tuning])
    worst = np.array([float((rows @ weights).max()) for rows in off if len(rows)])
    slope, constant = _meaning(best, worst)
    names = [field.name for field in fields(Evidence)]
    print({name: round(float(one), 2) for name, one in zip(names, slope * weights, strict=True)})
    print("constant", round(constant, 2))
    for name, sums in (("with an answer", best), ("without", worst)):
        sure = 1 / (1 + np.exp(-(slope * sums + constant)))
        shares = np.percentile(sure, [2, 5, 10, 25, 50, 75, 90, 95]).round(2)
        print(name, "2, 5, 10, 25, 50, 75, 90, 95%:", shares)


def _ordering(pairs: Sequence[tuple[Floats, npt.NDArray[np.bool_]]]) -> Floats:
    """By gradient descent on the likelihood of the right one among the candidates of each question."""
    every = np.concatenate([rows for rows, _ in pairs])
    middle, spread = every.mean(axis=0), every.std(axis=0) + 1e-9
    weights = np.zeros(every.shape[1])
    speed = np.zeros_like(weights)
    for _ in range(STEPS):
        slope = SMALL * weights
        for rows, right in pairs:
            scaled = (rows - middle) / spread
            sums = scaled @ weights
            share = np.exp(sums - sums.max())
            share /= share.sum()
            wanted = share * right
            slope -= (wanted / wanted.sum() - share) @ scaled / len(pairs)
        speed = 0.9 * speed + slope
        weights -= 0.1 * speed
    return np.asarray(weights / spread)


def _meaning(best: Floats, worst: Floats) -> tuple[float, float]:
    """Platt's line: both kinds of questions count the same."""
    sums = np.concatenate([best, worst])
    labels = np.concatenate([np.ones(len(best)), np.zeros(len(worst))])
    counts = np.where(labels == 1, 0.5 / len(best), 0.5 / len(worst))
    middle, spread = sums.mean(), sums.std()
    slope = constant = 0.0
    for _ in range(5_000):
        off = counts * (1 / (1 + np.exp(-(slope * (sums - middle) / spread + constant))) - labels)
        slope -= 0.5 * (float((off * (sums - middle) / spread).sum()) + 0.001 * slope)
        constant -= 0.5 * float(off.sum())
    return slope / spread, constant - slope / spread * middle
