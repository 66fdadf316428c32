"""The addresses of one crawl: kept in the store, handed to crawlee a few at a time."""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from datetime import timedelta

from crawlee import Request
from crawlee.request_loaders import RequestManager
from crawlee.storage_clients.models import ProcessedRequest

from app.store.knowledge import Frontiers, Visit
from knowledge.crawl import addresses

BATCH = 64  # waiting addresses that are read from the store at a time
MOST_FOUND = 4  # addresses kept for each page that is wanted: some fail, some are the same page
WAITING, DONE, FAILED, SKIPPED = "waiting", "done", "failed", "skipped"
ALIAS = "alias"  # another spelling of an address that is kept as it was found
LISTED = "listed"  # the sitemaps were read to their end
# crawlee is not told the address, which it would check by rules of its own: `Frontier.visit` knows it.
UNNAMED = "http://crawl.invalid/"
_NO_VISITS = (ALIAS, LISTED)


class Frontier(RequestManager):
    """What crawlee takes its requests from, until `pages` of them are done. What was handed out and not
    settled when a process dies waits still. `MOST_FOUND` times `pages` addresses are kept at most.
    """

    def __init__(self, frontiers: Frontiers, tenant: str, job_id: str, *, pages: int) -> None:
        self._frontiers = frontiers
        self._tenant, self._job = tenant, job_id
        self._pages = pages
        self._ready: deque[Visit] = deque()
        self._out: dict[str, Visit] = {}
        self._lately: set[str] = set()  # settled since the store was last asked what waits
        self._reading = asyncio.Lock()
        self._seen: set[str] = set()
        self._counts: dict[str, int] = {}
        self.left_out = 0  # for want of room
        self.closed = False

    async def open(self) -> bool:
        """Read how far it is; whether anything was found before."""
        self._counts = dict(await self._frontiers.counts(self._tenant, self._job))
        return bool(self._counts)

    def count(self, state: str) -> int:
        """How many addresses are in this state."""
        return self._counts.get(state, 0)

    @property
    def found(self) -> int:
        """Addresses of pages that are kept, whatever became of them."""
        return sum(self._counts.values()) - sum(self.count(state) for state in _NO_VISITS)

    @property
    def is_full(self) -> bool:
        """Whether no further address is kept."""
        return self.found >= self._pages * MOST_FOUND

    def is_new(self, url: str) -> bool:
        """Whether this crawl has not come across it, as far as it remembers."""
        return _known_as(url) not in self._seen

    async def add(self, found: Iterable[str], depth: int) -> int:
        """Keep those of these `normal` addresses that are new; how many were."""
        fresh: list[Visit] = []
        room = self._pages * MOST_FOUND - self.found
        for url in found:
            seen = _known_as(url)
            if seen in self._seen:
                continue
            if len(fresh) >= room:
                self.left_out += 1
                continue
            self._seen.add(seen)
            if await self._is_first(url):
                fresh.append(Visit(url=url, depth=depth))
        added = await self._keep(fresh)
        return self._moved(WAITING, added)

    async def claim(self, url: str, depth: int) -> bool:
        """Keep an address that another led to, as one that is being dealt with; False if it is known."""
        if url in self._out or not await self._is_first(url):
            return False
        self._seen.add(_known_as(url))
        self._out[url] = Visit(url=url, depth=depth)
        if await self._keep([self._out[url]]):
            self._moved(WAITING, 1)
            return True
        del self._out[url]
        return False

    async def settle(self, url: str, state: str) -> None:
        """Write what became of one that was handed out."""
        await self._frontiers.settle(self._tenant, self._job, url, state)
        self._lately.add(url)
        self._out.pop(url, None)
        self._moved(WAITING, -1)
        self._moved(state, 1)

    async def mark(self, url: str, state: str) -> bool:
        """Keep something that is no page; False if it is there already."""
        mark = [Visit(url=url, state=state)]
        new = await self._frontiers.add(self._tenant, self._job, mark) > 0
        self._moved(state, int(new))
        return new

    async def is_empty(self) -> bool:
        """Whether nothing is to be handed out now."""
        if self.closed or self.count(DONE) + len(self._out) >= self._pages:
            return True
        if not self._ready:
            async with self._reading:
                await self._read()
        return not self._ready

    async def _read(self) -> None:
        """A few of those that wait. What the store says is old when it comes: see `_lately`."""
        if self._ready or self.count(WAITING) <= len(self._out):
            return
        self._lately.clear()
        most = len(self._out) + BATCH
        waiting = await self._frontiers.next(self._tenant, self._job, limit=most)
        taken = self._out.keys() | self._lately
        self._ready.extend(visit for visit in waiting if visit.url not in taken)

    async def is_finished(self) -> bool:
        """Whether nothing is to come either."""
        return not self._out and await self.is_empty()

    async def fetch_next_request(self) -> Request | None:
        """The next one, handed out."""
        while not await self.is_empty():
            visit = self._ready.popleft()
            if visit.url not in self._out:
                self._out[visit.url] = visit
                return Request.from_url(UNNAMED, unique_key=visit.url)
        return None

    def visit(self, request: Request) -> Visit:
        """The address that a request is for."""
        return self._out[request.unique_key]

    async def mark_request_as_handled(self, request: Request) -> ProcessedRequest | None:
        """Whoever handles it settles it; one that nobody settled is handed out again another time."""
        self._out.pop(request.unique_key, None)
        return None

    async def reclaim_request(
        self, request: Request, *, forefront: bool = False
    ) -> ProcessedRequest | None:
        """It waits again."""
        return await self.mark_request_as_handled(request)

    async def add_request(
        self, request: str | Request, *, forefront: bool = False
    ) -> ProcessedRequest | None:
        """As crawlee adds them."""
        await self.add([addresses.normal(request if isinstance(request, str) else request.url)], 0)
        return None

    async def add_requests(
        self,
        requests: Sequence[str | Request],
        *,
        forefront: bool = False,
        batch_size: int = BATCH,
        wait_time_between_batches: timedelta = timedelta(0),
        wait_for_all_requests_to_be_added: bool = False,
        wait_for_all_requests_to_be_added_timeout: timedelta | None = None,
    ) -> None:
        """As crawlee adds them."""
        for request in requests:
            await self.add_request(request)

    async def get_handled_count(self) -> int:
        """Those that were dealt with."""
        return self.found - self.count(WAITING)

    async def get_total_count(self) -> int:
        """All that are kept."""
        return self.found

    async def drop(self) -> None:
        """Nothing: they go with their job."""

    async def _is_first(self, url: str) -> bool:
        """Whether no other spelling of the address is kept."""
        page = addresses.key(url)
        return page == url or await self.mark(page, ALIAS)

    async def _keep(self, visits: Sequence[Visit]) -> int:
        return await self._frontiers.add(self._tenant, self._job, visits) if visits else 0

    def _moved(self, state: str, by: int) -> int:
        self._counts[state] = self.count(state) + by
        return by


def _known_as(url: str) -> str:
    """The same for both schemes, and with and without `www.`."""
    return addresses.site(url) + addresses.key(url).partition("://")[2].partition("/")[2]
