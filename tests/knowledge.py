"""Documents for tests: the knowledge service on the test store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

from app.domain.access import Principal
from app.domain.knowledge import JOB_ENDED, IngestRequest, Job
from app.llm.embedder import AccountedEmbedder, Embedder, WordLlama
from app.net.fetcher import Fetcher
from app.net.guard import Guard
from app.net.policy import Policy as Reach
from app.store.repositories import Store
from knowledge.composition import Options, open_knowledge
from knowledge.service import Service

ANN = Principal(tenant="a", user="ann")
OPTIONS = Options()


def embedder() -> Embedder:
    """The bundled one."""
    return AccountedEmbedder(WordLlama(), lambda *_: None)


@asynccontextmanager
async def opened_knowledge(
    store: Store, options: Options = OPTIONS, *, reaches: str = ""
) -> AsyncIterator[Service]:
    """The service; it may fetch from the site at `reaches`."""
    site = urlsplit(reaches).netloc
    fetcher = Fetcher(Guard(Reach.of([site] if site else [])))
    async with open_knowledge(
        store.knowledge, embedder(), fetcher, store.policies, options
    ) as service:
        yield service


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    """A body as a stream."""
    for one in given:
        yield one


async def ended(knowledge: Service, who: Principal, job: Job) -> Job:
    """Wait for the job to end."""
    while job.status not in JOB_ENDED:
        await asyncio.sleep(0.02)
        job = await knowledge.job(who, job.job_id)
    return job


async def ingested(knowledge: Service, body: str, who: Principal = ANN, **request: object) -> Job:
    """Ingest a text, by default as a Markdown file, and wait for the job."""
    fields: dict[str, object] = {"kind": "file", "name": "notes.md"}
    asked = IngestRequest.model_validate(fields | request)
    return await ended(knowledge, who, await knowledge.submit(who, asked, pieces(body.encode())))
