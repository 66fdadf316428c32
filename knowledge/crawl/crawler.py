"""Crawls one page, a site by its sitemap, or a site by its links."""

import asyncio
from contextlib import aclosing
from dataclasses import replace

from app.domain.knowledge import IngestFailure
from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import Fetcher
from app.store.knowledge import Frontiers
from knowledge.crawl import port
from knowledge.crawl.addresses import may_hold_document, normalize_url
from knowledge.crawl.frontier import DONE, LISTED, WAITING, Frontier
from knowledge.crawl.polite_fetch import Pacer, PoliteFetcher, Robots
from knowledge.crawl.port import CrawlRequest, CrawlSummary, PageSink, Politeness
from knowledge.crawl.sitemaps import SitemapEntry, Sitemaps
from knowledge.crawl.visitor import CrawlNotes, Skip, Visitor

POLITENESS = Politeness()
SITEMAP_BATCH = 100  # sitemap URLs stored at a time
SITEMAP_DEPTH = 1  # depth of pages listed by a sitemap: one step from the start


async def crawl(
    request: CrawlRequest,
    *,
    fetcher: Fetcher,
    frontiers: Frontiers,
    sink: PageSink,
    politeness: Politeness = POLITENESS,
) -> CrawlSummary:
    """Crawl the pages of `request` into `sink`, resuming an earlier crawl of the same job. A
    page that fails is reported to the sink and does not end the crawl. Cancelling the task
    keeps the frontier, so that another crawl can resume. Raises `AddressRefused` if
    `request.url` is not the URL of a page, and errors of the sink and the store.
    """
    return await _Crawl(request, fetcher, frontiers, sink, politeness).run()


class _Crawl:
    def __init__(
        self,
        request: CrawlRequest,
        fetcher: Fetcher,
        frontiers: Frontiers,
        sink: PageSink,
        politeness: Politeness,
    ) -> None:
        self._request = replace(request, url=normalize_url(request.url))
        self._sink, self._fetcher, self._politeness = sink, fetcher, politeness
        self._pages = 1 if request.strategy == "single" else max(1, request.max_pages)
        self._frontier = Frontier(frontiers, request.tenant, request.job_id, pages=self._pages)
        self._robots, self._pacer, self._notes = Robots(fetcher), Pacer(), CrawlNotes()
        self._visitor = Visitor(
            self._request,
            self._frontier,
            sink,
            self._robots,
            PoliteFetcher(fetcher=fetcher, pacer=self._pacer, politeness=politeness),
            self._notes,
        )

    async def run(self) -> CrawlSummary:
        resumed = await self._frontier.load()
        if await self._is_start_allowed():
            if self._request.strategy == "sitemap":
                await self._add_sitemap_pages(resumed)
            elif not resumed:
                await self._frontier.add([self._request.url], 0)
            await self._visit_all()
        if not self._frontier.closed:
            unread = self._frontier.rejected + self._frontier.count(WAITING)
            self._notes.count_skipped(Skip.PAGE_LIMIT, unread)
        return CrawlSummary(
            found=self._frontier.found,
            done=self._frontier.count(DONE),
            notes=self._notes.sentences(),
        )

    async def _is_start_allowed(self) -> bool:
        """Check the start URL before robots.txt and sitemaps, whose failures hide the reason."""
        url = self._request.url
        try:
            await self._fetcher.guard.check(url)
        except AddressRefused as error:
            failure = IngestFailure(source=url, code=error.code, reason=error.detail)
            await self._sink.report_failure(failure)
            return False
        except FetchFailed:  # the name does not resolve now: the visit reports that
            return True
        return True

    async def _visit_all(self) -> None:
        """Visit URLs until the frontier is exhausted; the first error ends all workers and is raised."""
        try:
            async with asyncio.TaskGroup() as workers:
                for _ in range(self._politeness.concurrency):
                    workers.create_task(self._work())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _work(self) -> None:
        while visit := await self._frontier.take():
            await self._visitor.visit(visit)
            expected = self._frontier.count(DONE) + self._frontier.count(WAITING)
            self._sink.report_progress(visit.url, min(self._pages, expected))

    async def _add_sitemap_pages(self, resumed: bool) -> None:
        """Add the sitemaps' pages, unless an earlier crawl added all of them."""
        if resumed and self._frontier.count(LISTED):
            return
        url = self._request.url
        await self._visitor.rules_for(url)  # slows the crawl down to the site's delay
        sitemaps = Sitemaps(self._fetcher, self._robots, self._pacer, self._politeness)
        batch: list[str] = []
        async with aclosing(sitemaps.entries(url)) as entries:
            async for entry in entries:
                if self._frontier.is_full:
                    self._notes.add("The sitemap lists more pages than the limit allows.")
                    break
                if await self._needs_visit(entry):
                    batch.append(entry.url)
                if len(batch) >= SITEMAP_BATCH:
                    await self._frontier.add(batch, SITEMAP_DEPTH)
                    batch.clear()
        await self._frontier.add(batch, SITEMAP_DEPTH)
        for note in sitemaps.notes:
            self._notes.add(note)
        if not self._frontier.found:
            code, reason = port.NO_SITEMAP, "The site has no sitemap that can be read"
            if sitemaps.read:
                code = port.EMPTY_SITEMAP
                reason = "The site's sitemap lists no page of the site that can be read"
            await self._sink.report_failure(IngestFailure(source=url, code=code, reason=reason))
        await self._frontier.mark(f"{url}#sitemap", LISTED)

    async def _needs_visit(self, entry: SitemapEntry) -> bool:
        if not self._frontier.is_new(entry.url):
            return False
        if not may_hold_document(entry.url):
            self._notes.count_skipped(Skip.UNSUPPORTED)
            return False
        if not (await self._visitor.rules_for(entry.url)).allows(entry.url):
            self._notes.count_skipped(Skip.DISALLOWED)
            return False
        if not entry.modified_at:
            return True
        known = await self._sink.find_known(entry.url)
        if known and known.read_at and entry.modified_at < known.read_at:
            if await self._frontier.mark(entry.url, DONE):
                await self._sink.mark_unchanged(entry.url)
            return False
        return True
