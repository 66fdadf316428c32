"""Runs one job: ingests a file, crawls a site, or re-embeds a tenant's chunks."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import NamedTemporaryFile

from app.domain.access import site_matches, site_of
from app.domain.knowledge import Document, IngestFailure, IngestRequest, Job, Scope
from app.errors import NotFound, TabwrightError, Unavailable
from app.net.fetcher import Fetcher
from app.store.knowledge import KnowledgeStore
from app.store.people.keys import Policies
from knowledge.crawl import (
    GONE,
    CrawledPage,
    CrawlRequest,
    CrawlSummary,
    KnownPage,
)
from knowledge.ingest import (
    DocumentSource,
    Pipeline,
    Reembedder,
    document_id_of,
    document_key,
    normalize_file_name,
    page_document_key,
)
from knowledge.jobs.progress import ProgressReporter

CRAWLER = "knowledge.crawl.crawler"  # imports lxml, which only crawls need
MEDIA_TYPES = {"html": "text/html", "text": "text/plain"}
DEFAULT_NAMES = {"html": "page.html", "text": "text.txt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TempFile:
    """A temporary file: path, size in bytes and SHA-256."""

    path: Path
    bytes: int
    digest: str


@contextmanager
def temp_file(folder: Path) -> Iterator[Path]:
    """A new file, deleted on exit; files of a dead process are deleted with the folder."""
    with NamedTemporaryFile(dir=folder, prefix="document-", delete=False) as file:
        path = Path(file.name)
    try:
        yield path
    finally:
        path.unlink(missing_ok=True)


async def write_stream(path: Path, pieces: AsyncIterator[bytes]) -> TempFile:
    digest, size = hashlib.sha256(), 0
    file = await asyncio.to_thread(path.open, "wb")
    try:
        async for piece in pieces:
            digest.update(piece)
            size += len(piece)
            await asyncio.to_thread(file.write, piece)
    finally:
        await asyncio.to_thread(file.close)
    return TempFile(path=path, bytes=size, digest=digest.hexdigest())


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Runs jobs. `folder` is for temporary files; `model` names the embedding model."""

    store: KnowledgeStore
    pipeline: Pipeline
    fetcher: Fetcher
    policies: Policies
    embedding: Reembedder
    model: str
    folder: Path

    async def run(self, job: Job, reporter: ProgressReporter) -> None:
        """Run a job from where it stopped. A document that cannot be ingested is reported
        as a failure. Raises `Unavailable` if the job can continue later.
        """
        kind = job.request.kind
        try:
            if kind == "embed":
                await self.embedding.run(
                    job.tenant, lambda more: reporter.add_chunks("", more, 0.0)
                )
            elif kind in ("url", "link"):
                await self._crawl(job, reporter)
            else:
                await self._ingest_file(job, reporter)
        except Unavailable:
            raise
        except TabwrightError as error:
            source = _name(job.request)
            reporter.add_failure(IngestFailure(source=source, code=error.code, reason=error.detail))

    async def _ingest_file(self, job: Job, reporter: ProgressReporter) -> None:
        request = job.request
        name = _name(request)
        reporter.expect(documents=1, size=request.bytes)
        reporter.start_document(name)
        with temp_file(self.folder) as path:
            upload = self.store.files.read(job.tenant, request.file_id or "")
            await self.ingest(_file_source(job, name, await write_stream(path, upload)), reporter)

    async def ingest(self, source: DocumentSource, reporter: ProgressReporter) -> None:
        outcome = await self.pipeline.ingest(
            source,
            lambda chunks, share: reporter.add_chunks(source.name, chunks, share * source.bytes),
        )
        reporter.finish_document(
            source.name, source.bytes, outcome.document_id, unchanged=outcome.unchanged
        )

    async def _crawl(self, job: Job, reporter: ProgressReporter) -> None:
        request = job.request
        crawler = await asyncio.to_thread(import_module, CRAWLER)
        scope = request.scope
        if scope is None:
            own_sites = (await self.policies.get(job.tenant)).knowledge_domains
            is_own = site_matches(site_of(request.url or ""), own_sites, below=True)
            scope = "organization" if is_own else "public"
        sink = _DocumentSink(self, job, reporter, scope)
        summary: CrawlSummary = await crawler.crawl(
            CrawlRequest(
                tenant=job.tenant,
                job_id=job.job_id,
                url=request.url or "",
                strategy=request.strategy if request.kind == "link" else "single",
                max_pages=request.max_pages,
                max_depth=request.max_depth,
            ),
            fetcher=self.fetcher,
            frontiers=self.store.frontiers,
            sink=sink,
        )
        reporter.set_notes(summary.notes)


@dataclass(frozen=True, slots=True)
class _DocumentSink:
    """Ingests each page of a crawl as a document; see `PageSink`."""

    work: Work
    job: Job
    reporter: ProgressReporter
    scope: Scope

    async def find_known(self, url: str) -> KnownPage | None:
        """Pages embedded by another model have no validators, so that they are fetched again."""
        document = await self._find(url)
        if document is None:
            return None
        if document.model != self.work.model:
            return KnownPage()
        return KnownPage(
            etag=document.etag,
            last_modified=document.last_modified,
            read_at=document.ingested_at,
        )

    async def store_page(self, page: CrawledPage) -> None:
        self.reporter.start_document(page.url)
        with temp_file(self.work.folder) as path:
            await asyncio.to_thread(path.write_bytes, page.body)
            digest = await asyncio.to_thread(hashlib.sha256, page.body)
            file = TempFile(path=path, bytes=len(page.body), digest=digest.hexdigest())
            await self.work.ingest(self._source(page, file), self.reporter)

    async def mark_unchanged(self, url: str) -> None:
        """Do nothing if the document has been deleted meanwhile."""
        document_id = document_id_of(
            self.job.tenant, self.job.request.set_name, page_document_key(url)
        )
        try:
            outcome = await self.work.pipeline.confirm_unchanged(self.job.tenant, document_id)
        except NotFound:
            return
        self.reporter.finish_document(url, 0, outcome.document_id, unchanged=True)

    async def report_failure(self, failure: IngestFailure) -> None:
        """Report the failure, and delete the document of a page that is gone."""
        self.reporter.add_failure(failure)
        if failure.code == GONE and (document := await self._find(failure.source)):
            await self.work.pipeline.delete(self.job.tenant, document.document_id)

    def report_progress(self, url: str, expected: int) -> None:
        self.reporter.expect(documents=expected)
        self.reporter.start_document(url)

    async def _find(self, url: str) -> Document | None:
        return await self.work.store.documents.find_by_key(
            self.job.tenant, self.job.request.set_name, page_document_key(url)
        )

    def _source(self, page: CrawledPage, file: TempFile) -> DocumentSource:
        request = self.job.request
        return DocumentSource(
            tenant=self.job.tenant,
            user=self.job.user,
            key=page_document_key(page.url),
            set_name=request.set_name,
            name=page.url,
            path=file.path,
            bytes=file.bytes,
            digest=file.digest,
            scope=self.scope,
            title=request.title if request.strategy == "single" else None,
            declared=page.content_type,
            url=page.url,
            domain=request.domain or site_of(page.url),
            etag=page.etag,
            last_modified=page.last_modified,
        )


def _file_source(job: Job, name: str, file: TempFile) -> DocumentSource:
    request = job.request
    return DocumentSource(
        tenant=job.tenant,
        user=job.user,
        key=document_key(request, file.digest),
        set_name=request.set_name,
        name=name,
        path=file.path,
        bytes=file.bytes,
        digest=file.digest,
        scope=request.scope or "organization",
        title=request.title,
        declared=request.declared or MEDIA_TYPES.get(request.kind),
        url=request.url,
        domain=request.domain,
        phase=request.phase,
        trigger_action=request.trigger_action,
        container=request.container,
    )


def _name(request: IngestRequest) -> str:
    if request.kind == "file":
        return normalize_file_name(request.name)
    return request.url or request.name or request.title or DEFAULT_NAMES.get(request.kind, "text")
