"""Documents that a tenant has while an attack is played."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx

INGEST, JOBS = "/api/knowledge/ingest", "/api/knowledge/jobs"
DOCUMENTS = "/api/knowledge/documents"


@asynccontextmanager
async def provide_documents(
    client: httpx.AsyncClient, documents: Sequence[tuple[str, str]]
) -> AsyncIterator[None]:
    """Documents, as (scope, text), that exist for the duration of the block."""
    there = [one for scope, text in documents for one in await _ingested(client, scope, text)]
    try:
        yield
    finally:
        for one in there:
            (await client.delete(f"{DOCUMENTS}/{one}")).raise_for_status()


async def _ingested(client: httpx.AsyncClient, scope: str, text: str) -> list[str]:
    files = {"file": ("manual.md", text.encode())}
    accepted = await client.post(INGEST, data={"scope": scope}, files=files)
    path = f"{JOBS}/{accepted.raise_for_status().json()['jobId']}"
    while True:
        job = (await client.get(path)).raise_for_status().json()
        if job["status"] in ("queued", "running"):
            await asyncio.sleep(0.02)
            continue
        assert job["status"] == "completed", job
        return list(job["documents"])
