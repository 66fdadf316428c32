"""Re-embeds chunks in the background after the model changed; until then keyword search finds them."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import uuid4

from app.domain.knowledge import Chunk, Document, IngestRequest, Job, JobStatus
from app.errors import Conflict, ModelUnavailable
from app.llm.embedder import Embedder, EmbeddingFailed
from app.store.knowledge import Documents, KnowledgeStore
from knowledge.ingest.document_builder import now_ms
from knowledge.ingest.document_lock import lock_document

BATCH = 100  # chunks embedded and stored at once; the batch limit of Gemini
MAX_JOBS = 20  # newest queued or running jobs searched for an existing re-embedding
OPEN: tuple[JobStatus, ...] = ("queued", "running")


async def embed_chunks(embedder: Embedder, chunks: Sequence[Chunk]) -> list[Chunk]:
    """The chunks with vectors. Raises `ModelUnavailable`, `BudgetReached`."""
    if not chunks:
        return []
    texts = [embedding_text(chunk) for chunk in chunks]
    try:
        rows = await asyncio.to_thread(embedder.embed, texts)
    except EmbeddingFailed as error:
        raise ModelUnavailable("The embedding model did not answer") from error
    return [
        chunk.model_copy(update={"model": embedder.name, "vector": row.astype("<f4").tobytes()})
        for chunk, row in zip(chunks, rows, strict=True)
    ]


async def reembed_chunks(
    documents: Documents, embedder: Embedder, tenant: str, on_progress: Callable[[int], None]
) -> int:
    """Re-embed all of the tenant's chunks with vectors of another model; returns their number.

    `on_progress` gets the number of newly finished chunks. Resumable: finished batches are stored.
    Raises `ModelUnavailable`, `BudgetReached`.
    """
    done, previous = 0, frozenset[str]()
    while chunks := await documents.other_models(tenant, embedder.name, limit=BATCH):
        ids = frozenset(chunk.chunk_id for chunk in chunks)
        if ids == previous:
            break  # rejected by the store: they no longer exist
        await documents.put_chunks(await embed_chunks(embedder, chunks))
        done, previous = done + len(chunks), ids
        on_progress(len(chunks))
    return done


def embedding_text(chunk: Chunk) -> str:
    """The text to embed. Chunks with the same id have the same vector."""
    headings = " > ".join(chunk.heading_path)
    return f"{headings}\n{chunk.text}" if chunk.heading_path else chunk.text


@dataclass(frozen=True)
class Reembedder:
    """Re-embeds a tenant's documents with the configured model."""

    store: KnowledgeStore
    embedder: Embedder
    published: Callable[[str], None]

    async def create_job(self, tenant: str) -> Job | None:
        """None if there is nothing to do or a job is already open."""
        documents = self.store.documents
        if not await documents.other_models(tenant, self.embedder.name, limit=1):
            return None
        for status in OPEN:
            jobs = await self.store.jobs.listed(tenant, status=status, limit=MAX_JOBS)
            if any(one.request.kind == "embed" for one in jobs):
                return None
        now = now_ms()
        job = Job(
            job_id=uuid4().hex,
            tenant=tenant,
            request=IngestRequest(kind="embed", name=self.embedder.name),
            created_at=now,
            updated_at=now,
        )
        await self.store.jobs.add(job)
        return job

    async def run(self, tenant: str, on_progress: Callable[[int], None]) -> None:
        """Re-embed all chunks, then publish new revisions with the model's name, which makes indexes
        reload the vectors. `on_progress` gets the number of newly finished chunks.
        """
        await reembed_chunks(self.store.documents, self.embedder, tenant, on_progress)
        changes = await self.store.documents.changes(tenant, 0)
        for document in changes.documents:
            if document.model != self.embedder.name:
                await self._republish(document)
        self.published(tenant)

    async def _republish(self, document: Document) -> None:
        """Publish the same content as a new revision, unless it was replaced meanwhile."""
        documents, revision = self.store.documents, uuid4().hex
        async with lock_document(self.store, document.tenant, document.document_id) as lock:
            manifests = await documents.manifests(document.tenant, [document])
            manifest = manifests.get(document.document_id)
            if manifest is None:
                return
            try:
                await lock.require()
                await documents.publish(
                    document.model_copy(update={"model": self.embedder.name, "revision": revision}),
                    manifest.model_copy(update={"revision": revision}),
                    replaces=document.revision,
                )
            except Conflict:
                return
