"""Crawl a site of 5,000 pages: pages per second and memory.

    python -m bench.knowledge.crawl [--pages 5000] [--ingest 500]

The site is served by its own process, the frontier is in the embedded store, and both share the
machine with the crawl. `rss` is this process's memory: before the crawl, after a tenth of the pages, and
the maximum. With bounded memory the later pages need no more than the first ones.
`--ingest` pages are then crawled into the knowledge base: extracted, chunked, embedded, stored.
"""

import argparse
import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from app.domain.access import Principal
from app.domain.knowledge import IngestFailure, IngestRequest, Strategy
from app.llm.embedder import AccountedEmbedder, WordLlama
from app.net.fetcher import Fetcher
from app.net.guard import Guard
from app.net.policy import Policy
from app.settings import Settings
from app.store.knowledge import Frontiers
from app.store.open import open_store
from app.store.repositories import Store
from knowledge.crawl.crawler import crawl
from knowledge.crawl.port import CrawledPage, CrawlRequest, KnownPage

WHO = Principal(tenant="bench", user="bench")
MB = 1_000_000


@dataclass
class CountingSink:
    """A sink that counts pages and samples the memory."""

    pages: int
    known_by: dict[str, KnownPage] = field(default_factory=dict)
    taken: int = 0
    same: int = 0
    failures: int = 0
    bytes: int = 0
    early: int = 0
    most: int = 0

    async def find_known(self, url: str) -> KnownPage | None:
        return self.known_by.get(url)

    async def store_page(self, page: CrawledPage) -> None:
        self.taken += 1
        self.bytes += len(page.body)
        self.known_by[page.url] = KnownPage(etag=page.etag)

    async def mark_unchanged(self, url: str) -> None:
        self.same += 1

    async def report_failure(self, failure: IngestFailure) -> None:
        self.failures += 1

    def report_progress(self, url: str, expected: int) -> None:
        self.most = max(self.most, rss())
        if self.taken <= self.pages // 10:
            self.early = self.most


def rss() -> int:
    """Resident memory of this process in bytes."""
    return int(psutil.Process().memory_info().rss)


@contextmanager
def site(pages: int) -> Iterator[str]:
    """The address of a running site."""
    command = [sys.executable, "-m", "bench.knowledge.crawl.site", "--pages", str(pages)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        try:
            assert child.stdout
            yield child.stdout.readline().strip()
        finally:
            child.terminate()


async def measure_crawl(
    url: str,
    strategy: Strategy,
    pages: int,
    frontiers: Frontiers,
    known: dict[str, KnownPage],
    name: str,
) -> None:
    """Run one crawl and format its row."""
    sink = CountingSink(pages, known_by=dict(known))
    request = CrawlRequest(
        tenant="bench", job_id=name, url=url, strategy=strategy, max_pages=pages, max_depth=3
    )
    before, begun = rss(), time.perf_counter()
    await crawl(request, fetcher=fetcher(), frontiers=frontiers, sink=sink)
    took = time.perf_counter() - begun
    known |= sink.known_by
    done = sink.taken + sink.same
    print(
        f"{name:<22}{done:>7}{sink.same:>10}{sink.failures:>8}{took:>9.1f}{done / took:>9.1f}"
        f"{before / MB:>9.0f}{sink.early / MB:>8.0f}{sink.most / MB:>7.0f}"
    )


async def measure_ingestion(url: str, pages: int, store: Store) -> None:
    """Crawl into the knowledge base."""
    from knowledge.composition import open_knowledge  # noqa: PLC0415 - only when it is asked for

    embedder = AccountedEmbedder(WordLlama(), lambda *_: None)
    request = IngestRequest(
        kind="link", url=url, strategy="spider", max_pages=pages, max_depth=3, name=url
    )
    async with open_knowledge(store.knowledge, embedder, fetcher(), store.policies) as knowledge:
        before, begun = rss(), time.perf_counter()
        job = await knowledge.submit(WHO, request)
        async for now in knowledge.watch(WHO, job.job_id):
            job = now
        took = time.perf_counter() - begun
    done = job.progress
    print(
        f"\ningested: {done.documents} pages, {done.chunks} chunks, {done.failed} failed in {took:.1f} s:"
        f" {done.documents / took:.1f} pages/s; {job.status}; rss {before / MB:.0f} -> {rss() / MB:.0f} MB"
    )
    for error in job.errors[:3]:
        print(f"  {error.code}: {error.reason}")


def fetcher() -> Fetcher:
    """A fetcher that may access this machine."""
    return Fetcher(Guard(Policy.of(["127.0.0.1", *(f"127.0.0.1:{PORT[0]}" for _ in PORT)])))


PORT: list[int] = []


async def run(pages: int, to_ingest: int) -> None:
    """Print all rows."""
    with tempfile.TemporaryDirectory() as folder, site(pages) as url:
        PORT.append(int(url.rstrip("/").rpartition(":")[2]))
        async with open_store(Settings(data_dir=Path(folder))) as store:
            frontiers, known = store.knowledge.frontiers, dict[str, KnownPage]()
            print(
                f"{'crawl':<22}{'pages':>7}{'unchanged':>10}{'failed':>8}{'s':>9}{'pages/s':>9}",
                end="",
            )
            print(f"{'rss MB':>9}{'tenth':>8}{'most':>7}")
            await measure_crawl(url, "spider", pages, frontiers, known, "by links")
            await measure_crawl(url, "sitemap", pages, frontiers, {}, "by sitemap")
            await measure_crawl(url, "sitemap", pages, frontiers, known, "by sitemap, again")
            if to_ingest:
                await measure_ingestion(url, to_ingest, store)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--ingest", type=int, default=500)
    given = parser.parse_args()
    asyncio.run(run(given.pages, given.ingest))
