"""Visits one URL of a crawl: fetches it, follows its links and hands the page to the sink."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.errors import FetchFailed, TabwrightError, Unavailable
from app.net.fetcher import Fetched
from app.store.knowledge import Visit
from knowledge.crawl import port
from knowledge.crawl.addresses import (
    HTML_TYPES,
    TrapFilter,
    is_supported_type,
    may_hold_document,
    normalize_url,
    site_key,
    url_key,
)
from knowledge.crawl.frontier import DONE, FAILED, SKIPPED, Frontier
from knowledge.crawl.page_scan import PageScan, parse_robots_directives, scan_page
from knowledge.crawl.polite_fetch import PageFailed, PoliteFetcher, Robots, RobotsRules
from knowledge.crawl.port import CrawledPage, CrawlRequest, PageSink

SCANNED_BYTES = 5_000_000  # of a page that are scanned for links
REDIRECTS_AWAY = "It redirects to another site"


class Skip(StrEnum):
    """Why a URL was not read."""

    DISALLOWED = "disallowed by robots.txt"
    TRAP = "part of an endless series"
    UNSUPPORTED = "unsupported file type"
    OFF_SITE = "redirects to another site"
    NOINDEX = "marked noindex"
    PAGE_LIMIT = "page limit reached"


class CrawlNotes:
    """Collects sentences, and counts skipped URLs by reason."""

    def __init__(self) -> None:
        self._skipped: Counter[Skip] = Counter()
        self._sentences: dict[str, None] = {}

    def count_skipped(self, why: Skip, count: int = 1) -> None:
        self._skipped[why] += count

    def add(self, sentence: str) -> None:
        self._sentences[sentence] = None

    def sentences(self) -> tuple[str, ...]:
        counted = (
            f"{count} {'URL' if count == 1 else 'URLs'} skipped: {why}."
            for why, count in self._skipped.items()
            if count
        )
        return (*self._sentences, *counted)


@dataclass
class Visitor:
    """Visits the URLs of one crawl."""

    request: CrawlRequest
    frontier: Frontier
    sink: PageSink
    robots: Robots
    fetcher: PoliteFetcher
    notes: CrawlNotes
    _traps: TrapFilter = field(default_factory=TrapFilter)
    _unresponsive: int = 0  # consecutive failures of the site

    async def visit(self, visit: Visit) -> None:
        """Visit a URL and settle it. Raises only errors that end the crawl."""
        try:
            state = await self._visit(visit)
            self._unresponsive = 0
        except PageFailed as error:
            self._unresponsive = self._unresponsive + 1 if error.unresponsive else 0
            await self.sink.report_failure(error.failure)
            state = FAILED
        limit = self.fetcher.politeness.max_unresponsive
        if self._unresponsive >= limit and not self.frontier.closed:
            self.frontier.closed = True
            self.notes.add("The site stopped responding, so the remaining pages were not fetched.")
        await self.frontier.settle(visit.url, state)

    async def rules_for(self, url: str) -> RobotsRules:
        """The robots.txt rules for a URL; slows the crawl down to their delay."""
        rules = await self.robots.rules_for(url)
        pacer, longest = self.fetcher.pacer, self.fetcher.politeness.max_delay_s
        pacer.delay_s = max(pacer.delay_s, min(rules.delay_s, longest))
        if rules.delay_s > longest:
            self.notes.add(
                f"The site asks for {rules.delay_s:g} seconds between pages; {longest:g} were used."
            )
        return rules

    async def _visit(self, visit: Visit) -> str:
        await self._require_allowed(visit.url, visit.url)
        # A 304 has no body to find links in, so a page whose links are needed is fetched
        # unconditionally.
        known = None if self._is_followed(visit) else await self.sink.find_known(visit.url)
        response = await self.fetcher.fetch(visit.url, known)
        if response.status == 304:
            await self.sink.mark_unchanged(visit.url)
            return DONE
        url = normalize_url(response.url)
        if not self._is_same_site(url, visit):
            return self._skip(visit, Skip.OFF_SITE, port.OFF_SITE, REDIRECTS_AWAY)
        if url_key(url) == url_key(visit.url):
            return await self._read(visit, url, response)
        return await self._read_target(visit, url, response)

    async def _read_target(self, visit: Visit, url: str, response: Fetched) -> str:
        await self._require_allowed(url, visit.url)
        if not await self.frontier.claim(url, visit.depth):
            return SKIPPED
        try:
            state = await self._read(visit, url, response)
        except PageFailed:
            await self.frontier.settle(url, FAILED)
            raise
        await self.frontier.settle(url, state)
        return SKIPPED

    async def _read(self, visit: Visit, url: str, response: Fetched) -> str:
        if not is_supported_type(response.kind):
            reason = f"Files of type {response.kind[:80]} are not supported"
            raise PageFailed(visit.url, "DOCUMENT_UNSUPPORTED", reason)
        scan = await self._scan(url, response)
        if scan.redirect_url and scan.redirect_url != url:
            return await self._follow_redirect(scan.redirect_url, visit)
        if self._is_followed(visit):
            await self._add_links(scan.links, url, visit)
        if scan.is_shell:
            reason = "JavaScript renders this page: open it in the browser and capture it with the extension"
            raise PageFailed(visit.url, port.NEEDS_BROWSER, reason)
        if scan.noindex:
            return self._skip(
                visit, Skip.NOINDEX, port.NOT_INDEXED, "The page asks not to be indexed"
            )
        await self._store(visit, url, response)
        return DONE

    async def _scan(self, url: str, response: Fetched) -> PageScan:
        header = response.headers.get("x-robots-tag", "")
        body, kind = response.body, response.kind
        if kind in HTML_TYPES or (not kind and body[:200].lstrip().startswith(b"<")):
            content_type = response.headers.get("content-type", "")
            return await asyncio.to_thread(
                scan_page, body[:SCANNED_BYTES], url, content_type, header
            )
        return PageScan(noindex="noindex" in parse_robots_directives(header))

    async def _follow_redirect(self, target: str, visit: Visit) -> str:
        if not self._is_same_site(target, visit):
            return self._skip(visit, Skip.OFF_SITE, port.OFF_SITE, REDIRECTS_AWAY)
        await self._require_allowed(target, visit.url)
        if not await self.frontier.add([target], visit.depth) and visit.depth == 0:
            raise PageFailed(visit.url, FetchFailed.code, "The site redirects in a loop")
        return SKIPPED

    async def _store(self, visit: Visit, url: str, response: Fetched) -> None:
        page = CrawledPage(
            url=url,
            body=response.body,
            content_type=response.headers.get("content-type", ""),
            etag=response.headers.get("etag"),
            last_modified=response.headers.get("last-modified"),
        )
        try:
            await self.sink.store_page(page)
        except Unavailable:
            raise
        except TabwrightError as error:
            raise PageFailed(visit.url, error.code, error.detail) from error

    async def _add_links(self, links: Sequence[str], url: str, visit: Visit) -> None:
        sites = {site_key(self.request.url), site_key(visit.url), site_key(url)}
        accepted: list[str] = []
        for link in links:
            if site_key(link) not in sites or not may_hold_document(link):
                continue
            if not self.frontier.is_new(link):
                continue
            if not (await self.rules_for(link)).allows(link):
                self.notes.count_skipped(Skip.DISALLOWED)
            elif not self._traps.admits(link):
                self.notes.count_skipped(Skip.TRAP)
            else:
                accepted.append(link)
        await self.frontier.add(accepted, visit.depth + 1)

    def _is_followed(self, visit: Visit) -> bool:
        return self.request.strategy == "spider" and visit.depth < self.request.max_depth

    async def _require_allowed(self, url: str, requested_url: str) -> None:
        """Raises `PageFailed` if robots.txt disallows the URL."""
        rules = await self.rules_for(url)
        if rules.unreachable:
            reason = f"The site's robots.txt could not be read: {rules.unreachable}"
            raise PageFailed(requested_url, port.DISALLOWED, reason, unresponsive=True)
        if not rules.allows(url):
            raise PageFailed(requested_url, port.DISALLOWED, "The site's robots.txt disallows it")

    def _is_same_site(self, url: str, visit: Visit) -> bool:
        """Whether a URL is on the requested site, or where the first page redirects to."""
        if visit.depth == 0:
            return True
        return site_key(url) in (site_key(self.request.url), site_key(visit.url))

    def _skip(self, visit: Visit, why: Skip, code: str, reason: str) -> str:
        """Fail a page that was requested by name; only count one found by a link."""
        if visit.depth == 0:
            raise PageFailed(visit.url, code, reason)
        self.notes.count_skipped(why)
        return SKIPPED
