"""Weights for the evidence of `knowledge/retrieve/evidence.py`, from the tuning questions alone.

The order is fitted first (of the candidates of a question the right one is to be best), then what the
best one's sum means: the questions that nothing answers say what is not enough.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np
import numpy.typing as npt

from bench.retrieval.asking import Question, plain
from bench.retrieval.corpus import TENANT
from knowledge.retrieve.evidence import Evidence
from knowledge.retrieve.index import Index
from knowledge.retrieve.passages import Passage, distinct, joined
from knowledge.retrieve.retriever import READ, Retriever, _passage
from knowledge.retrieve.searching import Weights, candidates
from tests.unit.knowledge.retrieve.memory import Documents

Floats = npt.NDArray[np.float64]
SMALL = 0.1  # what a weight costs, in the units of its evidence's spread
STEPS = 600
NAMES = tuple(field.name for field in fields(Evidence))


@dataclass(frozen=True, slots=True)
class Seen:
    """What a search brought for a question: its evidence, and which of it answers."""

    question: Question
    passages: tuple[Passage, ...]
    rows: Floats
    right: npt.NDArray[np.bool_]

    def rank(self, weights: Floats, columns: Sequence[int]) -> int | None:
        """Where the answer stands when the passages are weighed so, alike ones dropped, neighbours joined."""
        if not self.passages:
            return None
        sums = self.rows[:, columns] @ weights
        ordered = [self.passages[at] for at in np.argsort(-sums, kind="stable")]
        kept = joined(distinct(ordered, len(ordered)))
        answered = (
            at
            for at, one in enumerate(kept)
            if self.question.answered(one.document.key, plain(one.text))
        )
        return next(answered, None)


def seen(
    retriever: Retriever, documents: Documents, index: Index, question: Question, weights: Weights
) -> Seen:
    """What is read for a question when candidates are found with these weights."""
    vector = retriever._vector(question.text)
    found = candidates(
        index, question.text, vector, lambda facet: True, stems=retriever._stems, weights=weights
    )
    known = [
        (one, documents.stored[(TENANT, one.chunk_id)], index.document(one.place[0]))
        for one in found.found[:READ]
    ]
    rows = retriever._judge.evidence(question.text, found.words, known) if known else []
    right = [question.answered(document.key, plain(chunk.text)) for _, chunk, document in known]
    return Seen(
        question,
        tuple(_passage(*one, 0.0) for one in known),
        np.array([astuple(row) for row in rows]).reshape(len(rows), len(NAMES)),
        np.array(right, dtype=bool),
    )


def ordering(found: Sequence[Seen], columns: Sequence[int]) -> Floats:
    """Weights of these kinds of evidence, from questions whose answer was among what was read."""
    return _ordering([(one.rows[:, columns], one.right) for one in found if one.right.any()])


async def fitted(
    retriever: Retriever,
    documents: Documents,
    asked: Sequence[Question],
    nothing: Sequence[Question],
) -> None:
    """Print the factors, the constant last."""
    index = await retriever._tenants.current(TENANT)

    def found(questions: Sequence[Question]) -> list[Seen]:
        tuning = [one for one in questions if not one.held_out]
        return [seen(retriever, documents, index, one, Weights()) for one in tuning]

    tuning, off = found(asked), found(nothing)
    weights = ordering(tuning, range(len(NAMES)))
    best = np.array([float((one.rows @ weights).max()) for one in tuning])
    worst = np.array([float((one.rows @ weights).max()) for one in off if len(one.rows)])
    slope, constant = _meaning(best, worst)
    print({name: round(float(one), 2) for name, one in zip(NAMES, slope * weights, strict=True)})
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
