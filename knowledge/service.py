"""The implementation of the knowledge port; tests open it with `tests.knowledge`."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from uuid import uuid4

import structlog

from app.domain.access import Policy, Principal, site_matches, site_of
from app.domain.knowledge import (
    JOB_ENDED,
    Document,
    DocumentTitle,
    IngestRequest,
    Job,
    JobStatus,
    Retrieval,
    superseded_chunks,
)
from app.errors import Forbidden, Invalid, NotFound, TabwrightError, TooLarge, TooManyJobs
from app.net.guard import Guard
from app.store.knowledge import KnowledgeStore
from app.store.people.keys import Policies
from knowledge.extract import StoredFile
from knowledge.extract.workers import WorkerPool
from knowledge.ingest import Reembedder, canonical_url, now_ms
from knowledge.jobs import Runner, Send, release_resources, temp_file
from knowledge.port import MOST_TITLED, Part, Query
from knowledge.retrieve import Retriever

log = structlog.get_logger(__name__)

POLL_S = 0.5  # between two polls of a watched job, unless it ends in this process
MAX_CACHED_TITLES = 100_000  # titles of all tenants, about 100 MB
WITH_BYTES = frozenset({"file", "html", "text"})
WITH_ADDRESS = frozenset({"url", "link"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits:
    """Maximum size of a document in bytes, and maximum number of queued jobs per tenant."""

    upload_bytes: int = 100_000_000
    queued: int = 500


@dataclass(kw_only=True)
class Service:
    """Implements `knowledge.port.Knowledge` on the store."""

    store: KnowledgeStore
    retriever: Retriever
    policies: Policies
    runner: Runner
    embedding: Reembedder
    send: Send
    guard: Guard
    limits: ServiceLimits
    workers: WorkerPool
    folder: Path
    admit: Callable[[], None]
    _titles: OrderedDict[str, tuple[int, Sequence[DocumentTitle]]] = field(
        default_factory=OrderedDict
    )
    _checked: set[str] = field(default_factory=set)  # tenants with a checked embedding model
    _checks: set[asyncio.Task[None]] = field(default_factory=set)

    async def submit(
        self, who: Principal, request: IngestRequest, body: AsyncIterator[bytes] | None = None
    ) -> Job:
        if (request.kind in WITH_BYTES) != (body is not None):
            raise Invalid("A document is either sent along or fetched from an address")
        if request.kind not in WITH_BYTES | WITH_ADDRESS:
            raise Invalid("This kind of request cannot be ingested")
        if request.kind in WITH_ADDRESS:
            self.guard.check_syntax(request.url or "")
            await self._require_own_site(who, request)
        self.admit()
        limit = self.limits.queued
        if await self.store.jobs.count_queued(who.tenant, limit=limit) >= limit:
            raise TooManyJobs()
        now, job_id = now_ms(), uuid4().hex
        if request.url is not None:
            request = request.model_copy(update={"url": canonical_url(request.url)})
        if body is not None:
            bounded = _limit_size(body, self.limits.upload_bytes)
            size = await self.store.files.put(who.tenant, job_id, bounded)
            request = request.model_copy(update={"file_id": job_id, "bytes": size})
        job = Job(
            job_id=job_id,
            tenant=who.tenant,
            user=who.user,
            request=request,
            created_at=now,
            updated_at=now,
        )
        await self.store.jobs.add(job)
        await self.send(job.tenant, job.job_id)
        return job

    async def _require_own_site(self, who: Principal, request: IngestRequest) -> None:
        """Raises `Forbidden` if a principal without that right marks a site as the tenant's own:
        values from it are typed without asking.
        """
        if request.scope != "organization" or who.has_scope("operator"):
            return
        policy = await self.policies.get(who.tenant)
        if not site_matches(site_of(request.url or ""), policy.knowledge_domains, below=True):
            raise Forbidden("Only an operator or the policy can mark a site as the team's own")

    async def job(self, who: Principal, job_id: str) -> Job:
        job = await self.store.jobs.get(who.tenant, job_id)
        if not who.can_see(job.user):
            raise NotFound(f"There is no job {job_id!r}")  # as for an unknown one
        return job

    async def jobs(
        self, who: Principal, *, status: JobStatus | None = None, limit: int = 50
    ) -> list[Job]:
        user = None if who.has_scope("operator") else who.user
        return await self.store.jobs.listed(who.tenant, user=user, status=status, limit=limit)

    async def watch(self, who: Principal, job_id: str) -> AsyncIterator[Job]:
        job = await self.job(who, job_id)
        yield job
        while job.status not in JOB_ENDED:
            await self.runner.wait_for_end(who.tenant, job_id, POLL_S)
            current = await self.job(who, job_id)
            if _without_lease(current) != _without_lease(job):
                yield current
            job = current

    async def cancel(self, who: Principal, job_id: str) -> Job:
        await self.job(who, job_id)
        job = await self.store.jobs.cancel(who.tenant, job_id, now=now_ms())
        self.runner.recheck(who.tenant, job_id)
        if job.status == "cancelled":
            await release_resources(self.store, job)
        return job

    async def documents(
        self,
        tenant: str,
        *,
        limit: int = 50,
        set_name: str | None = None,
        domain: str | None = None,
        text: str | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[Document]:
        return await self.store.documents.listed(
            tenant, limit=limit, set_name=set_name, domain=domain, text=text, after=after
        )

    async def document(self, tenant: str, document_id: str) -> Document:
        return await self.store.documents.get(tenant, document_id)

    async def parts(self, tenant: str, document_id: str) -> Sequence[Part]:
        documents = self.store.documents
        document = await documents.get(tenant, document_id)
        others = await documents.list_by_url(tenant, document.url) if document.url else []
        manifests = await documents.manifests(tenant, [document, *others])
        pairs = [
            (one, manifests[one.document_id]) for one in others if one.document_id in manifests
        ]
        superseded = superseded_chunks(document, pairs)
        manifest = manifests.get(document_id)
        entries = manifest.entries if manifest else ()
        chunks = await documents.chunks(tenant, [entry.chunk_id for entry in entries])
        return [
            Part(
                chunk=chunk,
                placed=entry,
                superseded_by=superseded.get(entry.chunk_id),
                version=document.version,
            )
            for entry in entries
            if (chunk := chunks.get(entry.chunk_id))
        ]

    async def titles(self, tenant: str) -> Sequence[DocumentTitle]:
        """See the port. The result is the same object until documents change, so callers can cache by
        identity. The version is read before the titles: titles that are newer than their version are
        read again, but never stale.
        """
        version = await self.store.documents.version(tenant)
        if (cached := self._titles.get(tenant)) and cached[0] == version:
            self._titles.move_to_end(tenant)
            return cached[1]
        titles = tuple(await self.store.documents.titles(tenant, MOST_TITLED))
        self._titles.pop(tenant, None)
        self._titles[tenant] = version, titles
        size = sum(len(each) + 1 for _, each in self._titles.values())
        while len(self._titles) > 1 and size > MAX_CACHED_TITLES:
            _, (_, dropped) = self._titles.popitem(last=False)
            size -= len(dropped) + 1
        return titles

    async def delete(self, tenant: str, document_id: str) -> None:
        await self.store.documents.delete(tenant, document_id)
        self.retriever.mark_stale(tenant)

    async def read(self, tenant: str, name: str, declared: str, data: bytes) -> str:
        with temp_file(self.folder) as path:
            await asyncio.to_thread(path.write_bytes, data)
            file = StoredFile(path=path, name=name, declared=declared or None)
            return (await self.workers.extract(file, tenant)).markdown

    async def resolve(self, tenant: str, query: Query, policy: Policy) -> Retrieval:
        self._check_model(tenant)
        return await self.retriever.resolve(tenant, query, policy)

    async def get_rag_chunks(self, url: str, query: str, tenant: str) -> Retrieval:
        try:
            policy = await self.policies.get(tenant)
            return await self.resolve(tenant, Query(text=query, url=url), policy)
        except TabwrightError as error:
            log.warning("knowledge_not_searched", code=error.code)
            return Retrieval(allowed=True, domain=site_of(url))

    async def close(self) -> None:
        for task in self._checks:
            task.cancel()
        await asyncio.gather(*self._checks, return_exceptions=True)

    def _check_model(self, tenant: str) -> None:
        """Check once, in the background, whether the tenant's vectors are of the current model."""
        if tenant in self._checked:
            return
        self._checked.add(tenant)
        task = asyncio.create_task(self._add_embedding_job(tenant))
        self._checks.add(task)
        task.add_done_callback(self._checks.discard)

    async def _add_embedding_job(self, tenant: str) -> None:
        try:
            if (job := await self.embedding.create_job(tenant)) is not None:
                await self.send(tenant, job.job_id)
        except TabwrightError as error:
            self._checked.discard(tenant)  # the next call checks again
            log.warning("knowledge_model_not_checked", code=error.code)


async def _limit_size(body: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    size = 0
    async for piece in body:
        size += len(piece)
        if size > most:
            raise TooLarge(f"Documents are limited to {most:,} bytes")
        yield piece


def _without_lease(job: Job) -> Job:
    return job.model_copy(update={"leased_until": None, "updated_at": job.created_at})
