"""What a job consists of, by its kind."""

import asyncio
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from app.domain.access import site_matches, site_of
from app.domain.knowledge import Document, IngestFailure, IngestRequest, Job, Scope
from app.errors import NotFound, TabwrightError, Unavailable
from app.net.fetcher import Fetcher
from app.store.knowledge import Documents, KnowledgeStore
from app.store.people import Policies
from knowledge.crawl.port import GONE, CrawlRequest, Known, Page, Reach, Summary
from knowledge.ingest.document_builder import Source
from knowledge.ingest.document_ids import document_id_of, file_name, key_of, page_key
from knowledge.ingest.embedding import Reembedding
from knowledge.ingest.pipeline import Pipeline
from knowledge.jobs.progress import Reporter
from knowledge.jobs.temp_files import Held, kept, scratch, written


class Pages:
    """The `Sink` of one crawl."""

    def __init__(
        self,
        job: Job,
        documents: Documents,
        pipeline: Pipeline,
        reporter: Reporter,
        *,
        folder: Path,
        scope: Scope,
        model: str,
    ) -> None:
        self._tenant, self._user, self._request = job.tenant, job.user, job.request
        self._documents = documents
        self._pipeline = pipeline
        self._reporter = reporter
        self._folder = folder
        self._scope: Scope = scope
        self._model = model

    async def known(self, url: str) -> Known | None:
        """What was kept of the page. One whose vectors another model made is fetched again."""
        document = await self._document(url)
        if document is None:
            return None
        if document.model != self._model:
            return Known()
        return Known(
            etag=document.etag,
            last_modified=document.last_modified,
            read_at=document.ingested_at,
        )

    async def page(self, page: Page) -> None:
        """Ingest it."""
        self._reporter.reading(page.url)
        with scratch(self._folder) as path:
            held = await asyncio.to_thread(kept, path, page.body)
            source = self._source(page, held)
            outcome = await self._pipeline.ingest(
                source,
                lambda chunks, share: self._reporter.came(page.url, chunks, share * held.bytes),
            )
        self._reporter.made(page.url, held.bytes, outcome.document_id, unchanged=outcome.unchanged)

    async def unchanged(self, url: str) -> None:
        """Write that it is as it was; one that was deleted meanwhile stays deleted."""
        try:
            outcome = await self._pipeline.seen_again(self._tenant, self._id(url))
        except NotFound:
            return
        self._reporter.made(url, 0, outcome.document_id, unchanged=True)

    async def failed(self, failure: IngestFailure) -> None:
        """Tell of it; what is gone from the site is no longer true here either."""
        self._reporter.failed(failure)
        if failure.code == GONE and (document := await self._document(failure.source)):
            await self._pipeline.delete(self._tenant, document.document_id)

    def moved(self, reach: Reach) -> None:
        """It is further."""
        self._reporter.expect(documents=reach.expected)
        if reach.current:
            self._reporter.reading(reach.current)

    def cancelled(self) -> bool:
        """Never: whoever works on the job ends this task."""
        return False

    async def _document(self, url: str) -> Document | None:
        return await self._documents.by_key(self._tenant, self._request.set_name, page_key(url))

    def _id(self, url: str) -> str:
        return document_id_of(self._tenant, self._request.set_name, page_key(url))

    def _source(self, page: Page, held: Held) -> Source:
        request: IngestRequest = self._request
        return Source(
            tenant=self._tenant,
            user=self._user,
            key=page_key(page.url),
            set_name=request.set_name,
            name=page.url,
            path=held.path,
            bytes=held.bytes,
            digest=held.digest,
            scope=self._scope,
            title=request.title if request.strategy == "single" else None,
            declared=page.declared,
            url=page.url,
            domain=request.domain or site_of(page.url),
            etag=page.etag,
            last_modified=page.last_modified,
        )


CRAWLING = (
    "knowledge.crawl.crawling"  # with it comes crawlee, which no process waits for that needs none
)
DECLARED = {"html": "text/html", "text": "text/plain"}
NAMES = {"html": "page.html", "text": "text.txt"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Does jobs; `folder` is for files while they are read."""

    store: KnowledgeStore
    pipeline: Pipeline
    fetcher: Fetcher
    policies: Policies
    embedding: Reembedding
    model: str
    folder: Path

    async def do(self, job: Job, reporter: Reporter) -> None:
        """Do it, from where it stopped. A document that cannot be ingested is told to the reporter.

        Raises `Unavailable` for what may go on later.
        """
        kind = job.request.kind
        try:
            if kind == "embed":
                await self.embedding.do(job.tenant, lambda more: reporter.came("", more, 0.0))
            elif kind in ("url", "link"):
                await self._crawl(job, reporter)
            else:
                await self._file(job, reporter)
        except Unavailable:
            raise
        except TabwrightError as error:
            reporter.failed(_failure(job.request, error))

    async def _file(self, job: Job, reporter: Reporter) -> None:
        request = job.request
        name = _name(request)
        reporter.expect(documents=1, size=request.bytes)
        reporter.reading(name)
        with scratch(self.folder) as path:
            held = await written(path, self.store.files.read(job.tenant, request.file_id or ""))
            outcome = await self.pipeline.ingest(
                _source(job, name, held),
                lambda chunks, share: reporter.came(name, chunks, share * held.bytes),
            )
        reporter.made(name, held.bytes, outcome.document_id, unchanged=outcome.unchanged)

    async def _crawl(self, job: Job, reporter: Reporter) -> None:
        request = job.request
        crawling = await asyncio.to_thread(import_module, CRAWLING)
        pages = Pages(
            job,
            self.store.documents,
            self.pipeline,
            reporter,
            folder=self.folder,
            scope=request.scope or await self._scope(job),
            model=self.model,
        )
        summary: Summary = await crawling.crawl(
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
            sink=pages,
        )
        reporter.note(summary.notes)

    async def _scope(self, job: Job) -> Scope:
        """Of what a link leads to: the team's own where its policy names the site."""
        policy = await self.policies.get(job.tenant)
        site = site_of(job.request.url or "")
        return (
            "organization" if site_matches(site, policy.knowledge_domains, below=True) else "public"
        )


def _source(job: Job, name: str, held: Held) -> Source:
    request = job.request
    return Source(
        tenant=job.tenant,
        user=job.user,
        key=key_of(request, held.digest),
        set_name=request.set_name,
        name=name,
        path=held.path,
        bytes=held.bytes,
        digest=held.digest,
        scope=request.scope or "organization",
        title=request.title,
        declared=request.declared or DECLARED.get(request.kind),
        url=request.url,
        domain=request.domain,
        phase=request.phase,
        trigger_action=request.trigger_action,
        container=request.container,
    )


def _name(request: IngestRequest) -> str:
    if request.kind == "file":
        return file_name(request.name)
    return request.url or request.name or request.title or NAMES.get(request.kind, "text")


def _failure(request: IngestRequest, error: TabwrightError) -> IngestFailure:
    return IngestFailure(source=_name(request), code=error.code, reason=error.detail)
