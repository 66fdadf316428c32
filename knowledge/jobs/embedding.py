"""Vectors of another model: made anew in the background, while words alone still find what they stand for."""

from collections.abc import Callable
from uuid import uuid4

from app.domain.knowledge import Document, IngestRequest, Job, JobStatus
from app.errors import Conflict
from app.llm.embedding.embedder import Embedder
from app.store.knowledge import KnowledgeStore
from knowledge.jobs.locking import turn_of
from knowledge.moments import moment
from knowledge.retrieve.reembed import reembed

LOOKED_AT = 20  # of the newest jobs that wait, or run: whether this one is among them
OPEN: tuple[JobStatus, ...] = ("queued", "running")


class Reembedding:
    """Brings a tenant's chunks to the configured model."""

    def __init__(
        self, store: KnowledgeStore, embedder: Embedder, published: Callable[[str], None]
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._published = published

    async def wanted(self, tenant: str) -> Job | None:
        """A new job for it, kept; None where nothing is to be done, or is being done."""
        documents = self._store.documents
        if not await documents.other_models(tenant, self._embedder.name, limit=1):
            return None
        for status in OPEN:
            listed = await self._store.jobs.listed(tenant, status=status, limit=LOOKED_AT)
            if any(one.request.kind == "embed" for one in listed):
                return None
        now = moment()
        job = Job(
            job_id=uuid4().hex,
            tenant=tenant,
            request=IngestRequest(kind="embed", name=self._embedder.name),
            created_at=now,
            updated_at=now,
        )
        await self._store.jobs.add(job)
        return job

    async def do(self, tenant: str, told: Callable[[int], None]) -> None:
        """Make them, then say of each document that its vectors are of this model now: indexes read them
        anew by that. `told` of so many chunks more.
        """
        before = 0

        def so_many(done: int, _: int) -> None:
            nonlocal before
            told(done - before)
            before = done

        await reembed(self._store.documents, self._embedder, tenant, so_many)
        changes = await self._store.documents.changes(tenant, 0)
        for document in changes.documents:
            if document.model != self._embedder.name:
                await self._adopt(document)
        self._published(tenant)

    async def _adopt(self, document: Document) -> None:
        """The same revision under a new name; one that somebody else replaced has its model already."""
        documents, revision = self._store.documents, uuid4().hex
        async with turn_of(self._store, document.tenant, document.document_id) as turn:
            manifests = await documents.manifests(document.tenant, [document])
            manifest = manifests.get(document.document_id)
            if manifest is None:
                return
            try:
                await turn.hold()
                await documents.publish(
                    document.model_copy(
                        update={"model": self._embedder.name, "revision": revision}
                    ),
                    manifest.model_copy(update={"revision": revision}),
                    replaces=document.revision,
                )
            except Conflict:
                return
