"""Vectors of another model: made anew in the background, while words alone still find what they stand for."""

import asyncio
from collections.abc import Callable
from uuid import uuid4

from app.domain.knowledge import Chunk, Document, IngestRequest, Job, JobStatus
from app.errors import Conflict, ModelUnavailable
from app.llm.embedding.embedder import Embedder, EmbeddingFailed
from app.store.knowledge.port import Documents, KnowledgeStore
from knowledge.ingest.document_builder import now_ms
from knowledge.ingest.document_lock import lock_document

BATCH = 100  # chunks embedded and stored at once; as many as one call of Gemini takes

Told = Callable[[int, int], None]


async def reembed_chunks(documents: Documents, embedder: Embedder, tenant: str, told: Told) -> int:
    """Have the embedder make all vectors of the tenant that are not its own; how many it made.

    `told` is called with how many are done, and of how many, as far as is known. Goes on where it
    was stopped: what is done is stored. Raises `ModelUnavailable`, `BudgetReached`.
    """
    done, before = 0, frozenset[str]()
    while chunks := await documents.other_models(tenant, embedder.name, limit=BATCH):
        ids = frozenset(chunk.chunk_id for chunk in chunks)
        if ids == before:
            break  # the store did not take them: they are no longer there
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
    """The headings above it and its text: a chunk of the same id has the same vector."""
    return (
        "\n".join((" > ".join(chunk.heading_path), chunk.text))
        if chunk.heading_path
        else chunk.text
    )


LOOKED_AT = 20  # of the newest jobs that wait, or run: whether this one is among them
OPEN: tuple[JobStatus, ...] = ("queued", "running")


class Reembedder:
    """Brings a tenant's chunks to the configured model."""

    def __init__(
        self, store: KnowledgeStore, embedder: Embedder, published: Callable[[str], None]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._published = published

    async def create_job(self, tenant: str) -> Job | None:
        """A new job for it, kept; None where nothing is to be done, or is being done."""
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
        """Make them, then say of each document that its vectors are of this model now: indexes read them
        anew by that. `told` of so many chunks more.
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
        """The same revision under a new name; one that somebody else replaced has its model already."""
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
