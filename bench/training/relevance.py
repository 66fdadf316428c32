"""Fit the probability that a passage answers, and the threshold below which nothing is relevant.

    python -m bench.training.relevance [--cache DIR] [--embeddings wordllama]

Uses tuning questions only: on all manuals, on one to five pages of them including questions these
pages cannot answer, and on libraries of a few short documents. First the order of the passages is fitted;
then, from the best passage and the number of chunks, whether there is an answer. Each kind of library has
the same weight, and so have questions with and without an answer within each.
"""

import argparse
import asyncio
import random
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from app.llm.embedder import Embedder, open_embedder
from app.settings import Settings
from bench.knowledge.retrieval.corpus import TENANT, ChunkedDocument, corpus
from bench.knowledge.retrieval.questions import off_topic, questions
from bench.knowledge.retrieval.short import Library, libraries
from bench.knowledge.retrieval.weights import (
    NAMES,
    Floats,
    QuestionEvidence,
    collect_evidence,
    fit_ordering,
)
from knowledge.retrieve.evidence import WEIGHTS, Evidence, Relevance
from knowledge.retrieve.evidence import __file__ as BESIDE
from knowledge.retrieve.index_loader import CacheLimits
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import Documents, store

SEED = 5
PAGES = (1, 1, 2, 3, 5)  # pages of a manual in a small library
SMALL = 0.01  # regularization of the calibration
KINDS = ("manuals", "pages of them", "short documents")
MARGIN = 0.5  # safety factor, since other teams ask differently from the tuning questions
LOST = 1  # percentage of answerable questions for which nothing may be found relevant
TARGET = Path(BESIDE).with_name(WEIGHTS)


def small_libraries(made: Sequence[ChunkedDocument]) -> Iterator[Library]:
    """For each tuning question, the page that answers it among a few others, and two questions without an
    answer.
    """
    chance = random.Random(SEED)
    asked = [one for one in questions() if not one.held_out]
    nothing = [one for one in off_topic() if not one.held_out]
    pages = {one.document.key: one for one in made}
    for at, question in enumerate(asked):
        others = chance.sample(sorted(pages), chance.choice(PAGES) - 1)
        keys = {question.answers[0][0], *others}
        manuals = {key.partition("/")[0] for key in keys}
        elsewhere = [
            one
            for one in asked
            if manuals.isdisjoint(key.partition("/")[0] for key, _ in one.answers)
        ]
        unanswered = (
            replace(chance.choice(elsewhere or nothing), answers=()),
            chance.choice(nothing),
        )
        found = tuple(_of(pages[key], f"small {at}") for key in sorted(keys))
        yield Library(f"small {at}", "en", found, (question,), unanswered)


def _of(one: ChunkedDocument, tenant: str) -> ChunkedDocument:
    own = {"tenant": tenant}
    return ChunkedDocument(
        one.document.model_copy(update=own),
        tuple(chunk.model_copy(update=own) for chunk in one.chunks),
        one.manifest.model_copy(update=own),
    )


def fit_calibration(kinds: Sequence[Sequence[QuestionEvidence]], weights: Floats) -> Floats:
    """Fit Platt scaling of the best passage's score, and how it changes with the library's size: factor
    and constant, and the change of each per tenfold chunks.
    """
    rows, labels, counts = [], [], []
    for kind in kinds:
        answered = [bool(one.question.answers) for one in kind]
        for one, has in zip(kind, answered, strict=True):
            best, size = (one.rows @ weights).max(), np.log10(one.chunks)
            rows.append([best, 1.0, best * size, size])
            labels.append(1 if has else -1)
            counts.append(1 / answered.count(has))
    table, signs, weighed = np.array(rows), np.array(labels), np.array(counts)
    found = minimize(
        lambda x: weighed @ np.logaddexp(0, -signs * (table @ x)) + SMALL * x @ x, np.zeros(4)
    )
    return np.asarray(found.x)


async def main() -> None:
    """Fit the parameters for one model's vectors, and write them beside those of the others."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/tabwright-manuals"))
    parser.add_argument("--embeddings", default="wordllama")
    given = parser.parse_args()
    settings = Settings(_env_file=None, embeddings=given.embeddings)
    async with open_embedder(settings, lambda usage, exchange=None: None) as embedder:
        made = corpus(given.cache, embedder)
        asked = [one for one in questions() if not one.held_out]
        nothing = [one for one in off_topic() if not one.held_out]
        kinds = (
            [Library(TENANT, "en", tuple(made), tuple(asked), tuple(nothing))],
            list(small_libraries(made)),
            list(libraries("short_documents_tuning", embedder)),
        )
        found = [
            [one for library in kind for one in await _seen(library, embedder)] for kind in kinds
        ]
    weights = fit_ordering([one for kind in found for one in kind], range(len(NAMES)))
    meaning = fit_calibration(found, weights)
    relevance = Relevance(tuple(weights), tuple(meaning[:2]), tuple(meaning[2:]), 0.0)
    sure = [
        [
            max(
                relevance.likelihood(relevance.total(Evidence(*row)), one.chunks)
                for row in one.rows
            )
            for one in kind
            if bool(one.question.answers) is has
        ]
        for kind in found
        for has in (True, False)
    ]
    least = MARGIN * min(np.percentile(one, LOST) for one in sure[::2])
    names = [f"{kind}, {which}" for kind in KINDS for which in ("with an answer", "without")]
    for name, likely in zip(names, sure, strict=True):
        shares = np.percentile(likely, [5, 25, 50, 75, 95]).round(2)
        print(
            f"{name}: {np.mean(np.array(likely) < least):.1%} below {least:.2f}; 5 to 95%: {shares}"
        )
    _write(embedder.name, replace(relevance, least=float(least)))


async def _seen(library: Library, embedder: Embedder) -> list[QuestionEvidence]:
    documents = Documents()
    for one in library.made:
        documents.publish(one.document, one.chunks, one.manifest)
    retriever = Retriever(store(documents), embedder, CacheLimits(patience_s=600))
    index = await retriever._tenants.get(library.tenant)
    every = [
        collect_evidence(retriever, documents, index, one, tenant=library.tenant)
        for one in (*library.asked, *library.nothing)
    ]
    await retriever.close()
    return [one for one in every if one.passages]


def _write(model: str, fitted: Relevance) -> None:
    kept = tomllib.loads(TARGET.read_text("utf-8"))
    factors = dict(zip(NAMES, fitted.factors, strict=True))
    kept[model] = asdict(fitted) | {"factors": factors}
    lines = ["# Written by `python -m bench.training.relevance`."]
    for name, values in sorted(kept.items()):
        inner = ", ".join(f"{key} = {value:.3f}" for key, value in values["factors"].items())
        lines += [
            f"\n[{name}]",
            f"factors = {{ {inner} }}",
            *(
                f"{key} = [{', '.join(f'{one:.3f}' for one in values[key])}]"
                for key in ("meaning", "with_size")
            ),
            f"least = {values['least']:.3f}",
        ]
    TARGET.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    asyncio.run(main())
