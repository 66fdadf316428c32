"""Re-embeds chunks in the background after the model changed; until then keyword search finds them."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

from app.domain.knowledge import Chunk, Document, IngestRequest, Job, JobStatus
from app.errors import Conflict, ModelUnavailable
from app.llm.embedder import Embedder, EmbeddingFailed
from app.store.knowledge.port import Documents, KnowledgeStore
from knowledge.ingest.document_builder import now_ms
from knowledge.ingest.document_lock import lock_document

BATCH = 100  # chunks embedded and stored at once; the batch limit of Gemini

Told = Callable[[int, int], None]


async def reembed_chunks(documents: Documents, embedder: Embedder, tenant: str, told: Told) -> int:
    """Re-embed all of the tenant's chunks with vectors of another model; returns their number.

    `told(done, total)` reports progress; the total may be an estimate. Resumable: finished batches
    are stored. Raises `ModelUnavailable`, `BudgetReached`.
    """
    done, before = 0, frozenset[str]()
    while chunks := await documents.other_models(tenant, embedder.name, limit=BATCH):
        ids = frozenset(chunk.chunk_id for chunk in chunks)
        if ids == before:
            break  # rejected by the store: they no longer exist
        texts = [embedding_text(chunk) for chunk in chunks]
        try:
            rows = await asyncio.to_thread(embedder.embed, texts)
        except EmbeddingFailed as error:
            raise ModelUnavailable("the model that embeds did not answer") from error
        await documents.put(
            [
                chunk.model_copy(
                    update={"model": embedder.name, "vector": row.astype("<f4").tobytes()}
                )
                for chunk, row in zip(chunks, rows, strict=True)
            ]
        )
        done, before = done + len(chunks), ids
        told(done, done + (BATCH if len(chunks) == BATCH else 0))
    return done


def embedding_text(chunk: Chunk) -> str:
    """The text to embed. Chunks with the same id have the same vector."""
    return (
        "\n".join((" > ".join(chunk.heading_path), chunk.text))
        if chunk.heading_path
        else chunk.text
    )


LOOKED_AT = 20  # newest queued or running jobs searched for an existing re-embedding
OPEN: tuple[JobStatus, ...] = ("queued", "running")


class Reembedder:
    """Re-embeds a tenant's documents with the configured model."""

    def __init__(
        self, store: KnowledgeStore, embedder: Embedder, published: Callable[[str], None]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._published = published

    async def create_job(self, tenant: str) -> Job | None:
        """None if there is nothing to do or a job is already open."""
        documents = self._store.documents
        if not await documents.other_models(tenant, self._embedder.name, limit=1):
            return None
        for status in OPEN:
            listed = await self._store.jobs.listed(tenant, status=status, limit=LOOKED_AT)
            if any(one.request.kind == "embed" for one in listed):
                return None
        now = now_ms()
        job = Job(
            job_id=uuid4().hex,
            tenant=tenant,
            request=IngestRequest(kind="embed", name=self._embedder.name),
            created_at=now,
            updated_at=now,
        )
        await self._store.jobs.add(job)
        return job

    async def run(self, tenant: str, told: Callable[[int], None]) -> None:
        """Re-embed all chunks, then publish new revisions with the model's name, which makes
        indexes reload the vectors. `told` gets the number of newly finished chunks.
        """
        before = 0

        def so_many(done: int, _: int) -> None:
            nonlocal before
            told(done - before)
            before = done

        await reembed_chunks(self._store.documents, self._embedder, tenant, so_many)
        changes = await self._store.documents.changes(tenant, 0)
        for document in changes.documents:
            if document.model != self._embedder.name:
                await self._adopt(document)
        self._published(tenant)

    async def _adopt(self, document: Document) -> None:
        """Publish the same content as a new revision, unless it was replaced meanwhile."""
        documents, revision = self._store.documents, uuid4().hex
        async with lock_document(self._store, document.tenant, document.document_id) as turn:
            manifests = await documents.manifests(document.tenant, [document])
            manifest = manifests.get(document.document_id)
            if manifest is None:
                return
            try:
                await turn.require()
                await documents.publish(
                    document.model_copy(
                        update={"model": self._embedder.name, "revision": revision}
                    ),
                    manifest.model_copy(update={"revision": revision}),
                    replaces=document.revision,
                )
            except Conflict:
                return
