"""Measure pages per second through the whole pipeline (jobs, workers, embedded store) until searchable."""

import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from app.cli.ingestion import Source, Tally, find_sources, ingest_sources
from app.domain.access import Principal
from app.domain.knowledge import IngestRequest
from app.domain.metrics.usage import CallUsage
from app.llm.embedder import AccountedEmbedder, Embedder, Vectors, WordLlama
from app.net.fetcher import Fetcher
from app.net.guard import Guard
from app.net.policy import Policy
from app.settings import Settings
from app.store.open import open_store
from bench.knowledge.crawl.__main__ import site
from knowledge.composition import open_knowledge
from knowledge.port import Knowledge

WHO = Principal(tenant="bench", user="bench")
HOW = IngestRequest(kind="file", strategy="spider", max_depth=3)
READERS = "knowledge.extract"  # in a worker's command line
SITES = "bench.knowledge.crawl"  # in the site's command line, which is not measured


@dataclass(slots=True)
class Parts:
    """CPU seconds by component."""

    reading: float = 0.0
    embedding: float = 0.0
    store: float = 0.0
    here: float = 0.0

    def since(self, before: "Parts") -> "Parts":
        """The difference to an earlier measurement."""
        return Parts(
            self.reading - before.reading,
            self.embedding - before.embedding,
            self.store - before.store,
            self.here - before.here,
        )


@dataclass(slots=True)
class TimedEmbedder:
    """An embedder that measures its time."""

    inner: Embedder
    seconds: float = 0.0

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    def embed(self, texts: list[str]) -> Vectors:
        begun = time.thread_time()
        try:
            return self.inner.embed(texts)
        finally:
            self.seconds += time.thread_time() - begun


@dataclass(slots=True)
class PipelineResult:
    """The result for one kind of source."""

    name: str
    pages: int
    failed: int
    seconds: float
    parts: Parts

    def row(self) -> str:
        """Pages per second, and ms per page of each component."""
        pages, parts = max(1, self.pages), self.parts
        rest = parts.here - parts.embedding
        times = (parts.reading, rest, parts.embedding, parts.store)
        numbers = "".join(f"{one / pages * 1000:10.1f}" for one in times)
        return (
            f"{self.name:8}{self.pages:7}{self.failed:8}{self.pages / self.seconds:9.1f}{numbers}"
        )


HEAD = (
    f"{'':8}{'pages':>7}{'failed':>8}{'pages/s':>9}"
    f"{'reading':>10}{'server':>10}{'embedding':>10}{'store':>10}   ms of CPU a page"
)


async def measure_pipeline(files: dict[str, list[Path]], pages: int) -> list[PipelineResult]:
    """Ingest files of each kind as `tabwright ingest` does, and `pages` pages of a site."""
    rows = []
    for kind, paths in files.items():
        wanted = [one for path in paths for one in find_sources(str(path), HOW)]
        if wanted:
            rows.append(await _measured(kind, wanted, ""))
    with site(pages) as url:
        how = HOW.model_copy(update={"max_pages": pages})
        rows.append(await _measured("site", find_sources(url, how), url))
    return rows


async def _measured(name: str, wanted: list[Source], url: str) -> PipelineResult:
    embedder = TimedEmbedder(AccountedEmbedder(WordLlama(), _free))
    async with _opened(embedder, url) as knowledge:
        await _warm(knowledge)
        before, begun = _parts(embedder), time.perf_counter()
        tally = await ingest_sources(knowledge, WHO, wanted, lambda *_: None)
        seconds, parts = time.perf_counter() - begun, _parts(embedder).since(before)
        pages = await _pages(knowledge, tally)
    return PipelineResult(name, pages, tally.failed, seconds, parts)


async def _warm(knowledge: Knowledge) -> None:
    """Start the workers and load what a crawl needs, as in a warm server."""
    with tempfile.TemporaryDirectory() as folder:
        for at in range(4):
            text = f"<h1>{at}</h1><p>One page of number {at}.</p>"
            (Path(folder) / f"warm{at}.html").write_text(text)
        await ingest_sources(knowledge, WHO, find_sources(folder, HOW), lambda *_: None)


async def _pages(knowledge: Knowledge, tally: Tally) -> int:
    """The pages of all documents; a document without page numbers counts as one."""
    ids = [one for job in tally.jobs.values() for one in job.documents]
    return sum([max(1, (await knowledge.document(WHO.tenant, one)).pages) for one in ids])


@asynccontextmanager
async def _opened(embedder: Embedder, url: str) -> AsyncIterator[Knowledge]:
    fetcher = Fetcher(Guard(Policy.of([url.partition("//")[2].rstrip("/")] if url else [])))
    with tempfile.TemporaryDirectory() as folder:
        async with (
            open_store(Settings(data_dir=Path(folder))) as store,
            open_knowledge(store.knowledge, embedder, fetcher, store.policies) as knowledge,
        ):
            yield knowledge


def _parts(embedder: TimedEmbedder) -> Parts:
    parts = Parts(embedding=embedder.seconds, here=time.process_time())
    for child in psutil.Process().children(recursive=True):
        times, command = child.cpu_times(), " ".join(child.cmdline())
        if READERS in command:
            parts.reading += times.user + times.system
        elif SITES not in command:
            parts.store += times.user + times.system
    return parts


def _free(_: CallUsage) -> None:
    """The bundled model costs nothing."""
