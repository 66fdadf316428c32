"""The URLs of one crawl: persisted in the store and handed to the crawl's workers."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence

from app.store.knowledge import Frontiers, Visit
from knowledge.crawl.addresses import site_key, url_key

BATCH = 64  # waiting URLs read from the store at a time
URLS_PER_PAGE = 4  # URLs stored per requested page, since some fail and some are duplicates
WAITING, DONE, FAILED, SKIPPED = "waiting", "done", "failed", "skipped"
ALIAS = "alias"  # another spelling of a URL that is already kept
LISTED = "listed"  # marks that all sitemaps have been read
_NOT_PAGES = (ALIAS, LISTED)


class Frontier:
    """Hands out URLs until `pages` of them are done.

    At most `URLS_PER_PAGE * pages` URLs are kept. A URL that was handed out but not settled when the process
    dies is still waiting in the store.
    """

    def __init__(self, frontiers: Frontiers, tenant: str, job_id: str, *, pages: int) -> None:
        self._frontiers = frontiers
        self._tenant, self._job = tenant, job_id
        self._pages = pages
        self._ready: deque[Visit] = deque()
        self._in_flight: dict[str, Visit] = {}
        self._recently_settled: set[str] = set()  # since the store was last polled for waiting URLs
        self._changed = asyncio.Condition()
        self._seen: set[str] = set()
        self._counts: dict[str, int] = {}
        self.rejected = 0  # URLs beyond the limit
        self.closed = False

    async def load(self) -> bool:
        """Load the state of an earlier crawl; False if there is none."""
        self._counts = dict(await self._frontiers.counts(self._tenant, self._job))
        return bool(self._counts)

    def count(self, state: str) -> int:
        return self._counts.get(state, 0)

    @property
    def found(self) -> int:
        """Number of page URLs, in any state."""
        return sum(self._counts.values()) - sum(self.count(state) for state in _NOT_PAGES)

    @property
    def is_full(self) -> bool:
        return self.found >= self._pages * URLS_PER_PAGE

    def is_new(self, url: str) -> bool:
        """Whether this process has not seen the URL in this crawl."""
        return _seen_key(url) not in self._seen

    async def add(self, urls: Iterable[str], depth: int) -> int:
        """Add the new ones of these normalized URLs; returns their number."""
        visits: list[Visit] = []
        room = self._pages * URLS_PER_PAGE - self.found
        for url in urls:
            key = _seen_key(url)
            if key in self._seen:
                continue
            if len(visits) >= room:
                self.rejected += 1
                continue
            self._seen.add(key)
            if await self._claim_spelling(url):
                visits.append(Visit(url=url, depth=depth))
        added = await self._store(visits)
        self._count(WAITING, added)
        await self._wake_workers()
        return added

    async def claim(self, url: str, depth: int) -> bool:
        """Put a redirect's target in flight; False if the crawl already has the URL."""
        if url in self._in_flight or not await self._claim_spelling(url):
            return False
        self._seen.add(_seen_key(url))
        self._in_flight[url] = Visit(url=url, depth=depth)
        if await self._store([self._in_flight[url]]):
            self._count(WAITING, 1)
            return True
        del self._in_flight[url]
        return False

    async def settle(self, url: str, state: str) -> None:
        await self._frontiers.settle(self._tenant, self._job, url, state)
        self._recently_settled.add(url)
        self._in_flight.pop(url, None)
        self._count(WAITING, -1)
        self._count(state, 1)
        await self._wake_workers()

    async def mark(self, url: str, state: str) -> bool:
        """Store a row that is not a page to visit; False if it exists."""
        is_new = await self._store([Visit(url=url, state=state)]) > 0
        self._count(state, int(is_new))
        return is_new

    async def take(self) -> Visit | None:
        """The next URL, waiting while those in flight may still lead to one; None when the crawl is over."""
        async with self._changed:
            while (visit := await self._next()) is None and self._in_flight:
                await self._changed.wait()
            return visit

    async def _next(self) -> Visit | None:
        if self.closed or self.count(DONE) + len(self._in_flight) >= self._pages:
            return None
        if not self._ready:
            await self._read_waiting()
        while self._ready:
            visit = self._ready.popleft()
            if visit.url not in self._in_flight:
                self._in_flight[visit.url] = visit
                return visit
        return None

    async def _read_waiting(self) -> None:
        """Refill `_ready`, without the URLs settled since, as the store's answer may be outdated."""
        if self.count(WAITING) <= len(self._in_flight):
            return
        self._recently_settled.clear()
        limit = len(self._in_flight) + BATCH
        waiting = await self._frontiers.next(self._tenant, self._job, limit=limit)
        in_progress = self._in_flight.keys() | self._recently_settled
        self._ready.extend(visit for visit in waiting if visit.url not in in_progress)

    async def _wake_workers(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _claim_spelling(self, url: str) -> bool:
        """Whether no other spelling of the URL is kept."""
        key = url_key(url)
        return key == url or await self.mark(key, ALIAS)

    async def _store(self, visits: Sequence[Visit]) -> int:
        return await self._frontiers.add(self._tenant, self._job, visits) if visits else 0

    def _count(self, state: str, change: int) -> None:
        self._counts[state] = self.count(state) + change


def _seen_key(url: str) -> str:
    """The same for http and https, with and without `www.`."""
    return site_key(url) + url_key(url).partition("://")[2].partition("/")[2]
