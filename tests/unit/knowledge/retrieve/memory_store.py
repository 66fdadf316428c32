"""Documents in memory, with the store's interface for the retriever."""

import hashlib
from collections.abc import AsyncIterator, Sequence
from dataclasses import fields
from datetime import UTC, datetime, timedelta

import numpy as np

from app.domain.knowledge import Chunk, ChunkPlacement, Document, Manifest
from app.llm.embedder import AccountedEmbedder, WordLlama
from app.store.knowledge import Changes, KnowledgeStore, NearChunk
from knowledge.ingest.reembedder import embedding_text
from tests.fakes.hooks import Heard

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)
TENANT = "t"


def embedder() -> AccountedEmbedder:
    return AccountedEmbedder(WordLlama(), Heard())


class Documents:
    """One tenant's or several; `reads` counts what was asked of it. `searches`: vectors, by itself."""

    def __init__(self, searches: bool = False) -> None:
        self.searches = searches
        self.documents: dict[tuple[str, str], tuple[int, Document]] = {}
        self.kept: dict[tuple[str, str], Manifest] = {}
        self.stored: dict[tuple[str, str], Chunk] = {}
        self.gone: list[tuple[int, str, str]] = []
        self.versions: dict[str, int] = {}
        self.reads: list[str] = []

    def publish(self, document: Document, chunks: Sequence[Chunk], manifest: Manifest) -> None:
        tenant = document.tenant
        self.versions[tenant] = self.versions.get(tenant, 0) + 1
        for chunk in chunks:
            self.stored[(tenant, chunk.chunk_id)] = chunk
        self.kept[(tenant, document.document_id)] = manifest
        self.documents[(tenant, document.document_id)] = (self.versions[tenant], document)

    def remove(self, tenant: str, document_id: str) -> None:
        self.versions[tenant] += 1
        del self.documents[(tenant, document_id)]
        self.gone.append((self.versions[tenant], tenant, document_id))

    async def version(self, tenant: str) -> int:
        self.reads.append("version")
        return self.versions.get(tenant, 0)

    async def changes(self, tenant: str, since: int) -> Changes:
        self.reads.append("changes")
        found = [one for (of, _), one in self.documents.items() if of == tenant]
        return Changes(
            version=self.versions.get(tenant, 0),
            whole=since == 0,
            documents=tuple(document for version, document in found if version > since),
            deleted=tuple(
                one for version, of, one in self.gone if of == tenant and version > since
            ),
        )

    async def manifests(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        ids = [one.document_id for one in documents]
        return {one: self.kept[(tenant, one)] for one in ids if (tenant, one) in self.kept}

    async def searches_vectors(self, dimensions: int) -> bool:
        return self.searches

    async def nearest(
        self, tenant: str, model: str, vector: bytes, *, limit: int
    ) -> list[NearChunk]:
        """As a server would that searches vectors."""
        self.reads.append("nearest")
        asked = np.frombuffer(vector, "<f4")
        found = [
            NearChunk(
                one.chunk_id, one.document_id, float(np.frombuffer(one.vector, "<f4") @ asked)
            )
            for (of, _), one in self.stored.items()
            if of == tenant and one.model == model
        ]
        return sorted(found, key=lambda one: -one.cosine)[:limit]

    async def chunks(
        self, tenant: str, chunk_ids: Sequence[str], *, with_vectors: bool = False
    ) -> dict[str, Chunk]:
        self.reads.append("chunks")
        found = {one: self.stored.get((tenant, one)) for one in chunk_ids}
        return {one: chunk for one, chunk in found.items() if chunk}

    async def vectors(
        self, tenant: str, document_ids: Sequence[str]
    ) -> AsyncIterator[Sequence[Chunk]]:
        self.reads.append("vectors")
        wanted = set(document_ids)
        chunks = [
            chunk
            for (of, _), chunk in self.stored.items()
            if of == tenant and chunk.document_id in wanted
        ]
        for at in range(0, len(chunks), 500):
            yield chunks[at : at + 500]


def store(documents: Documents) -> KnowledgeStore:
    rest = dict.fromkeys((field.name for field in fields(KnowledgeStore)), None)
    return KnowledgeStore(**(rest | {"documents": documents}))


def add(
    documents: Documents,
    name: str,
    texts: Sequence[str | tuple[tuple[str, ...], str]],
    *,
    tenant: str = TENANT,
    hours: float = 0,
    model: str | None = None,
    supersedes: dict[str, str] | None = None,
    **about: object,
) -> list[str]:
    """Put a document of these texts in force; the ids of its chunks."""
    document_id = hashlib.sha256(f"{tenant}{name}".encode()).hexdigest()[:24]
    using, chunks, placed, at = embedder(), [], [], 0
    for ordinal, given in enumerate(texts):
        path, text = given if isinstance(given, tuple) else ((), given)
        key = hashlib.sha256(f"{document_id}{path}{text}{ordinal}".encode()).hexdigest()[:24]
        chunk = Chunk(
            chunk_id=key,
            tenant=tenant,
            document_id=document_id,
            text=text,
            heading_path=path,
            kind="table" if text.startswith("|") else "prose",
            created_at=NOON,
        )
        vector = using.embed([embedding_text(chunk)])[0].astype("<f4").tobytes()
        made_by = {"model": model or using.name, "vector": vector}
        chunks.append(chunk.model_copy(update=made_by))
        placed.append(ChunkPlacement(chunk_id=key, start=at, end=at + len(text)))
        at += len(text) + 2
    revision = f"{name}-{hours}"
    document = Document(
        **{
            "document_id": document_id,
            "tenant": tenant,
            "key": f"file:{name}",
            "title": name,
            "source": name,
            "kind": "md",
            "chunks": len(chunks),
            "revision": revision,
            "created_at": NOON,
            "ingested_at": NOON + timedelta(hours=hours),
        }
        | about
    )
    manifest = Manifest(
        tenant=tenant,
        document_id=document_id,
        revision=revision,
        entries=tuple(placed),
        supersedes=supersedes or {},
        created_at=NOON,
    )
    documents.publish(document, chunks, manifest)
    return [chunk.chunk_id for chunk in chunks]
