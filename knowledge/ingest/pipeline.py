"""From bytes to what can be found: read, cut, embedded, put, published.

Nothing is visible before the last step, and that is one write: whoever dies before it has changed nothing
that anybody sees. See decision 0037.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

import numpy as np

from app.domain.knowledge import Chunk, ChunkPlacement, Document, Manifest
from app.errors import Conflict, ModelUnavailable, Unreadable
from app.llm.embedding.embedder import Embedder, EmbeddingFailed, Vectors
from app.store.knowledge.port import KnowledgeStore
from knowledge.chunk.chunker import Piece, chunk_document
from knowledge.chunk.units import ChunkSizes
from knowledge.extract.media import Listener, media_type_of, transcribe
from knowledge.extract.port import Extracted, StoredFile
from knowledge.extract.workers.pool import WorkerPool
from knowledge.ingest.capture_merge import CapturedChunk
from knowledge.ingest.captures import MergedCapture, load_captures, merge_capture
from knowledge.ingest.document_builder import (
    DocumentSource,
    IngestOutcome,
    build_chunk,
    build_document,
    build_placement,
    now_ms,
    section_names,
)
from knowledge.ingest.document_ids import document_id_of
from knowledge.ingest.document_lock import DocumentLock, lock_document
from knowledge.ingest.embedding import embedding_text

EMBEDDED = 256  # chunks embedded and stored at once: 1 MB, 10 ms of the model in the package
TRIES = 3  # of a document that others write too
# A section of a page that is looked at again goes as a whole when one thing in it has changed: what stands
# in another section is not to go with it.
OF_PHASES = ChunkSizes(least=0)

OnProgress = Callable[[int, float], None]
"""Told of so many chunks more that are ready, and what share of the document is, 0..1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineParts:
    """What the pipeline works with. `published` is told of a tenant whose documents are others now."""

    store: KnowledgeStore
    embedder: Embedder
    workers: WorkerPool
    published: Callable[[str], None]
    listener: Listener | None = None


class Pipeline:
    """Ingests documents, each in its turn; as many at once as are asked for."""

    def __init__(self, parts: PipelineParts) -> None:
        self._parts = parts
        self._documents = parts.store.documents
        self._model = parts.embedder.name

    async def ingest(self, source: DocumentSource, told: OnProgress) -> IngestOutcome:
        """Put a document in force as it is now. The same one twice at once: one after the other.

        Raises `Unreadable`, `ModelFailed` and other `TabwrightError`s; nothing of it is visible then.
        """
        document_id = document_id_of(source.tenant, source.set_name, source.key)
        before: Document | None = None
        for _ in range(TRIES):
            async with lock_document(self._parts.store, source.tenant, document_id) as turn:
                was, before = before, await self._before(source)
                if was is not None and before is None:
                    raise Conflict("The document was deleted while it was read")
                try:
                    return await self._ingested(source, document_id, before, turn, told)
                except Conflict:
                    continue
        raise Conflict("Others write this document again and again")

    async def confirm_unchanged(self, tenant: str, document_id: str) -> IngestOutcome:
        """Somebody who knows it says that it is as it was. `NotFound`."""
        async with lock_document(self._parts.store, tenant, document_id) as turn:
            return await self._again(
                await self._documents.get(tenant, document_id), turn, None, None
            )

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete it and all that was made of it, when nobody writes it. `NotFound`."""
        async with lock_document(self._parts.store, tenant, document_id):
            await self._documents.delete(tenant, document_id)
            self._parts.published(tenant)

    async def _before(self, source: DocumentSource) -> Document | None:
        return await self._documents.by_key(source.tenant, source.set_name, source.key)

    async def _ingested(
        self,
        source: DocumentSource,
        document_id: str,
        before: Document | None,
        turn: DocumentLock,
        told: OnProgress,
    ) -> IngestOutcome:
        if before is not None and self._is_same(source, before):
            return await self._again(before, turn, source.etag, source.last_modified)
        extracted = await self._extracted(source)
        pieces = await asyncio.to_thread(
            chunk_document,
            extracted,
            document_id=document_id,
            limits=OF_PHASES if source.phase else None,
        )
        if not pieces:
            raise Unreadable("The document has no text.", "DOCUMENT_EMPTY")
        document = build_document(source, extracted, document_id, before, self._model)
        said = [
            CapturedChunk(one.chunk_id, one.text, one.heading_path, one.containers)
            for one in pieces
        ]
        look = await self._shown(document, said)
        kept = [one for one in pieces if one.chunk_id in look.keep]
        if not kept:
            return await self._nothing_new(before)
        rest = await self._put(document, kept, before, turn, told)
        document = document.model_copy(
            update={
                "chunks": len(kept),
                "tokens": sum(one.tokens for one in kept),
                "sections": section_names(kept),
            }
        )
        entries = [build_placement(one) for one in kept]
        await self._publish(document, entries, look, before, turn, rest)
        return IngestOutcome(document_id=document_id, chunks=len(kept))

    def _is_same(self, source: DocumentSource, before: Document) -> bool:
        """Whether the bytes, the model and what was said of them are as they were."""
        said = (
            source.title in (None, before.title),
            source.domain in (None, before.domain),
            source.scope == before.scope,
            self._model == before.model,
        )
        return source.digest == before.digest and all(said)

    async def _again(
        self, before: Document, turn: DocumentLock, etag: str | None, last_modified: str | None
    ) -> IngestOutcome:
        """The same bytes: nothing is made anew. A page that shows what it showed before something else was
        seen on it says that it is so again.
        """
        same = IngestOutcome(document_id=before.document_id, chunks=before.chunks, unchanged=True)
        now = now_ms()
        manifest = (await self._documents.manifests(before.tenant, [before])).get(
            before.document_id
        )
        looks = await load_captures(self._documents, before)
        newer = any(one.document.ingested_at >= before.ingested_at for one in looks)
        if manifest is None or not newer:
            await self._documents.touch(
                before.tenant,
                before.document_id,
                now=now,
                etag=etag,
                last_modified=last_modified,
            )
            return same
        ids = [entry.chunk_id for entry in manifest.entries]
        chunks = await self._documents.chunks(before.tenant, ids)
        said = [
            CapturedChunk(one.chunk_id, one.text, one.heading_path, one.containers)
            for one in chunks.values()
        ]
        look = await self._shown(before, said)
        # All of it is kept, also what others show by now: it was here first.
        document = before.model_copy(
            update={
                "revision": uuid4().hex,
                "etag": etag or before.etag,
                "last_modified": last_modified or before.last_modified,
            }
        )
        await self._publish(document, manifest.entries, look, before, turn)
        return same

    async def _extracted(self, source: DocumentSource) -> Extracted:
        file = StoredFile(
            path=source.path,
            name=source.name,
            declared=source.declared,
            url=source.url,
            phase=source.phase,
        )
        if media := await asyncio.to_thread(media_type_of, source.path):
            return await transcribe(file, media, self._parts.listener)
        return await self._parts.workers.extract(file, source.tenant)

    async def _shown(self, document: Document, said: Sequence[CapturedChunk]) -> MergedCapture:
        looks = await load_captures(self._documents, document)
        now = now_ms()
        return await asyncio.to_thread(merge_capture, document, said, looks, now)

    async def _nothing_new(self, before: Document | None) -> IngestOutcome:
        """What was opened shows nothing that the page does not show by itself: it needs no document."""
        if before is not None:
            await self._documents.delete(before.tenant, before.document_id)
            self._parts.published(before.tenant)
        return IngestOutcome(document_id="", chunks=0, unchanged=True)

    async def _put(
        self,
        document: Document,
        pieces: Sequence[Piece],
        before: Document | None,
        turn: DocumentLock,
        told: OnProgress,
    ) -> list[Chunk]:
        """Store the chunks, with vectors of those that have none of this model; the last of them are
        returned, to be stored with what puts them in force.
        """
        chunks: list[Chunk] = []
        nothing_is_stored = before is None and turn.is_fresh
        for start in range(0, len(pieces), EMBEDDED):
            if chunks:
                await turn.require()
                await self._documents.put(chunks)
            some = pieces[start : start + EMBEDDED]
            ids = [] if nothing_is_stored else [one.chunk_id for one in some]
            known = await self._documents.known(document.tenant, ids) if ids else {}
            new = [
                build_chunk(one, document) for one in some if known.get(one.chunk_id) != self._model
            ]
            chunks = await self._with_vectors(new)
            told(len(some), (start + len(some)) / len(pieces))
        return chunks

    async def _with_vectors(self, chunks: list[Chunk]) -> list[Chunk]:
        if not chunks:
            return []
        vectors = await self._embedded([embedding_text(one) for one in chunks])
        return [
            one.model_copy(update={"vector": row.tobytes(), "model": self._model})
            for one, row in zip(chunks, vectors, strict=True)
        ]

    async def _embedded(self, texts: list[str]) -> Vectors:
        try:
            rows = await asyncio.to_thread(self._parts.embedder.embed, texts)
        except EmbeddingFailed as error:
            raise ModelUnavailable("The model that embeds texts did not answer") from error
        return np.ascontiguousarray(rows, dtype="<f4")

    async def _publish(
        self,
        document: Document,
        entries: Sequence[ChunkPlacement],
        look: MergedCapture,
        before: Document | None,
        turn: DocumentLock,
        chunks: Sequence[Chunk] = (),
    ) -> None:
        """Put it in force, in a moment that is later than that of all other looks at the page. A first
        revision leaves nothing behind that would have to be swept.
        """
        at = look.at
        manifest = Manifest(
            tenant=document.tenant,
            document_id=document.document_id,
            revision=document.revision,
            entries=tuple(entries),
            supersedes=look.supersedes,
            created_at=at,
        )
        await turn.require()
        await self._documents.publish(
            document.model_copy(update={"ingested_at": at}),
            manifest,
            replaces=before.revision if before else "",
            chunks=chunks,
        )
        turn.is_whole = before is None and turn.is_fresh
        self._parts.published(document.tenant)
