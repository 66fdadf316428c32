"""Measure search latency and index memory at 10,000 and 100,000 real chunks, on the embedded store."""

import asyncio
import gc
import itertools
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import psutil

from app.domain.access import Policy
from app.llm.embedder import AccountedEmbedder, WordLlama
from app.settings import Settings
from app.store.open import open_all
from bench.knowledge.retrieval.corpus import ChunkedDocument
from bench.knowledge.retrieval.questions import questions
from bench.knowledge.retrieval.store import fill_store, tenant_of
from knowledge.port import Query
from knowledge.retrieve.index_loader import CacheLimits
from knowledge.retrieve.retriever import Retriever

FEW = 100  # chunks of the index that measures the fixed memory of a process
SIZES = (10_000, 100_000)
WORN = 150  # warm-up searches
TIMED = 600


async def speeds(made: Sequence[ChunkedDocument]) -> None:
    """Print the latency of `resolve`, measuring each size in its own process."""
    with TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, data_dir=Path(folder), llm="rules")
        began = time.perf_counter()
        await fill_store(settings, made, (FEW, *SIZES))
        print(f"store filled in {time.perf_counter() - began:.0f} s")
        fixed, _ = _apart(settings, FEW)
        print(f"whatever it holds, a process takes {fixed / 1e6:.0f} MB for it")
        for size in SIZES:
            grown, said = _apart(settings, size)
            print(f"{size} chunks: {(grown - fixed) / size:.0f} bytes a chunk beside that, {said}")


def _apart(settings: Settings, size: int) -> tuple[int, str]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as apart:
        return apart.submit(_measured, settings, size).result()


def _measured(settings: Settings, size: int) -> tuple[int, str]:
    return asyncio.run(_asked(settings, tenant_of(size)))


async def _asked(settings: Settings, tenant: str) -> tuple[int, str]:
    """The memory growth of the process in bytes, and the other measurements as text."""
    process = psutil.Process()
    embedder = AccountedEmbedder(WordLlama(), lambda usage, exchange=None: None)
    async with open_all(settings) as opened:
        await opened.prove_write()
        gc.collect()
        before = process.memory_info().rss
        retriever = Retriever(opened.store.knowledge, embedder, CacheLimits(patience_s=600))
        began, busy = time.perf_counter(), time.process_time()
        await retriever.refresh(tenant)
        took = time.perf_counter() - began, time.process_time() - busy
        gc.collect()
        made = process.memory_info().rss - before
        index = await retriever._tenants.get(tenant)
        timed = await _timed(retriever, tenant)
        gc.collect()
        grown = process.memory_info().rss - before
        said = (
            f"{index.bytes / index.chunks:.0f} by count; {made / 1e6:.0f} MB when it was made,"
            f" {grown / 1e6:.0f} after {WORN + TIMED} questions;"
            f" made in {took[0]:.1f} s, {took[1]:.1f} of CPU\n  {timed}"
        )
        await retriever.close()
        return grown, said


async def _timed(retriever: Retriever, tenant: str) -> str:
    asked = [one.text for one in questions()]
    random.Random(8).shuffle(asked)
    policy, spent, used = Policy(tenant=tenant), [], []
    for at, text in enumerate(itertools.islice(itertools.cycle(asked), WORN + TIMED)):
        began, busy = time.perf_counter(), time.process_time()
        await retriever.resolve(tenant, Query(text=text), policy)
        if at >= WORN:
            spent.append((time.perf_counter() - began) * 1000)
            used.append((time.process_time() - busy) * 1000)
    shown = "half within {:.1f} ms, 95% {:.1f}, 99% {:.1f}"
    return (
        f"resolve: {shown.format(*np.percentile(spent, [50, 95, 99]))};"
        f" of CPU {shown.format(*np.percentile(used, [50, 95, 99]))}"
    )
