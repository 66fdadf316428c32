"""Crawls: one page, a site by its sitemap, or a site by its links.

Imports crawlee, which takes its time: import this where it is used.
"""

import asyncio
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import replace
from typing import cast

from crawlee.crawlers import BasicCrawlingContext

from app.domain.knowledge import IngestFailure
from app.errors import AddressRefused, FetchFailed
from app.net.fetcher import Fetcher, Limits
from app.store.knowledge import Frontiers
from knowledge.crawl import port
from knowledge.crawl import visitor as visiting
from knowledge.crawl.addresses import normal
from knowledge.crawl.client import Answer, GuardedClient
from knowledge.crawl.crawler import QuietCrawler
from knowledge.crawl.frontier import DONE, FAILED, LISTED, SKIPPED, WAITING, Frontier
from knowledge.crawl.polite_fetch import Asking, Pace
from knowledge.crawl.port import CrawlRequest, Manners, Reach, Sink, Summary
from knowledge.crawl.robots import Robots
from knowledge.crawl.sitemaps import Entry, Sitemaps
from knowledge.crawl.url_filter import worth_asking
from knowledge.crawl.visitor import Notes, Visitor

BATCH = 100  # addresses that are kept at a time
DEPTH = 1  # of the pages: a sitemap is one step from the beginning


class Listing:
    """Keeps what sitemaps list, as far as there is room, but for what needs no visit."""

    def __init__(
        self, request: CrawlRequest, frontier: Frontier, sink: Sink, visitor: Visitor, said: Notes
    ) -> None:
        self._request, self._frontier, self._sink = request, frontier, sink
        self._visitor, self._notes = visitor, said

    async def read(self, sitemaps: Sitemaps) -> None:
        """Keep it all; without any page in any sitemap the crawl has failed, and says so to the sink."""
        await self._visitor.rules(
            self._request.url
        )  # the delay that the site asks for holds from here on
        batch: list[str] = []
        async with aclosing(sitemaps.entries(self._request.url)) as found:
            async for entry in found:
                if self._frontier.is_full:
                    self._notes.say("The sitemap lists more pages than were asked for.")
                    break
                if await self._needs_visit(entry):
                    batch.append(entry.url)
                if len(batch) >= BATCH:
                    await self._frontier.add(batch, DEPTH)
                    batch.clear()
        await self._frontier.add(batch, DEPTH)
        for note in sitemaps.notes:
            self._notes.say(note)
        if not self._frontier.found:
            await self._sink.failed(self._nothing(read=bool(sitemaps.read)))

    def _nothing(self, *, read: bool) -> IngestFailure:
        code, reason = (
            (port.EMPTY_SITEMAP, "The site's sitemap lists no page of the site that can be read")
            if read
            else (port.NO_SITEMAP, "The site has no sitemap that can be read")
        )
        return IngestFailure(source=self._request.url, code=code, reason=reason)

    async def _needs_visit(self, entry: Entry) -> bool:
        if not self._frontier.is_new(entry.url):
            return False
        if not worth_asking(entry.url):
            self._notes.left_out(visiting.NOT_READ)
            return False
        if not (await self._visitor.rules(entry.url)).allows(entry.url):
            self._notes.left_out(visiting.DISALLOWED)
            return False
        known = await self._sink.known(entry.url) if entry.changed else None
        if known and known.read_at and entry.changed and entry.changed < known.read_at:
            if await self._frontier.mark(entry.url, DONE):
                await self._sink.unchanged(entry.url)
            return False
        return True


MANNERS = Manners()
LOOK_S = 0.2  # how often it is asked whether to stop


async def crawl(
    request: CrawlRequest,
    *,
    fetcher: Fetcher,
    frontiers: Frontiers,
    sink: Sink,
    manners: Manners = MANNERS,
) -> Summary:
    """Hand the pages of `request` to `sink`, going on where an earlier crawl of the same job stopped.

    Raises `AddressRefused` for what is no address of a page, and what the sink or the store raise but for
    single pages. What happens to a page is told to the sink and is no error of the crawl.
    """
    return await _Crawl(request, fetcher, frontiers, sink, manners).run()


class _Crawl:
    def __init__(
        self,
        request: CrawlRequest,
        fetcher: Fetcher,
        frontiers: Frontiers,
        sink: Sink,
        manners: Manners,
    ) -> None:
        self._request = replace(request, url=normal(request.url))
        self._sink = sink
        self._manners = manners
        self._fetcher = fetcher
        self._notes = Notes()
        pages = 1 if request.strategy == "single" else max(1, request.max_pages)
        self._frontier = Frontier(frontiers, request.tenant, request.job_id, pages=pages)
        self._pages = pages
        self._robots, self._pace = Robots(fetcher), Pace()
        self._visitor = Visitor(
            self._request,
            self._frontier,
            sink,
            robots=self._robots,
            asking=Asking(pace=self._pace, manners=manners),
            said=self._notes,
        )
        limits = Limits(read_s=manners.read_s, total_s=manners.page_s, max_bytes=manners.page_bytes)
        self._crawler = QuietCrawler(
            self._frontier, GuardedClient(fetcher, limits), self._handled, at_once=manners.at_once
        )
        self._broke: Exception | None = None

    async def run(self) -> Summary:
        begun = await self._frontier.open()
        working = asyncio.create_task(self._worked(begun))
        try:
            while not working.done() and not self._sink.cancelled():
                await asyncio.wait((working,), timeout=LOOK_S)
        finally:
            stopped = not working.done()
            working.cancel()
            await asyncio.wait((working,))
        if not stopped:
            working.result()
        if self._broke:
            raise self._broke
        return self._summary(finished=not stopped)

    async def _worked(self, begun: bool) -> None:
        if not await self._may_begin():
            return
        if self._request.strategy == "sitemap":
            await self._listed(begun)
        elif not begun:
            await self._frontier.add([self._request.url], 0)
        await self._crawler.work()

    async def _may_begin(self) -> bool:
        """Whether the address that was given may be fetched at all: said before robots.txt or a site map
        is looked for there, which would fail for other reasons.
        """
        try:
            await self._fetcher.guard.check(self._request.url)
        except AddressRefused as error:
            url = self._request.url
            await self._sink.failed(IngestFailure(source=url, code=error.code, reason=error.detail))
            return False
        except FetchFailed:  # a name that is not known now: the page itself says so
            return True
        return True

    async def _listed(self, begun: bool) -> None:
        """Keep what the sitemaps list, unless an earlier crawl has done so to the end."""
        mark = f"{self._request.url}#sitemap"
        if begun and self._frontier.count(LISTED):
            return
        listing = Listing(self._request, self._frontier, self._sink, self._visitor, self._notes)
        await listing.read(Sitemaps(self._fetcher, self._robots, self._pace, self._manners))
        await self._frontier.mark(mark, LISTED)

    async def _handled(self, context: BasicCrawlingContext) -> None:
        """crawlee's request handler; it never sees an error, as it would log the address and go on."""

        async def send(url: str, headers: Mapping[str, str]) -> Answer:
            answer = await context.send_request(url, headers=dict(headers))
            return cast("Answer", answer)

        visit = self._frontier.visit(context.request)
        try:
            await self._visitor.visit(visit, send)
            self._sink.moved(self._reach(visit.url))
        except Exception as error:  # noqa: BLE001 - raised by `run`
            self._broke = self._broke or error
            self._crawler.end()

    def _reach(self, current: str = "") -> Reach:
        count = self._frontier.count
        return Reach(
            found=self._frontier.found,
            done=count(DONE),
            failed=count(FAILED),
            skipped=count(SKIPPED),
            expected=min(self._pages, count(DONE) + count(WAITING)),
            current=current,
        )

    def _summary(self, *, finished: bool) -> Summary:
        rest = self._frontier.left_out + self._frontier.count(WAITING)
        if finished and not self._frontier.closed:
            self._notes.left_out(visiting.ROOM, rest)
        return Summary(finished=finished, reach=self._reach(), notes=self._notes.told())
