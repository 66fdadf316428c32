"""What a job consists of, by its kind."""

import asyncio
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from app.domain.knowledge import Failure, IngestRequest, Job, Scope
from app.domain.sites import listed, site_of
from app.errors import TabwrightError, Unavailable
from app.net.fetcher import Fetcher
from app.store.knowledge import KnowledgeStore
from app.store.people import Policies
from knowledge.crawl.port import CrawlRequest, Summary
from knowledge.jobs.crawled import Pages
from knowledge.jobs.embedding import Reembedding
from knowledge.jobs.files import Held, scratch, written
from knowledge.jobs.reporter import Reporter
from knowledge.naming import file_name, key_of
from knowledge.pipeline import Pipeline
from knowledge.sources import Source

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
        return "organization" if listed(site, policy.knowledge_domains, below=True) else "public"


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


def _failure(request: IngestRequest, error: TabwrightError) -> Failure:
    return Failure(source=_name(request), code=error.code, reason=error.detail)
