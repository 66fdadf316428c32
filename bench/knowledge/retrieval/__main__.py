"""Evaluate retrieval: how often the right passage is found, how fast, and in how much memory.

    python -m bench.knowledge.retrieval [--cache DIR] [--questions fresh | --tuning] [--missed]
    python -m bench.knowledge.retrieval [--cache DIR] --short | --speed

`--short` evaluates libraries of one to five short documents in four languages. `--questions fresh` uses
`bench/knowledge/fresh.tsv`, and `fresh_off_topic.txt`, which has no answers: a blind set, written
independently of the search, frozen, and never tuned on.

Downloads the Debian 12 manuals named in `corpus.py` (apt, 42 MB) into the cache.
"""

import argparse
import asyncio
import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

from app.domain.access import Policy
from app.domain.knowledge import Retrieval
from app.llm.embedder import AccountedEmbedder, WordLlama
from bench.knowledge.retrieval.ablation import sides
from bench.knowledge.retrieval.corpus import TENANT, corpus
from bench.knowledge.retrieval.latency import speeds
from bench.knowledge.retrieval.questions import Question, off_topic, plain, questions
from bench.knowledge.retrieval.short import libraries
from knowledge.port import Query
from knowledge.retrieve.candidates import Weights, find_candidates
from knowledge.retrieve.index_loader import CacheLimits
from knowledge.retrieve.retriever import Retriever
from tests.unit.knowledge.retrieve.memory_store import Documents, store

ALONE = {
    "BM25 alone": Weights(lexical=1, vector=0),
    "vectors alone": Weights(lexical=0, vector=1),
    "fused by rank": Weights(),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cache", type=Path, default=Path("/tmp/tabwright-manuals"))
    parser.add_argument("--questions", choices=("fresh",), help="use this held-out set")
    parser.add_argument("--tuning", action="store_true", help="use only the tuning questions")
    parser.add_argument(
        "--missed", action="store_true", help="print the tuning questions not found"
    )
    parser.add_argument(
        "--short", action="store_true", help="evaluate libraries of a few short documents"
    )
    parser.add_argument("--speed", action="store_true", help="measure 10,000 and 100,000 chunks")
    given = parser.parse_args()
    asyncio.run(_measured(given))


async def _measured(given: argparse.Namespace) -> None:
    if given.short:
        for name in ("short_documents_tuning", "short_documents"):
            await _short(name)
        return
    made = corpus(given.cache)
    if given.speed:
        await speeds(made)
        return
    documents = Documents()
    for one in made:
        documents.publish(one.document, one.chunks, one.manifest)
    retriever = Retriever(store(documents), _embedder(), CacheLimits(patience_s=600))
    await retriever.refresh(TENANT)
    print(f"{len(made)} documents, {sum(len(one.chunks) for one in made)} chunks")
    asked, nothing = _asked(given)
    _whole(made, asked)
    for name, weights in ALONE.items():
        await _ranked(name, retriever, documents, weights, asked)
    tuning = [one for one in questions() if not one.held_out]
    tested = [one for one in asked if one.held_out]
    for name, ranks in await sides(retriever, documents, tuning, tested):
        _row(name, {one: rank for one, rank in ranks.items() if one in asked})
    await _resolved(retriever, asked, nothing, missed=given.missed)
    await retriever.close()


async def _short(name: str) -> None:
    """Evaluate libraries of a few short documents, by language."""
    embedder, documents = _embedder(), Documents()
    every = list(libraries(name, embedder))
    for one in itertools.chain.from_iterable(library.made for library in every):
        documents.publish(one.document, one.chunks, one.manifest)
    retriever = Retriever(store(documents), embedder)
    print(name)
    kinds = [
        (one, [it for it in every if it.language == one])
        for one in sorted({one.language for one in every})
    ]
    for language, some in (*kinds, ("all", every)):
        found = [(one, await _ask(retriever, one, lib.tenant)) for lib in some for one in lib.asked]
        nothing = [
            (one, await _ask(retriever, one, lib.tenant)) for lib in some for one in lib.nothing
        ]
        _row(language, {one: one.rank(answer) for one, answer in found})
        _sure("  with an answer", found)
        _sure("  without one", nothing)
    await retriever.close()


def _asked(given: argparse.Namespace) -> tuple[list[Question], list[Question]]:
    """The questions with an answer and those without."""
    if given.questions:
        return questions(given.questions), off_topic(f"{given.questions}_off_topic")
    asked, nothing = questions(), off_topic()
    if given.tuning:
        asked, nothing = ([one for one in some if not one.held_out] for some in (asked, nothing))
    return asked, nothing


def _embedder() -> AccountedEmbedder:
    return AccountedEmbedder(WordLlama(), lambda usage, exchange=None: None)


def _whole(made: Sequence, asked: Sequence[Question]) -> None:
    """Check that each question's answers are within a chunk; otherwise the numbers mean nothing."""
    texts = [(one.document.key, plain(chunk.text)) for one in made for chunk in one.chunks]
    for question in asked:
        if not any(question.answered(*text) for text in texts):
            print(f"  no chunk holds the answer: {question.text}")


async def _ranked(
    name: str,
    retriever: Retriever,
    documents: Documents,
    weights: Weights,
    asked: Sequence[Question],
) -> None:
    """Evaluate the ranking of chunks, before passages are formed."""
    index = await retriever._tenants.get(TENANT)
    keys = {one.document_id: one.key for _, one in documents.documents.values()}
    ranks: dict[Question, int | None] = {}
    for question in asked:
        vector = _embedder().embed([question.text])[0]
        found = find_candidates(
            index,
            question.text,
            vector,
            lambda facet: True,
            stems=retriever._stems,
            weights=weights,
        )
        chunks = [documents.stored[(TENANT, one.chunk_id)] for one in found.found]
        ranks[question] = next(
            (
                at
                for at, chunk in enumerate(chunks)
                if question.answered(keys[chunk.document_id], plain(chunk.text))
            ),
            None,
        )
    _row(name, ranks)


async def _resolved(
    retriever: Retriever, asked: Sequence[Question], nothing: Sequence[Question], *, missed: bool
) -> None:
    """Evaluate the passages as they are returned."""
    found = {one: await _ask(retriever, one) for one in asked}
    _row("resolve", {one: one.rank(found[one]) for one in asked})
    for one in asked:
        rank = one.rank(found[one])
        if missed and not one.held_out and (rank is None or rank):
            print(f"    {'-' if rank is None else rank}  {one.text}")
    _sure("questions with an answer", found.items())
    _sure("questions without one", [(one, await _ask(retriever, one)) for one in nothing])
    passages = [passage for answer in found.values() for passage in answer.found]
    print(f"{mean(len(one.text) for one in passages):.0f} characters in a passage")
    print(f"{len(passages) / len(found):.1f} passages in an answer")


async def _ask(retriever: Retriever, question: Question, tenant: str = TENANT) -> Retrieval:
    return await retriever.resolve(tenant, Query(text=question.text), Policy(tenant=tenant))


def _row(name: str, ranks: dict[Question, int | None]) -> None:
    shown = []
    for held_out in (False, True):
        mine = [rank for one, rank in ranks.items() if one.held_out is held_out]
        if mine:
            hits = [f"{_share(mine, at):5.1f}" for at in (1, 3, 5)]
            kind = "kept apart" if held_out else "tuning"
            shown.append(f"{kind} {len(mine):3} {' '.join(hits)}")
    print(f"{name:16} hit@1 @3 @5: {'   '.join(shown)}")


def _share(ranks: Sequence[int | None], within: int) -> float:
    return 100 * mean(rank is not None and rank < within for rank in ranks)


def _sure(name: str, found: Iterable[tuple[Question, Retrieval]]) -> None:
    pairs = list(found)
    for held_out in (False, True):
        mine = [answer for one, answer in pairs if one.held_out is held_out]
        if not mine:
            continue
        counts = {
            word: sum(bool(one.found) and one.confidence == word for one in mine)
            for word in ("high", "medium", "low")
        }
        none = sum(not one.found for one in mine)
        kind = "kept apart" if held_out else "tuning"
        print(f"{name}, {kind}: {len(mine)}: nothing {none}, {counts}")


if __name__ == "__main__":
    main()
