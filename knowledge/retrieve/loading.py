"""Brings a tenant's index from the store up to date."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace

import numpy as np

from app.domain.knowledge import Chunk, Document, Manifest, Placed
from app.store.knowledge import Changes, Documents
from knowledge.retrieve.facets import Facet
from knowledge.retrieve.index import Index, Mask, entry_of
from knowledge.retrieve.lexical import HEADING_WEIGHT, TEXT_WEIGHT, TITLE_WEIGHT
from knowledge.retrieve.segment import MOST_ROWS, Row, Segment, segment_of
from knowledge.retrieve.words import Stems

BATCH_CHUNKS = 2_000  # read, cut into words and shown together
BATCH_DOCUMENTS = 200


class Loader:
    """Reads documents with their chunks; vectors of another model than `model` are left out."""

    def __init__(self, documents: Documents, stems: Stems, model: str, dimensions: int) -> None:
        self._documents = documents
        self._stems = stems
        self._model = model
        self._dimensions = dimensions

    async def version(self, tenant: str) -> int:
        """Of the tenant's documents in the store."""
        return await self._documents.version(tenant)

    async def renewed(self, tenant: str, index: Index) -> AsyncIterator[Index]:
        """The index as it grows, whole at the end: each one holds only what is in force."""
        changes = await self._documents.changes(tenant, index.version)
        index = _without_what_changed(index, changes)
        if len(changes.documents) <= BATCH_DOCUMENTS:
            if changes.documents:
                index = await self._with(tenant, index, changes.documents)
            yield await asyncio.to_thread(index.settled, changes.version)
            return
        for batch in _batches(changes.documents):
            index = await self._with(tenant, index, batch)
            index = await asyncio.to_thread(index.settled, 0)
            yield index
        yield replace(index, version=changes.version)

    async def _with(self, tenant: str, index: Index, documents: Sequence[Document]) -> Index:
        manifests = await self._documents.manifests(tenant, documents)
        known = [one for one in documents if one.document_id in manifests]
        found: dict[str, list[Chunk]] = {one.document_id: [] for one in known}
        listed = {entry.chunk_id for manifest in manifests.values() for entry in manifest.entries}
        async for batch in self._documents.vectors(tenant, list(found)):
            for chunk in batch:
                if chunk.chunk_id in listed and chunk.document_id in found:
                    found[chunk.document_id].append(chunk)
        return await asyncio.to_thread(self._added, index, known, manifests, found)

    def _added(
        self,
        index: Index,
        documents: Sequence[Document],
        manifests: dict[str, Manifest],
        found: dict[str, list[Chunk]],
    ) -> Index:
        facets = {facet: at for at, facet in enumerate(index.facets)}
        entries, numbers = dict(index.entries), dict(index.numbers)
        superseding = dict(index.superseding)
        rows: list[Row] = []
        number = index.next_number
        for document in documents:
            manifest = manifests[document.document_id]
            chunks = {chunk.chunk_id: chunk for chunk in found.pop(document.document_id)}
            if any(entry.chunk_id not in chunks for entry in manifest.entries):
                continue  # replaced or deleted meanwhile: the next look at the store tells
            entries[number], numbers[document.document_id] = entry_of(document), number
            if manifest.supersedes:
                bare = manifest.model_copy(update={"entries": ()})
                superseding[document.document_id] = (document, bare)
            for ordinal, entry in enumerate(manifest.entries):
                chunk = chunks[entry.chunk_id]
                facet = facets.setdefault(_facet(document, chunk), len(facets))
                rows.append(self._row(document, chunk, entry, (number, facet, ordinal)))
            number += 1
        parts = [segment_of(part, self._dimensions) for part in _pieces(rows)]
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

    def _row(
        self, document: Document, chunk: Chunk, entry: Placed, at: tuple[int, int, int]
    ) -> Row:
        language = chunk.language or document.language
        text = self._stems.terms(chunk.text, language)
        heading = self._stems.terms(" ".join(chunk.heading_path), language)
        title = self._stems.terms(document.title, language)
        weights = [TEXT_WEIGHT] * len(text) + [HEADING_WEIGHT] * len(heading)
        ours = chunk.model == self._model and chunk.vector
        return Row(
            chunk_id=chunk.chunk_id,
            place=(*at, entry.start, entry.end, entry.page or 0, entry.page_end or 0),
            terms=text + heading + title,
            weights=weights + [TITLE_WEIGHT] * len(title),
            vector=np.frombuffer(chunk.vector, dtype="<f4") if ours else None,
        )


def _without_what_changed(index: Index, changes: Changes) -> Index:
    if changes.whole:
        return Index(next_number=index.next_number)
    return index.without([*changes.deleted, *(one.document_id for one in changes.documents)])


def _batches(documents: Sequence[Document]) -> Iterable[list[Document]]:
    """Of one address together, since one may hide what another says; otherwise of bounded size."""
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


def _facet(document: Document, chunk: Chunk) -> Facet:
    language = chunk.language or document.language
    return Facet(document.set_name, document.domain, language, document.scope)
