"""The ingestion pipeline: extract, chunk, embed, store, publish.

Nothing is visible before the last step, which is a single write: a process that dies earlier
changes nothing that users see. See decision 0037.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from app.domain.knowledge import Chunk, ChunkPlacement, Document, Manifest
from app.errors import Conflict, Unreadable
from app.llm.embedder import Embedder
from app.store.knowledge import KnowledgeStore
from knowledge.chunk import ChunkSizes, Piece, chunk_document
from knowledge.extract import Extracted, StoredFile
from knowledge.extract.media import Listener, detect_file_type, transcribe
from knowledge.extract.workers import WorkerPool
from knowledge.ingest.captures import CapturedChunk, MergedCapture, load_captures, merge_capture
from knowledge.ingest.document_builder import (
    DocumentSource,
    IngestOutcome,
    build_chunk,
    build_document,
    document_id_of,
    now_ms,
    section_names,
)
from knowledge.ingest.document_lock import DocumentLock, lock_document
from knowledge.ingest.reembedder import embed_chunks

EMBEDDED = 256  # chunks embedded and stored at once: 1 MB, 10 ms with the bundled model
TRIES = 3  # attempts at a document that other processes also write
# In captures, a section is superseded as a whole when one statement in it changes, so sections are
# not merged.
CAPTURE_SIZES = ChunkSizes(least=0)

OnProgress = Callable[[int, float], None]
"""Called with the number of newly finished chunks and the share of the document done, 0..1."""


@dataclass(frozen=True)
class Pipeline:
    """Ingests documents, one at a time per document; concurrency is up to the caller.
    `published` is called with a tenant whose documents changed.
    """

    store: KnowledgeStore
    embedder: Embedder
    workers: WorkerPool
    published: Callable[[str], None]
    listener: Listener | None = None

    async def ingest(self, source: DocumentSource, on_progress: OnProgress) -> IngestOutcome:
        """Ingest a document. Concurrent calls for the same document run one after the
        other. Raises `Unreadable`, `ModelFailed` and other `TabwrightError`s; nothing is
        visible then.
        """
        document_id = document_id_of(source.tenant, source.set_name, source.key)
        old: Document | None = None
        for _ in range(TRIES):
            async with lock_document(self.store, source.tenant, document_id) as lock:
                was_stored = old is not None
                old = await self.store.documents.find_by_key(
                    source.tenant, source.set_name, source.key
                )
                if was_stored and old is None:
                    raise Conflict("The document was deleted while it was read")
                try:
                    return await self._ingest(source, document_id, old, lock, on_progress)
                except Conflict:
                    continue
        raise Conflict("Other processes keep writing this document")

    async def confirm_unchanged(self, tenant: str, document_id: str) -> IngestOutcome:
        """Mark a document as unchanged, for example after a 304. Raises `NotFound`."""
        async with lock_document(self.store, tenant, document_id) as lock:
            document = await self.store.documents.get(tenant, document_id)
            return await self._republish(document, lock, None, None)

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete a document and everything derived from it, under its lock. Raises `NotFound`."""
        async with lock_document(self.store, tenant, document_id):
            await self.store.documents.delete(tenant, document_id)
            self.published(tenant)

    async def _ingest(
        self,
        source: DocumentSource,
        document_id: str,
        old: Document | None,
        lock: DocumentLock,
        on_progress: OnProgress,
    ) -> IngestOutcome:
        if old is not None and self._is_same(source, old):
            return await self._republish(old, lock, source.etag, source.last_modified)
        extracted = await self._extract(source)
        pieces = await asyncio.to_thread(
            chunk_document,
            extracted,
            document_id=document_id,
            limits=CAPTURE_SIZES if source.phase else None,
        )
        if not pieces:
            raise Unreadable("The document has no text.", "DOCUMENT_EMPTY")
        document = build_document(source, extracted, document_id, old, self.embedder.name)
        merged = await self._merge(document, pieces)
        new_pieces = [one for one in pieces if one.chunk_id in merged.keep]
        if not new_pieces:
            if old is not None:  # the capture contains nothing beyond the other captures
                await self.store.documents.delete(old.tenant, old.document_id)
                self.published(old.tenant)
            return IngestOutcome(document_id="", chunks=0, unchanged=True)
        last_batch = await self._store_chunks(document, new_pieces, old, lock, on_progress)
        document = document.model_copy(
            update={
                "chunks": len(new_pieces),
                "tokens": sum(one.tokens for one in new_pieces),
                "sections": section_names(new_pieces),
            }
        )
        entries = [ChunkPlacement.model_validate(one, from_attributes=True) for one in new_pieces]
        await self._publish(document, entries, merged, old, lock, last_batch)
        return IngestOutcome(document_id=document_id, chunks=len(new_pieces))

    def _is_same(self, source: DocumentSource, old: Document) -> bool:
        conditions = (
            source.title in (None, old.title),
            source.domain in (None, old.domain),
            source.scope == old.scope,
            self.embedder.name == old.model,
        )
        return source.digest == old.digest and all(conditions)

    async def _republish(
        self, old: Document, lock: DocumentLock, etag: str | None, last_modified: str | None
    ) -> IngestOutcome:
        """Handle unchanged bytes: nothing is rebuilt. If newer captures exist, the page is
        published again, since it has returned to an earlier state.
        """
        outcome = IngestOutcome(document_id=old.document_id, chunks=old.chunks, unchanged=True)
        now = now_ms()
        manifest = (await self.store.documents.manifests(old.tenant, [old])).get(old.document_id)
        others = await load_captures(self.store.documents, old)
        newer = any(one.document.ingested_at >= old.ingested_at for one in others)
        if manifest is None or not newer:
            await self.store.documents.touch(
                old.tenant,
                old.document_id,
                now=now,
                etag=etag,
                last_modified=last_modified,
            )
            return outcome
        ids = [entry.chunk_id for entry in manifest.entries]
        chunks = await self.store.documents.chunks(old.tenant, ids)
        merged = await self._merge(old, list(chunks.values()))
        # All chunks are kept, including those that other captures contain by now: this one came
        # first.
        document = old.model_copy(
            update={
                "revision": uuid4().hex,
                "etag": etag or old.etag,
                "last_modified": last_modified or old.last_modified,
            }
        )
        await self._publish(document, manifest.entries, merged, old, lock)
        return outcome

    async def _extract(self, source: DocumentSource) -> Extracted:
        file = StoredFile(
            path=source.path,
            name=source.name,
            declared=source.declared,
            url=source.url,
            phase=source.phase,
        )
        if media := await asyncio.to_thread(detect_file_type, source.path):
            return await transcribe(file, media, self.listener)
        return await self.workers.extract(file, source.tenant)

    async def _merge(self, document: Document, chunks: Sequence[Chunk | Piece]) -> MergedCapture:
        others = await load_captures(self.store.documents, document)
        captured = [CapturedChunk.of(one) for one in chunks]
        return await asyncio.to_thread(merge_capture, document, captured, others, now_ms())

    async def _store_chunks(
        self,
        document: Document,
        pieces: Sequence[Piece],
        old: Document | None,
        lock: DocumentLock,
        on_progress: OnProgress,
    ) -> list[Chunk]:
        """Store the chunks and embed those without a vector of this model. Returns the last
        batch, to be stored together with the publication.
        """
        chunks: list[Chunk] = []
        nothing_is_stored = old is None and lock.is_fresh
        for start in range(0, len(pieces), EMBEDDED):
            if chunks:
                await lock.require()
                await self.store.documents.put_chunks(chunks)
            batch = pieces[start : start + EMBEDDED]
            ids = [] if nothing_is_stored else [one.chunk_id for one in batch]
            models = await self.store.documents.find_models(document.tenant, ids) if ids else {}
            new = [
                build_chunk(one, document)
                for one in batch
                if models.get(one.chunk_id) != self.embedder.name
            ]
            chunks = await embed_chunks(self.embedder, new)
            on_progress(len(batch), (start + len(batch)) / len(pieces))
        return chunks

    async def _publish(
        self,
        document: Document,
        entries: Sequence[ChunkPlacement],
        merged: MergedCapture,
        old: Document | None,
        lock: DocumentLock,
        chunks: Sequence[Chunk] = (),
    ) -> None:
        """Publish a revision, dated after all other captures. The first revision has no orphaned rows."""
        at = merged.at
        manifest = Manifest(
            tenant=document.tenant,
            document_id=document.document_id,
            revision=document.revision,
            entries=tuple(entries),
            supersedes=merged.supersedes,
            created_at=at,
        )
        await lock.require()
        await self.store.documents.publish(
            document.model_copy(update={"ingested_at": at}),
            manifest,
            replaces=old.revision if old else "",
            chunks=chunks,
        )
        lock.is_whole = old is None and lock.is_fresh
        self.published(document.tenant)
