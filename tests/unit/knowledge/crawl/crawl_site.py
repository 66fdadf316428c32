"""Crawls in tests, with the frontier in memory."""

import asyncio
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from app.domain.knowledge import IngestFailure
from app.net.fetcher import Fetcher
from app.net.guard import Guard
from app.net.policy import Policy
from app.store.knowledge import Visit
from knowledge.crawl.crawler import crawl
from knowledge.crawl.port import (
    CrawledPage,
    CrawlRequest,
    CrawlSummary,
    KnownPage,
    Politeness,
)
from tests.unit.net.sites import Answer, Site, ok

MISSING = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
TRUST = ssl.create_default_context()  # takes longer than a crawl
HASTY = Politeness(read_timeout_s=2.0, page_timeout_s=2.0, first_backoff_s=0.01, max_backoff_s=2.0)


class _Answers(dict[str, Answer]):
    def __missing__(self, path: str) -> Answer:
        return MISSING


class Pages(Site):
    """A site that has no other pages than these, by path; a text is the inside of an HTML page."""

    def __init__(self, pages: dict[str, Answer | str]) -> None:
        super().__init__()
        self.answers = _Answers(
            {path: html(page) if isinstance(page, str) else page for path, page in pages.items()}
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def asked(self, path: str) -> int:
        return self.paths.count(path)


def html(inside: str, **headers: str) -> bytes:
    return ok(f"<html><body>{inside}</body></html>".encode(), **headers)


def text(body: str) -> bytes:
    return ok(body.encode(), "text/plain")


def status(code: int, **headers: str) -> bytes:
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {code} Some\r\nContent-Length: 0\r\n{more}\r\n".encode()


class Frontiers:
    """As the store keeps them."""

    def __init__(self) -> None:
        self.visits: dict[str, Visit] = {}

    async def add(self, tenant: str, job_id: str, visits: Sequence[Visit]) -> int:
        before = len(self.visits)
        for visit in visits:
            self.visits.setdefault(visit.url, visit)
        return len(self.visits) - before

    async def next(self, tenant: str, job_id: str, *, limit: int) -> list[Visit]:
        found = [visit for visit in self.visits.values() if visit.state == "waiting"][:limit]
        await asyncio.sleep(0.002)  # what a store says is old when it comes
        return found

    async def settle(self, tenant: str, job_id: str, url: str, state: str) -> None:
        await asyncio.sleep(0.001)
        self.visits[url] = replace(self.visits[url], state=state)

    async def counts(self, tenant: str, job_id: str) -> dict[str, int]:
        states = [visit.state for visit in self.visits.values()]
        return {state: states.count(state) for state in set(states)}

    async def clear(self, tenant: str, job_id: str) -> None:
        self.visits.clear()


@dataclass
class Kept:
    """A sink that keeps what it is told."""

    read: dict[str, KnownPage] = field(default_factory=dict)
    pages: list[CrawledPage] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    failures: list[IngestFailure] = field(default_factory=list)

    async def find_known(self, url: str) -> KnownPage | None:
        return self.read.get(url)

    async def store_page(self, page: CrawledPage) -> None:
        self.pages.append(page)

    async def mark_unchanged(self, url: str) -> None:
        self.same.append(url)

    async def report_failure(self, failure: IngestFailure) -> None:
        self.failures.append(failure)

    def report_progress(self, url: str, expected: int) -> None: ...

    @property
    def paths(self) -> list[str]:
        return ["/" + page.url.partition("://")[2].partition("/")[2] for page in self.pages]

    @property
    def codes(self) -> dict[str, str]:
        return {
            "/" + one.source.partition("://")[2].partition("/")[2]: one.code
            for one in self.failures
        }


def fetcher(*allowed: str) -> Fetcher:
    return Fetcher(Guard(Policy.of(allowed)), trust=TRUST)


async def crawled(
    url: str,
    sink: Kept,
    *,
    frontiers: Frontiers | None = None,
    politeness: Politeness = HASTY,
    by: Fetcher | None = None,
    **asked: object,
) -> CrawlSummary:
    request = CrawlRequest(tenant="t", job_id="j", url=url, **asked)  # type: ignore[arg-type]
    return await crawl(
        request,
        fetcher=by or fetcher(f"127.0.0.1:{url.split(':')[2].split('/')[0]}"),
        frontiers=frontiers or Frontiers(),
        sink=sink,
        politeness=politeness,
    )
