"""Opens the team's documents: for the server, and for commands that run without one."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from uuid import uuid4

from app.domain.knowledge import Job
from app.llm.embedder import Embedder, open_embedder
from app.llm.port import Model
from app.llm.providers.choice import accepts_recordings, open_model
from app.net.fetcher import Fetcher
from app.net.guard import Guard
from app.net.policy import Policy as Reach
from app.settings import Settings
from app.settings_check import refuse_faults
from app.store.open import open_all
from app.store.people.keys import Policies
from app.store.repositories import Store
from app.usage import Spender, check_allowance, meter_calls, open_prices, open_usage
from knowledge import Knowledge
from knowledge.extract.transcription import ModelListener


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """The documents, and the policies that say where they may be used."""

    knowledge: Knowledge
    policies: Policies


@asynccontextmanager
async def open_document_service(
    settings: Settings,
    store: Store,
    embedder: Embedder,
    *,
    model: Model | None = None,
    works: bool = True,
    ended: Callable[[Job], None] = lambda _: None,
) -> AsyncIterator[Knowledge]:
    """Open them on an open store. With `works` this process works on jobs, its own and abandoned ones, and
    calls `ended` for each that it ends. `model` transcribes recordings, if it can.
    """
    # The import takes long: it must not block the event loop.
    opening = await asyncio.to_thread(import_module, "knowledge.composition")
    options = opening.Options(
        broker=settings.broker,
        works=works,
        limits=opening.ServiceLimits(upload_bytes=settings.upload_bytes),
        reading=opening.ReaderLimits(unconfined=settings.unconfined_readers),
        accounting=meter_job,
        admit=store.space.require,
        ended=ended,
        listener=ModelListener(model) if model and accepts_recordings(settings) else None,
    )
    fetcher = Fetcher(Guard(Reach.of(settings.fetch_allowed)))
    async with opening.open_knowledge(
        store.knowledge, embedder, fetcher, store.policies, options
    ) as knowledge:
        yield knowledge


@asynccontextmanager
async def open_command_documents(
    settings: Settings, *, works: bool = False
) -> AsyncIterator[Documents]:
    """Open the store and the documents for a command. Model calls are accounted for as in a server."""
    refuse_faults(settings)
    async with (
        open_all(settings) as opened,
        open_usage(opened.together, None, open_prices(settings.prices)) as usage,
        open_embedder(settings, usage.record, check_allowance) as embedder,
        open_model(settings, usage.record, check_allowance) as model,
        open_document_service(
            settings, opened.store, embedder, model=model, works=works
        ) as knowledge,
    ):
        yield Documents(knowledge=knowledge, policies=opened.store.policies)


async def work_until_stopped(settings: Settings) -> None:
    async with open_command_documents(settings, works=True):
        await asyncio.Event().wait()


def meter_job(tenant: str, user: str) -> AbstractContextManager[object]:
    """Meter the model calls of a job as those of the user who submitted it."""
    trace_id = uuid4().hex
    return meter_calls(
        Spender(
            tenant=tenant,
            user=user,
            session_id="",
            task_id="",
            trace_id=trace_id,
            request_id=trace_id,
        )
    )
