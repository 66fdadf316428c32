"""How long a search takes and what an index keeps, at 10,000 and 100,000 chunks of real text."""

import asyncio
import gc
import itertools
import random
import time
from collections.abc import Sequence

import numpy as np
import psutil

from app.domain.policy import Policy
from app.llm.embedding import AccountedEmbedder, WordLlama
from bench.retrieval.asking import questions
from bench.retrieval.corpus import TENANT, Made
from knowledge.port import Query
from knowledge.retrieve.retriever import Retriever
from knowledge.retrieve.tenants import Limits
from tests.unit.knowledge.retrieve.memory import Documents, store

SIZES = (10_000, 100_000)
WORN = 100  # searches before any is timed
TIMED = 600


async def speeds(made: Sequence[Made]) -> None:
    """Print the latencies of `resolve`, all of it but a server's way to the store."""
    for size in SIZES:
        documents = Documents()
        _fill(documents, made, size)
        gc.collect()
        before = psutil.Process().memory_info().rss
        embedder = AccountedEmbedder(WordLlama(), lambda usage, exchange=None: None)
        retriever = Retriever(store(documents), embedder, Limits(patience_s=600))
        began = time.perf_counter()
        await retriever.refresh(TENANT)
        took = time.perf_counter() - began
        gc.collect()
        grown = psutil.Process().memory_info().rss - before
        index = await retriever._tenants.current(TENANT)
        print(
            f"{index.chunks} chunks: made in {took:.1f} s, {index.bytes / index.chunks:.0f} bytes"
            f" a chunk by count, {grown / index.chunks:.0f} by what the process grew"
        )
        print("  " + await _timed(retriever))
        await retriever.close()


async def _timed(retriever: Retriever) -> str:
    asked = [one.text for one in questions()]
    random.Random(8).shuffle(asked)
    policy, spent, busy = Policy(tenant=TENANT), [], 0.0
    for at, text in enumerate(itertools.islice(itertools.cycle(asked), WORN + TIMED)):
        began = time.perf_counter()
        await retriever.resolve(TENANT, Query(text=text), policy)
        if at == WORN:
            busy = time.process_time()
        if at >= WORN:
            spent.append((time.perf_counter() - began) * 1000)
        await asyncio.sleep(0)
    shown = np.percentile(spent, [50, 95, 99])
    busy = (time.process_time() - busy) * 1000 / TIMED
    times = "resolve: half within {:.1f} ms, 95% {:.1f}, 99% {:.1f}".format(*shown)
    return f"{times}; {busy:.1f} ms of CPU each"


def _fill(documents: Documents, made: Sequence[Made], size: int) -> None:
    """The manuals again and again; in each copy a fifth of the words are others, so that it is no copy."""
    random_ = random.Random(8)
    words = sorted({word for one in made for chunk in one.chunks for word in chunk.text.split()})
    count = 0
    for copy in itertools.count():
        for one in made:
            if count >= size:
                return
            changed = one if not copy else _changed(one, copy, words, random_)
            documents.publish(changed.document, changed.chunks, changed.manifest)
            count += len(changed.chunks)


def _changed(one: Made, copy: int, words: Sequence[str], random_: random.Random) -> Made:
    def other(text: str) -> str:
        return " ".join(
            random_.choice(words) if random_.random() < 0.2 else word for word in text.split()
        )

    document_id = f"{copy:04d}{one.document.document_id[4:]}"
    renamed = {chunk.chunk_id: f"{copy:04d}{chunk.chunk_id[4:]}" for chunk in one.chunks}
    chunks = tuple(
        chunk.model_copy(
            update={
                "chunk_id": renamed[chunk.chunk_id],
                "document_id": document_id,
                "text": other(chunk.text),
            }
        )
        for chunk in one.chunks
    )
    entries = tuple(
        entry.model_copy(update={"chunk_id": renamed[entry.chunk_id]})
        for entry in one.manifest.entries
    )
    return Made(
        one.document.model_copy(update={"document_id": document_id}),
        chunks,
        one.manifest.model_copy(update={"document_id": document_id, "entries": entries}),
    )
