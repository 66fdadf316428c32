"""Loads and updates a tenant's index from the store."""

import asyncio
import ctypes
import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from app.domain.knowledge import Chunk, ChunkPlacement, Document, Manifest, is_site_bound
from app.store.knowledge.port import Changes, Documents
from knowledge.retrieve.candidates import HEADING_WEIGHT, TEXT_WEIGHT, TITLE_WEIGHT
from knowledge.retrieve.index import Facet, Index, Mask, serialize_document
from knowledge.retrieve.segment import MOST_ROWS, Row, Segment, build_segment
from knowledge.retrieve.stems import Stems

LARGE = 1_000_000  # bytes; larger arrays get their own pages, which are freed with them
_MMAP_THRESHOLD = -3  # as in malloc.h of glibc


def release_free_memory() -> None:
    """Return free memory to the system; does nothing unless the C library is glibc."""
    if trim := _of_glibc("malloc_trim"):
        trim(0)


@cache
def isolate_large_arrays() -> None:
    """Fix the mmap threshold, so that large arrays never share pages with small values.

    By default glibc raises the threshold up to 32 MB as such arrays come and go: an index of 14 MB
    left 100 MB behind.
    """
    if option := _of_glibc("mallopt"):
        option(_MMAP_THRESHOLD, LARGE)


def _of_glibc(name: str) -> Callable[..., int] | None:
    try:
        found: Callable[..., int] = getattr(ctypes.CDLL("libc.so.6"), name)
    except (OSError, AttributeError):
        return None
    return found


BATCH_CHUNKS = 2_000  # read, tokenized and added together
BATCH_DOCUMENTS = 200
WEIGHTS = (TEXT_WEIGHT, HEADING_WEIGHT, TITLE_WEIGHT)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """The fields of a chunk that the index needs, a quarter of its size."""

    language: str | None
    terms: npt.NDArray[np.int64]
    weights: npt.NDArray[np.uint8]
    vector: npt.NDArray[np.float32] | None


class IndexLoader:
    """Loads documents and chunks. Vectors of models other than `model` are skipped; so are all
    vectors if the server searches them.
    """

    def __init__(self, documents: Documents, stems: Stems, model: str, dimensions: int) -> None:
        self._documents = documents
        self._stems = stems
        self._model = model
        self._dimensions = dimensions
        isolate_large_arrays()

    async def version(self, tenant: str) -> int:
        """Version of the tenant's documents in the store."""
        return await self._documents.version(tenant)

    async def refresh(self, tenant: str, index: Index) -> AsyncIterator[Index]:
        """Yield the index as it grows, complete at the end; each one holds only current documents."""
        changes = await self._documents.changes(tenant, index.version)
        index = await self._beginning(_without_what_changed(index, changes))
        if len(changes.documents) <= BATCH_DOCUMENTS:
            if changes.documents:
                index = await self._with(tenant, index, changes.documents)
            yield await asyncio.to_thread(index.compacted, changes.version)
            return
        for batch in _batches(changes.documents):
            index = await self._with(tenant, index, batch)
            index = await asyncio.to_thread(index.compacted, 0)
            yield index
        await asyncio.to_thread(release_free_memory)
        yield replace(index, version=changes.version)

    async def _beginning(self, index: Index) -> Index:
        """The index to start from. A new index holds vectors unless the server searches them; an
        existing one keeps its choice, since its segments are merged.
        """
        if index.segments:
            return index
        searched = await self._documents.searches_vectors(self._dimensions)
        return replace(index, dimensions=0 if searched else self._dimensions)

    async def _with(self, tenant: str, index: Index, documents: Sequence[Document]) -> Index:
        manifests = await self._documents.manifests(tenant, documents)
        known = {one.document_id: one for one in documents if one.document_id in manifests}
        listed = {entry.chunk_id for manifest in manifests.values() for entry in manifest.entries}
        found: dict[str, _Cut] = {}
        async for batch in self._documents.vectors(tenant, list(known)):
            chunks = [one for one in batch if one.chunk_id in listed and one.document_id in known]
            found |= await asyncio.to_thread(self._cut, chunks, known)
        return await asyncio.to_thread(self._added, index, list(known.values()), manifests, found)

    def _cut(self, chunks: Sequence[Chunk], known: dict[str, Document]) -> dict[str, _Cut]:
        return {one.chunk_id: self._cut_one(one, known[one.document_id]) for one in chunks}

    def _cut_one(self, chunk: Chunk, document: Document) -> _Cut:
        language = chunk.language or document.language
        text = self._stems.terms(chunk.text, language)
        heading = self._stems.terms(" ".join(chunk.heading_path), language)
        title = self._stems.terms(document.title, language)
        counts = (len(text), len(heading), len(title))
        ours = chunk.model == self._model and chunk.vector
        return _Cut(
            language=language,
            terms=np.array(text + heading + title, np.int64),
            weights=np.repeat(np.array(WEIGHTS, np.uint8), counts),
            vector=np.frombuffer(chunk.vector, dtype="<f4") if ours else None,
        )

    def _added(
        self,
        index: Index,
        documents: Sequence[Document],
        manifests: dict[str, Manifest],
        found: dict[str, _Cut],
    ) -> Index:
        facets = {facet: at for at, facet in enumerate(index.facets)}
        entries, numbers = dict(index.entries), dict(index.numbers)
        superseding = dict(index.superseding)
        rows: list[Row] = []
        number = index.next_number
        for document in documents:
            manifest = manifests[document.document_id]
            if any(entry.chunk_id not in found for entry in manifest.entries):
                continue  # replaced or deleted meanwhile: the next refresh handles it
            entries[number], numbers[document.document_id] = serialize_document(document), number
            if manifest.supersedes:
                bare = manifest.model_copy(update={"entries": ()})
                superseding[document.document_id] = (document, bare)
            for ordinal, entry in enumerate(manifest.entries):
                cut = found[entry.chunk_id]
                facet = facets.setdefault(_facet(document, cut.language), len(facets))
                rows.append(_row(cut, entry, (number, facet, ordinal)))
            number += 1
        parts = [build_segment(part, index.dimensions) for part in _pieces(rows)]
        return replace(
            index,
            entries=entries,
            numbers=numbers,
            facets=tuple(facets),
            segments=(*index.segments, *parts),
            used=(*index.used, *(_all(part) for part in parts)),
            superseding=superseding,
            next_number=number,
        )


def _row(cut: _Cut, entry: ChunkPlacement, at: tuple[int, int, int]) -> Row:
    return Row(
        chunk_id=entry.chunk_id,
        place=(*at, entry.start, entry.end, entry.page or 0, entry.page_end or 0),
        terms=cut.terms,
        weights=cut.weights,
        vector=cut.vector,
    )


def _without_what_changed(index: Index, changes: Changes) -> Index:
    if changes.whole:
        return Index(next_number=index.next_number)
    return index.without([*changes.deleted, *(one.document_id for one in changes.documents)])


def _batches(documents: Sequence[Document]) -> Iterable[list[Document]]:
    """Batches of bounded size; captures of one URL stay together, since one may supersede chunks of
    another.
    """
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


def _pieces(rows: Sequence[Row]) -> Iterable[Sequence[Row]]:
    return (rows[at : at + MOST_ROWS] for at in range(0, len(rows), MOST_ROWS))


def _all(segment: Segment) -> Mask:
    return np.ones(segment.size, dtype=bool)


def _facet(document: Document, language: str | None) -> Facet:
    bound = is_site_bound(document)
    return Facet(document.set_name, document.domain, language, document.scope, bound)
