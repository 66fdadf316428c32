"""Repository of documents: a published document is complete, an unpublished one is invisible."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeGuard

from pymongo import ReturnDocument
from pymongo.errors import PyMongoError

from app.domain.knowledge import Chunk, Document, DocumentTitle, Manifest
from app.errors import NotFound
from app.store.knowledge.chunks import Chunks, NearChunk, VectorSearch
from app.store.knowledge.publication import (
    DELETED,
    UNSETTLED,
    Manifests,
    Publication,
    Publishing,
    Versions,
)
from app.store.mongo.rows import (
    SAME_MOMENT,
    Database,
    Repository,
    Row,
    from_row,
    given_fields,
    newest_of,
    to_store_error,
)

ABANDONED_AFTER = timedelta(seconds=30)  # time after which an unfinished writer is presumed dead
LISTED_FIELDS = {"documentId": 1, "title": 1, "source": 1, "ingestedAt": 1, "revision": 1}

TITLE_FIELDS = LISTED_FIELDS | {
    "setName": 1,
    "domain": 1,
    "url": 1,
    "sections": 1,
    "version": 1,
    "_id": 0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed in a tenant's documents since an earlier version: `documents` in force now, ids of
    `deleted` ones. `version` is the new version; `whole` says that `documents` are complete.
    """

    version: int
    whole: bool = False
    documents: tuple[Document, ...] = ()
    deleted: tuple[str, ...] = ()


class Documents(Repository):
    """Documents, their chunks, and which of those are in force. Unpublished data is invisible.

    A row of `knowledge_documents` has `changed`, the tenant's version of its last change, and `writtenAt`.
    Decision 0037 explains the order of writes.
    """

    collection = "knowledge_documents"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._chunks = Chunks(database)
        self._manifests = Manifests(database)
        self._versions = Versions(database)
        self._near = VectorSearch(database["knowledge_chunks"])
        self._publishing = Publishing(self._rows, self._chunks, self._manifests, self._versions)

    async def get(self, tenant: str, document_id: str) -> Document:
        row = await self._rows.find_one(_key(tenant, document_id))
        if not _is_visible(row):
            raise NotFound("There is no such document")
        return from_row(Document, row)

    async def find_by_key(self, tenant: str, set_name: str, key: str) -> Document | None:
        """The document with this key, or None.

        An interrupted deletion is completed first, since it would otherwise delete parts of a new document
        with the same key.
        """
        row = await self._rows.find_one({"tenantId": tenant, "setName": set_name, "key": key})
        if row is not None and not _is_visible(row):
            await self._publishing.finish_deleting(_key(tenant, row["documentId"]))
        return from_row(Document, row) if _is_visible(row) else None

    async def list_by_url(self, tenant: str, url: str) -> list[Document]:
        """All documents from this address: each phase and each expanded part is one."""
        rows = self._rows.find({"tenantId": tenant, "url": url})
        return [from_row(Document, row) async for row in rows if _is_visible(row)]

    async def listed(
        self,
        tenant: str,
        *,
        limit: int,
        set_name: str | None = None,
        domain: str | None = None,
        text: str | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[Document]:
        """Newest first by `ingested_at`, then by id; if given, only those whose title or source contains
        `text`, which is matched in Python, since an index cannot find substrings.
        """
        query: Row = {"tenantId": tenant} | given_fields(setName=set_name, domain=domain)
        query |= {} if after is None else {"ingestedAt": {"$lte": after[0]}}
        needle = (text or "").casefold()
        rows: list[Row] = []
        async for row in self._rows.find(query, LISTED_FIELDS, sort=[("ingestedAt", -1)]):
            if _is_visible(row) and needle in f"{row['title']}\n{row['source']}".casefold():
                rows.append(row)
            if len(rows) == limit + SAME_MOMENT:
                break
        page = newest_of(rows, "ingestedAt", "documentId", after=after, limit=limit)
        return await self._whole(tenant, [row["documentId"] for row in page])

    async def _whole(self, tenant: str, ids: list[str]) -> list[Document]:
        rows = self._rows.find({"tenantId": tenant, "documentId": {"$in": ids}})
        by_id = {row["documentId"]: row async for row in rows if _is_visible(row)}
        return [from_row(Document, by_id[one]) for one in ids if one in by_id]

    async def titles(self, tenant: str, limit: int) -> list[DocumentTitle]:
        """The titles of its documents, newest first by `ingested_at`."""
        titles: list[DocumentTitle] = []
        rows = self._rows.find({"tenantId": tenant}, TITLE_FIELDS, sort=[("ingestedAt", -1)])
        async for row in rows:
            if len(titles) == limit:
                break
            if _is_visible(row):
                titles.append(from_row(DocumentTitle, row))
        return titles

    async def find_models(self, tenant: str, chunk_ids: Sequence[str]) -> dict[str, str]:
        """Those of these chunks that are stored, with the model that made their vector."""
        return await self._chunks.known(tenant, chunk_ids)

    async def put_chunks(self, chunks: Sequence[Chunk]) -> None:
        """Store chunks; an existing one gets the new vector and model."""
        await self._chunks.put(chunks)

    async def publish(
        self,
        document: Document,
        manifest: Manifest,
        *,
        replaces: str,
        chunks: Sequence[Chunk] = (),
    ) -> int:
        """Put a revision in force and return the tenant's new version.

        Its chunks must be stored already, except for `chunks`, which are stored first. Readers see either
        the previous revision or the whole new one. `replaces` is the revision in force when this one was
        begun, "" for none; raises `Conflict` if it has changed.
        """
        return await self._publishing.publish(
            Publication(document=document, manifest=manifest, replaces=replaces, chunks=chunks)
        )

    async def touch(
        self,
        tenant: str,
        document_id: str,
        *,
        now: datetime,
        etag: str | None,
        last_modified: str | None,
    ) -> None:
        """Record that it was checked again and is unchanged; an interrupted publication is completed."""
        checked = given_fields(etag=etag, lastModified=last_modified, ingestedAt=now)
        row = await self._rows.find_one_and_update(
            _key(tenant, document_id), {"$set": checked}, return_document=ReturnDocument.AFTER
        )
        if _is_visible(row) and row["changed"] == UNSETTLED:
            version = await self._versions.next(tenant)
            await self._publishing.settle(tenant, [from_row(Document, row)], version)

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete the document and its parts, or raise `NotFound`; chunks that it superseded reappear.

        It is hidden first, then the change is announced, then the data deleted.
        """
        key = _key(tenant, document_id)
        deletion = {"revision": DELETED, "changed": UNSETTLED, "writtenAt": datetime.now(UTC)}
        row = await self._rows.find_one_and_update(key, {"$set": deletion})
        if row is None:
            raise NotFound("There is no such document")
        await self._publishing.finish_deleting(key)

    async def sweep(self, tenant: str, document_id: str) -> int:
        """Delete the document's chunks and manifests that no revision in force lists; returns how many. The
        caller holds the document's lock.
        """
        row = await self._rows.find_one(_key(tenant, document_id))
        document = from_row(Document, row) if row is not None and _is_visible(row) else None
        revision = document.revision if document else ""
        listed: set[str] = set()
        if document is not None:
            manifest = (await self._manifests.of(tenant, [document])).get(document_id)
            if manifest is None:
                return 0  # replaced just now; the replacing writer sweeps
            listed = {entry.chunk_id for entry in manifest.entries}
        deleted = await self._chunks.others(tenant, document_id, listed)
        return deleted + await self._manifests.others(tenant, document_id, revision)

    async def manifests(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        """The manifests in force, by document id."""
        return await self._manifests.of(tenant, documents)

    async def chunks(
        self, tenant: str, chunk_ids: Sequence[str], *, with_vectors: bool = False
    ) -> dict[str, Chunk]:
        """Chunks by id, without vectors unless requested."""
        return await self._chunks.get(tenant, chunk_ids, with_vectors=with_vectors)

    async def searches_vectors(self, dimensions: int) -> bool:
        """Whether the server itself can search vectors of this length, so that `nearest` is available and
        clients need not hold the vectors.
        """
        return await self._near.ready(dimensions)

    async def nearest(
        self, tenant: str, model: str, vector: bytes, *, limit: int
    ) -> list[NearChunk]:
        """The chunks of that model nearest to the vector, also those that no manifest lists."""
        return await self._near.nearest(tenant, model, vector, limit)

    async def vectors(
        self, tenant: str, document_ids: Sequence[str]
    ) -> AsyncIterator[Sequence[Chunk]]:
        """All stored chunks of these documents with text and vector, in batches."""
        try:
            async for batch in self._chunks.of(tenant, document_ids):
                yield batch
        except PyMongoError as error:
            raise to_store_error(error) from error

    async def other_models(self, tenant: str, model: str, *, limit: int) -> list[Chunk]:
        """Chunks whose vector is from another model, without the vector."""
        return await self._chunks.of_other_models(tenant, model, limit)

    async def version(self, tenant: str) -> int:
        """A number that grows with each publication and deletion, starting from 0."""
        return await self._versions.now(tenant)

    async def changes(self, tenant: str, since: int) -> Changes:
        """Changes since version `since`; everything if 0.

        The version is read first, so concurrent publications appear in this result, the next one, or both.
        """
        deletions = await self._versions.since(tenant, since)
        query: Row = {"tenantId": tenant}
        if not deletions.whole:
            query["changed"] = {"$gt": since}
        rows = [row async for row in self._rows.find(query)]
        documents = tuple(from_row(Document, row) for row in rows if _is_visible(row))
        await self._complete_interrupted(tenant, rows)
        hidden = [row["documentId"] for row in rows if not _is_visible(row)]
        deleted = () if deletions.whole else tuple(dict.fromkeys([*deletions.ids, *hidden]))
        alive = {document.document_id for document in documents}
        return Changes(
            version=deletions.version,
            whole=deletions.whole,
            documents=documents,
            deleted=tuple(one for one in deleted if one not in alive),
        )

    async def _complete_interrupted(self, tenant: str, rows: list[Row]) -> None:
        """Complete publications that were interrupted between the decisive write and its announcement."""
        abandoned_before = datetime.now(UTC) - ABANDONED_AFTER
        for row in rows:
            if row["changed"] != UNSETTLED or row["writtenAt"] > abandoned_before:
                continue
            if not _is_visible(row):
                await self._publishing.finish_deleting(_key(tenant, row["documentId"]))
                continue
            version = await self._versions.next(tenant)
            await self._publishing.settle(tenant, [from_row(Document, row)], version)


def _is_visible(row: Row | None) -> TypeGuard[Row]:
    return row is not None and row["revision"] != DELETED


def _key(tenant: str, document_id: str) -> Row:
    return {"tenantId": tenant, "documentId": document_id}
