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
    """The one of the package."""
    return AccountedEmbedder(WordLlama(), lambda *_: None)


@asynccontextmanager
async def opened_knowledge(
    store: Store, options: Options = OPTIONS, *, reaches: str = ""
) -> AsyncIterator[Service]:
    """The service; it fetches from the site of the address `reaches`."""
    site = urlsplit(reaches).netloc
    fetcher = Fetcher(Guard(Reach.of([site] if site else [])))
    async with open_knowledge(
        store.knowledge, embedder(), fetcher, store.policies, options
    ) as service:
        yield service


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    """A body as it comes."""
    for one in given:
        yield one


async def ended(knowledge: Service, who: Principal, job: Job) -> Job:
    """The job, once it has ended."""
    while job.status not in JOB_ENDED:
        await asyncio.sleep(0.02)
        job = await knowledge.job(who, job.job_id)
    return job


async def ingested(knowledge: Service, body: str, who: Principal = ANN, **request: object) -> Job:
    """The ended job of a text that was sent: a Markdown file unless said otherwise."""
    fields: dict[str, object] = {"kind": "file", "name": "notes.md"}
    asked = IngestRequest.model_validate(fields | request)
    return await ended(knowledge, who, await knowledge.submit(who, asked, pieces(body.encode())))
