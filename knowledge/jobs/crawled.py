"""Where the pages of a crawl go: each is a document of its own."""

import asyncio
from pathlib import Path

from app.domain.knowledge import Document, Failure, IngestRequest, Job, Scope
from app.domain.sites import site_of
from app.errors import NotFound
from app.store.knowledge import Documents
from knowledge.crawl.port import GONE, Known, Page, Reach
from knowledge.jobs.files import Held, kept, scratch
from knowledge.jobs.reporter import Reporter
from knowledge.naming import document_id_of, page_key
from knowledge.pipeline import Pipeline
from knowledge.sources import Source


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

    async def failed(self, failure: Failure) -> None:
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
