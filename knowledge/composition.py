"""Composition root of the knowledge service."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from app.domain.knowledge import Job
from app.llm.embedder import Embedder
from app.net.fetcher import Fetcher
from app.store.knowledge import KnowledgeStore
from app.store.people.keys import Policies
from app.store.scratch import scratch_folder
from app.threads import background_task
from knowledge.extract.media import Listener
from knowledge.extract.workers import ReaderLimits, WorkerPool
from knowledge.fair_queue import FairQueue
from knowledge.ingest import Pipeline, Reembedder
from knowledge.jobs import Accounting, Runner, Sweeper, Work, open_broker
from knowledge.retrieve import Retriever
from knowledge.service import Service, ServiceLimits

__all__ = ["Options", "ReaderLimits", "ServiceLimits", "open_knowledge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The role and limits of this process.

    With `works`, it runs jobs: at most `at_once` in total and `each` per tenant, under a lease of
    `lease_s` seconds, and sweeps for orphaned jobs every `sweep_s` seconds.

    `broker`: see `knowledge.jobs.broker`. `accounting` accounts for the model calls of a job. `ended`
    is called with each job that ends in this process. `admit` raises if no job is accepted.
    """

    broker: str | None = None
    works: bool = True
    at_once: int = 8
    each: int = 4
    lease_s: float = 30.0
    sweep_s: float = 3.0
    limits: ServiceLimits = field(default_factory=ServiceLimits)
    reading: ReaderLimits = field(default_factory=ReaderLimits)
    accounting: Accounting = lambda tenant, user: nullcontext()
    ended: Callable[[Job], None] = lambda job: None
    admit: Callable[[], None] = lambda: None
    listener: Listener | None = None


@asynccontextmanager
async def open_knowledge(
    store: KnowledgeStore,
    embedder: Embedder,
    fetcher: Fetcher,
    policies: Policies,
    options: Options = Options(),
) -> AsyncIterator[Service]:
    """Open the knowledge service of all tenants. A process that only runs jobs opens it and waits."""
    async with AsyncExitStack() as stack:
        scratch = scratch_folder("documents")
        folder = await asyncio.to_thread(scratch.__enter__)
        stack.push_async_callback(asyncio.to_thread, scratch.__exit__, None, None, None)
        workers = await stack.enter_async_context(WorkerPool(options.reading))
        retriever = Retriever(store, embedder)
        stack.push_async_callback(retriever.close)
        pipeline = Pipeline(store, embedder, workers, retriever.mark_stale, options.listener)
        embedding = Reembedder(store, embedder, retriever.mark_stale)
        work = Work(
            store=store,
            pipeline=pipeline,
            fetcher=fetcher,
            policies=policies,
            embedding=embedding,
            model=embedder.name,
            folder=folder,
        )
        runner = Runner(
            store=store,
            job_work=work,
            queue=FairQueue(options.at_once, options.each),
            lease_s=options.lease_s,
            accounting=options.accounting,
            on_end=options.ended,
        )
        send = await stack.enter_async_context(
            open_broker(options.broker, runner.work, works=options.works)
        )
        stack.push_async_callback(runner.close)
        if options.works:
            sweeper = Sweeper(store, runner, options.sweep_s)
            await stack.enter_async_context(background_task(sweeper.run_forever()))
        service = Service(
            store=store,
            retriever=retriever,
            policies=policies,
            runner=runner,
            embedding=embedding,
            send=send if options.works or options.broker else _leave_to_workers,
            guard=fetcher.guard,
            limits=options.limits,
            workers=workers,
            folder=folder,
            admit=options.admit,
        )
        stack.push_async_callback(service.close)
        yield service


async def _leave_to_workers(tenant: str, job_id: str) -> None:
    """Do nothing: the sweeper of a worker process finds the job in the store."""
