"""Loads tenants' indexes from the store, and caches those of recently active tenants in memory."""

import asyncio
import ctypes
import itertools
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np
import numpy.typing as npt
import structlog

from app.domain.knowledge import Chunk, Document, Manifest, is_site_bound
from app.errors import StoreUnavailable
from app.store.knowledge import Documents
from knowledge.retrieve.candidates import HEADING_WEIGHT, TEXT_WEIGHT, TITLE_WEIGHT
from knowledge.retrieve.index import Facet, Index, serialize_document
from knowledge.retrieve.segment import MOST_ROWS, Row, build_segment
from knowledge.retrieve.stems import Stems

LARGE = 1_000_000  # bytes; larger arrays get their own pages, which are freed with them
_MMAP_THRESHOLD = -3  # as in malloc.h of glibc
BATCH_CHUNKS = 2_000  # read, tokenized and added together
BATCH_DOCUMENTS = 200
WEIGHTS = (TEXT_WEIGHT, HEADING_WEIGHT, TITLE_WEIGHT)


def release_free_memory() -> None:
    """Return free memory to the system; does nothing unless the C library is glibc."""
    if trim := _glibc_function("malloc_trim"):
        trim(0)


@cache
def isolate_large_arrays() -> None:
    """Fix the mmap threshold, so that large arrays never share pages with small values.

    By default glibc raises the threshold up to 32 MB as such arrays come and go: an index of 14 MB
    left 100 MB behind.
    """
    if option := _glibc_function("mallopt"):
        option(_MMAP_THRESHOLD, LARGE)


def _glibc_function(name: str) -> Callable[..., int] | None:
    try:
        function: Callable[..., int] = getattr(ctypes.CDLL("libc.so.6"), name)
    except (OSError, AttributeError):
        return None
    return function


@dataclass(frozen=True, slots=True, kw_only=True)
class _IndexedChunk:
    """The fields of a chunk that the index needs, a quarter of its size."""

    language: str | None
    terms: npt.NDArray[np.int64]
    weights: npt.NDArray[np.uint8]
    vector: npt.NDArray[np.float32] | None


class IndexLoader:
    """Loads documents and chunks. Vectors are skipped if the server searches them."""

    def __init__(self, documents: Documents, stems: Stems, model: str, dimensions: int) -> None:
        self._documents = documents
        self._stems = stems
        self._model = model
        self._dimensions = dimensions
        isolate_large_arrays()

    async def version(self, tenant: str) -> int:
        return await self._documents.version(tenant)

    async def refresh(self, tenant: str, index: Index) -> AsyncIterator[Index]:
        """Yield the index as it grows, complete at the end; each one holds only current documents."""
        changes = await self._documents.changes(tenant, index.version)
        if changes.whole:
            index = Index(next_number=index.next_number)
        else:
            index = index.without(
                [*changes.deleted, *(one.document_id for one in changes.documents)]
            )
        if not index.segments:
            # A new index holds vectors unless the server searches them; an existing one keeps its
            # choice, since its segments are merged.
            searched = await self._documents.searches_vectors(self._dimensions)
            index = replace(index, dimensions=0 if searched else self._dimensions)
        if len(changes.documents) <= BATCH_DOCUMENTS:
            if changes.documents:
                index = await self._add_documents(tenant, index, changes.documents)
            yield await asyncio.to_thread(index.compacted, changes.version)
            return
        for batch in _batches(changes.documents):
            index = await self._add_documents(tenant, index, batch)
            index = await asyncio.to_thread(index.compacted, 0)
            yield index
        await asyncio.to_thread(release_free_memory)
        yield replace(index, version=changes.version)

    async def _add_documents(
        self, tenant: str, index: Index, documents: Sequence[Document]
    ) -> Index:
        manifests = await self._documents.manifests(tenant, documents)
        current = {one.document_id: one for one in documents if one.document_id in manifests}
        listed = {entry.chunk_id for manifest in manifests.values() for entry in manifest.entries}
        indexed: dict[str, _IndexedChunk] = {}
        async for batch in self._documents.vectors(tenant, list(current)):
            chunks = [one for one in batch if one.chunk_id in listed and one.document_id in current]
            indexed |= await asyncio.to_thread(self._tokenize_chunks, chunks, current)
        return await asyncio.to_thread(
            self._extend, index, list(current.values()), manifests, indexed
        )

    def _tokenize_chunks(
        self, chunks: Sequence[Chunk], documents: dict[str, Document]
    ) -> dict[str, _IndexedChunk]:
        return {one.chunk_id: self._tokenize(one, documents[one.document_id]) for one in chunks}

    def _tokenize(self, chunk: Chunk, document: Document) -> _IndexedChunk:
        language = chunk.language or document.language
        text = self._stems.terms(chunk.text, language)
        heading = self._stems.terms(" ".join(chunk.heading_path), language)
        title = self._stems.terms(document.title, language)
        counts = (len(text), len(heading), len(title))
        has_vector = chunk.model == self._model and chunk.vector
        return _IndexedChunk(
            language=language,
            terms=np.array(text + heading + title, np.int64),
            weights=np.repeat(np.array(WEIGHTS, np.uint8), counts),
            vector=np.frombuffer(chunk.vector, dtype="<f4") if has_vector else None,
        )

    def _extend(
        self,
        index: Index,
        documents: Sequence[Document],
        manifests: dict[str, Manifest],
        indexed: dict[str, _IndexedChunk],
    ) -> Index:
        facets = {facet: at for at, facet in enumerate(index.facets)}
        entries, numbers = dict(index.entries), dict(index.numbers)
        superseding = dict(index.superseding)
        rows: list[Row] = []
        number = index.next_number
        for document in documents:
            manifest = manifests[document.document_id]
            if any(entry.chunk_id not in indexed for entry in manifest.entries):
                continue  # replaced or deleted meanwhile: the next refresh handles it
            entries[number], numbers[document.document_id] = serialize_document(document), number
            if manifest.supersedes:
                without_entries = manifest.model_copy(update={"entries": ()})
                superseding[document.document_id] = (document, without_entries)
            bound = is_site_bound(document)
            for ordinal, entry in enumerate(manifest.entries):
                chunk = indexed[entry.chunk_id]
                facet = facets.setdefault(
                    Facet(
                        document.set_name, document.domain, chunk.language, document.scope, bound
                    ),
                    len(facets),
                )
                pages = entry.page or 0, entry.page_end or 0
                rows.append(
                    Row(
                        chunk_id=entry.chunk_id,
                        place=(number, facet, ordinal, entry.start, entry.end, *pages),
                        terms=chunk.terms,
                        weights=chunk.weights,
                        vector=chunk.vector,
                    )
                )
            number += 1
        parts = [
            build_segment(rows[at : at + MOST_ROWS], index.dimensions)
            for at in range(0, len(rows), MOST_ROWS)
        ]
        return replace(
            index,
            entries=entries,
            numbers=numbers,
            facets=tuple(facets),
            segments=(*index.segments, *parts),
            used=(*index.used, *(np.ones(part.size, dtype=bool) for part in parts)),
            superseding=superseding,
            next_number=number,
        )


def _batches(documents: Sequence[Document]) -> Iterable[list[Document]]:
    """Batches of bounded size; captures of one URL, which supersede each other, stay together."""
    ordered = sorted(documents, key=lambda one: (one.url or "", one.document_id))
    batch: list[Document] = []
    size = 0
    for _, group in itertools.groupby(ordered, key=lambda one: one.url or one.document_id):
        for document in group:
            batch.append(document)
            size += document.chunks
        if size >= BATCH_CHUNKS or len(batch) >= BATCH_DOCUMENTS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheLimits:
    """`index_bytes` bounds all indexes together; the index of the requesting tenant is kept
    whatever its size. Changes by other processes are polled every `poll_s` seconds. The first
    search waits up to `patience_s` seconds for the index to be built, then uses what is there.
    """

    index_bytes: int = 600_000_000
    poll_s: float = 1.0
    patience_s: float = 3.0


@dataclass(slots=True)
class _CacheEntry:
    index: Index = field(default_factory=Index)
    polled_at: float = float("-inf")
    stale: int = 1  # counts publications here; `seen`: its value at the last poll
    seen: int = 0
    renewing: asyncio.Task[None] | None = None
    began: float = 0.0


class IndexCache:
    """Builds indexes on demand, updates them incrementally and evicts the least recently used."""

    def __init__(self, loader: IndexLoader, limits: CacheLimits) -> None:
        self._loader = loader
        self._limits = limits
        self._entries: OrderedDict[str, _CacheEntry] = OrderedDict()

    def mark_stale(self, tenant: str) -> None:
        if entry := self._entries.get(tenant):
            entry.stale += 1

    @property
    def bytes(self) -> int:
        return sum(entry.index.bytes for entry in self._entries.values())

    async def get(self, tenant: str) -> Index:
        """The tenant's index, at most `poll_s` seconds old and with all publications of
        this process. Raises `StoreUnavailable` if the store is unavailable and no index is
        cached.
        """
        entry = self._entries.setdefault(tenant, _CacheEntry())
        self._entries.move_to_end(tenant)
        must_poll = time.monotonic() - entry.polled_at >= self._limits.poll_s
        while must_poll or entry.seen < entry.stale:
            must_poll = False
            if not await self._renew(tenant, entry):
                break
        return entry.index

    async def _renew(self, tenant: str, entry: _CacheEntry) -> bool:
        """Refresh the index; False if that continues in the background."""
        if entry.renewing is None:
            entry.renewing = asyncio.create_task(self._rebuild(tenant, entry))
            entry.renewing.add_done_callback(lambda task: _on_renewed(task, entry))
            entry.began = time.monotonic()
        task = entry.renewing
        left = entry.began + self._limits.patience_s - time.monotonic()
        done, _ = await asyncio.wait([task], timeout=max(0.0, left))
        if not done or task.cancelled():
            return False
        if (error := task.exception()) is None:
            return True
        if isinstance(error, StoreUnavailable) and entry.index.version:
            log.warning("knowledge_index_not_renewed", reason=type(error).__name__)
            return False
        raise error

    async def _rebuild(self, tenant: str, entry: _CacheEntry) -> None:
        started, stale, old = time.monotonic(), entry.stale, entry.index
        if await self._loader.version(tenant) != old.version:
            async for index in self._loader.refresh(tenant, old):
                if not old.version or index.version:
                    entry.index = index
            while len(self._entries) > 1 and self.bytes > self._limits.index_bytes:
                oldest = next(one for one in self._entries if one != tenant)
                if task := self._entries.pop(oldest).renewing:
                    task.cancel()
        entry.polled_at, entry.seen = started, stale

    async def close(self) -> None:
        tasks = [entry.renewing for entry in self._entries.values() if entry.renewing]
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError, Exception):
                await task
        self._entries.clear()


def _on_renewed(task: asyncio.Task[None], entry: _CacheEntry) -> None:
    entry.renewing = None
    if not task.cancelled():
        task.exception()  # waiters get the error; without waiters, the next search retries
