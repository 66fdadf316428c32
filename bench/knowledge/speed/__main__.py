"""Measure pages per second from files to vectors: extracted in the worker processes, chunked, embedded.

    python -m bench.knowledge.speed [--documents 40] [--folder FOLDER] [--processes 2] [--site 200]

Without a folder, documents are generated: HTML pages with navigation, headings, lists and a table, and
ten-page PDFs with the same content. With one, all its `*.pdf` and `*.html` files are used. Workers extract;
the server chunks and embeds in parallel. Worker start-up is not counted, since a server keeps its workers.

The second table measures the whole pipeline until the documents are searchable: the same files as jobs on
the embedded store, and `--site` pages of a local site, crawled by their links.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from app.domain.metrics.usage import CallUsage
from app.errors import Unreadable
from app.llm.embedder import AccountedEmbedder, WordLlama
from bench.knowledge.speed.documents import make
from bench.knowledge.speed.pipeline import HEAD, measure_pipeline
from knowledge.chunk.chunker import chunk_document
from knowledge.extract.port import Extracted, StoredFile
from knowledge.extract.workers.pool import ReaderLimits, WorkerPool

WANTED = {"html": 20.0, "pdf": 50.0}  # pages per second on two cores


@dataclass(slots=True)
class Measured:
    """Of one kind: pages (an HTML file is one), chunks, wall-clock and CPU seconds, failures."""

    kind: str
    files: int
    pages: int = 0
    chunks: int = 0
    seconds: float = 0.0
    cpu: float = 0.0
    failed: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Pages per second."""
        return self.pages / self.seconds if self.seconds else 0.0


def _free(_: CallUsage) -> None:
    """The bundled model costs nothing."""


async def measure_kind(kind: str, paths: Sequence[Path], workers: WorkerPool) -> Measured:
    """Ingest files of one kind, as many concurrently as there are workers, plus two queued."""
    model, found = AccountedEmbedder(WordLlama(), _free), Measured(kind, len(paths))
    waiting = asyncio.Semaphore(4)

    def taken(path: Path, extracted: Extracted) -> int:
        pieces = chunk_document(extracted, document_id=path.stem)
        model.embed(["\n".join((*piece.heading_path, piece.text)) for piece in pieces])
        return len(pieces)

    async def ingest(path: Path) -> None:
        async with waiting:
            try:
                extracted = await workers.extract(StoredFile(path=path, name=path.name), "bench")
            except Unreadable as error:
                found.failed.append(f"{path.name}: {error.code}")
                return
            found.chunks += await asyncio.to_thread(taken, path, extracted)
            found.pages += max(1, len(extracted.pages))

    # Largest first, or the last one would be extracted alone.
    ordered = sorted(paths, key=lambda path: -path.stat().st_size)
    begun, computed = time.perf_counter(), _cpu()
    await asyncio.gather(*map(ingest, ordered))
    found.seconds, found.cpu = time.perf_counter() - begun, _cpu() - computed
    return found


def _cpu() -> float:
    """CPU seconds of this process and its workers."""
    times = [one.cpu_times() for one in (psutil.Process(), *psutil.Process().children())]
    return sum(one.user + one.system for one in times)


async def run(files: dict[str, list[Path]], processes: int) -> list[Measured]:
    """Measure all documents, by kind."""
    results = []
    async with WorkerPool(ReaderLimits(processes=processes)) as workers:
        for kind, paths in files.items():
            if paths:
                await measure_kind(kind, paths[:1] * processes, workers)  # warm-up
                results.append(await measure_kind(kind, paths, workers))
    return results


def files_in(folder: Path) -> dict[str, list[Path]]:
    """The files of each kind."""
    return {kind: sorted(folder.rglob(f"*.{kind}")) for kind in WANTED}


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--documents", type=int, default=40)
    arguments.add_argument("--folder", type=Path)
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--site", type=int, default=200)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as made:
        folder = options.folder or make(Path(made), options.documents)
        results = asyncio.run(run(files_in(folder), options.processes))
        whole = asyncio.run(measure_pipeline(files_in(folder), options.site))
    print(
        f"{'kind':6}{'files':>7}{'pages':>7}{'chunks':>8}{'failed':>8}{'pages/s':>9}{'wanted':>8}{'CPU/page':>11}"
    )
    for one in results:
        print(
            f"{one.kind:6}{one.files:7}{one.pages:7}{one.chunks:8}{len(one.failed):8}"
            f"{one.rate:9.1f}{WANTED[one.kind]:8.0f}{one.cpu / max(1, one.pages) * 1000:8.1f} ms"
        )
    for failure in (failure for one in results for failure in one.failed[:10]):
        print(failure)
    print("\ninto the knowledge", HEAD, *(one.row() for one in whole), sep="\n")
    print(f"\n{options.processes} workers, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
