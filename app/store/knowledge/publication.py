"""Publishes documents under a lock, with an order of writes that leaves nothing half-done after a crash."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum

from pydantic.alias_generators import to_camel
from pymongo import ReplaceOne
from pymongo.errors import BulkWriteError, DuplicateKeyError, PyMongoError

from app.domain.knowledge import Chunk, Document, Manifest
from app.errors import Conflict
from app.store.knowledge.chunks import Chunks
from app.store.mongo.group_commit import GroupCommit
from app.store.mongo.rows import (
    SCHEMA,
    Collection,
    Database,
    Repository,
    Row,
    from_row,
    keep_fields,
    only_duplicates,
    set_if,
    to_row,
    upsert,
)

# `changed` holds this from the moment a document changes until its version is known. Readers that
# ask for changes in between get the document whatever their version, and get it again afterwards.
UNSETTLED = 2**53

DELETED = "deleted"  # pseudo-revision of a document being deleted, which is invisible
MAX_DELETIONS = 1_000  # deletions; a reader that missed more reloads everything
PIECE = 10_000  # entries per row: about 1.2 MB, with a limit of 16
DOCUMENTS_PER_QUERY = 200  # documents per query


@dataclass(frozen=True, slots=True)
class Deletions:
    """The version, and the documents deleted since an earlier one; `whole`: the list is incomplete."""

    version: int
    ids: tuple[str, ...] = ()
    whole: bool = False


class Versions:
    """The collection `knowledge_versions`, one row per tenant."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_versions"]

    async def now(self, tenant: str) -> int:
        """0 if there was no change yet."""
        row = await self._rows.find_one({"tenantId": tenant}, {"version": 1})
        return int(row["version"]) if row else 0

    async def next(self, tenant: str, *, deleted: str | None = None) -> int:
        """Increment the version; `deleted` is remembered with it."""
        higher: Row = {"$add": [{"$ifNull": ["$version", 0]}, 1]}
        change: Row = keep_fields({"schema": SCHEMA}) | {"version": higher}
        if deleted is not None:
            deletions = {"$ifNull": ["$deleted", []]}
            deletion = [{"documentId": {"$literal": deleted}, "version": higher}]
            change["deleted"] = {
                "$slice": [{"$concatArrays": [deletions, deletion]}, -MAX_DELETIONS]
            }
        row = await upsert(self._rows, {"tenantId": tenant}, change)
        return int(row["version"])

    async def since(self, tenant: str, since: int) -> Deletions:
        """The deletions after `since`.

        A number higher than the current version is from before the tenant was deleted: everything counts as
        new.
        """
        row = await self._rows.find_one({"tenantId": tenant})
        if row is None:
            return Deletions(0, whole=True)
        version, deleted = int(row["version"]), row.get("deleted", [])
        is_truncated = len(deleted) >= MAX_DELETIONS and since < deleted[0]["version"]
        ids = tuple(one["documentId"] for one in deleted if one["version"] > since)
        return Deletions(version, ids, whole=since <= 0 or since > version or is_truncated)


class Manifests:
    """The collection `knowledge_manifests`; `piece` counts from 0, each row has the number of pieces."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_manifests"]

    async def put(self, manifest: Manifest) -> None:
        """Store the manifest, replacing an existing one."""
        names = ("tenantId", "documentId", "revision", "piece")
        writes = [
            ReplaceOne({name: row[name] for name in names}, row, upsert=True)
            for row in _rows(manifest)
        ]
        await self._rows.bulk_write(writes, ordered=False)

    async def insert(self, manifests: Sequence[Manifest]) -> None:
        """Insert new manifests. Raises `BulkWriteError` if one exists."""
        await self._rows.insert_many([row for one in manifests for row in _rows(one)])

    async def of(self, tenant: str, documents: Sequence[Document]) -> dict[str, Manifest]:
        """The manifests in force, by document id. One that a writer deletes concurrently is left out."""
        query = {document.document_id: document.revision for document in documents}
        found: dict[str, list[Row]] = {}
        ids = list(query)
        for start in range(0, len(ids), DOCUMENTS_PER_QUERY):
            batch = {
                "tenantId": tenant,
                "documentId": {"$in": ids[start : start + DOCUMENTS_PER_QUERY]},
            }
            async for row in self._rows.find(batch):
                if row["revision"] == query[row["documentId"]]:
                    found.setdefault(row["documentId"], []).append(row)
        return {
            document_id: _joined(rows)
            for document_id, rows in found.items()
            if len(rows) == rows[0]["pieces"]
        }

    async def others(self, tenant: str, document_id: str, revision: str) -> int:
        """Delete those of all other revisions; returns the number of rows."""
        query = {"tenantId": tenant, "documentId": document_id}
        deleted = 0
        revisions = {row["revision"] async for row in self._rows.find(query, {"revision": 1})}
        for other in revisions - {revision}:
            deleted += (await self._rows.delete_many(query | {"revision": other})).deleted_count
        return deleted

    async def delete(self, tenant: str, document_id: str) -> None:
        """Delete those of all revisions."""
        await self._rows.delete_many({"tenantId": tenant, "documentId": document_id})


def _rows(manifest: Manifest) -> Iterable[Row]:
    superseded = list(manifest.supersedes.items())
    count = max(1, -(-max(len(manifest.entries), len(superseded)) // PIECE))
    for piece in range(count):
        part = slice(piece * PIECE, (piece + 1) * PIECE)
        fields = {"entries": manifest.entries[part], "supersedes": dict(superseded[part])}
        yield to_row(manifest.model_copy(update=fields)) | {"piece": piece, "pieces": count}


def _joined(rows: list[Row]) -> Manifest:
    parts = [from_row(Manifest, row) for row in sorted(rows, key=lambda row: row["piece"])]
    entries = tuple(entry for part in parts for entry in part.entries)
    supersedes = {old: new for part in parts for old, new in part.supersedes.items()}
    return parts[0].model_copy(update={"entries": entries, "supersedes": supersedes})


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A revision with its chunks that are not stored yet; `replaces` is the previous one, or ""."""

    document: Document
    manifest: Manifest
    replaces: str
    chunks: Sequence[Chunk]

    @property
    def key(self) -> Row:
        return {"tenantId": self.document.tenant, "documentId": self.document.document_id}

    def row(self) -> Row:
        return to_row(self.document) | {"changed": UNSETTLED, "writtenAt": datetime.now(UTC)}


class Publishing:
    """Writes publications; concurrent ones share their writes."""

    def __init__(
        self, rows: Collection, chunks: Chunks, manifests: Manifests, versions: Versions
    ) -> None:
        self._rows, self._chunks = rows, chunks
        self._manifests, self._versions = manifests, versions
        self.publish = GroupCommit(self._publish)

    async def _publish(self, publications: list[Publication]) -> Sequence[int | Exception]:
        """Write chunks and manifests first, then the rows that readers see, then the version that notifies
        them. Each publication succeeds or fails on its own.
        """
        new = [publication for publication in publications if not publication.replaces]
        published = (
            {id(publication) for publication in new}
            if new and await self._insert_all(new)
            else set[int]()
        )
        outcomes: list[int | Exception] = []
        for publication in publications:
            error = None if id(publication) in published else await self._publish_one(publication)
            outcomes.append(error or 0)
        for tenant in {publication.document.tenant for publication in publications}:
            indexes = [
                index
                for index, publication in enumerate(publications)
                if publication.document.tenant == tenant and outcomes[index] == 0
            ]
            if indexes:
                version = await self._versions.next(tenant)
                await self.settle(
                    tenant, [publications[index].document for index in indexes], version
                )
                for index in indexes:
                    outcomes[index] = version
        return outcomes

    async def _insert_all(self, publications: list[Publication]) -> bool:
        """Insert everything these first revisions need; False if some of it exists already."""
        try:
            await self._chunks.insert(
                [chunk for publication in publications for chunk in publication.chunks]
            )
            await self._manifests.insert([publication.manifest for publication in publications])
            await self._rows.insert_many([publication.row() for publication in publications])
        except BulkWriteError:
            return False
        return True

    async def _publish_one(self, publication: Publication) -> Exception | None:
        """Write one publication whose rows may exist already; returns the error, if any."""
        try:
            if not publication.replaces:
                await self.finish_deleting(publication.key)
            await self._chunks.put(publication.chunks)
            await self._manifests.put(publication.manifest)
            if not await self._write_row(publication):
                return Conflict("Another version of the document was published meanwhile")
        except PyMongoError as error:
            return error
        return None

    async def _write_row(self, publication: Publication) -> bool:
        """Put the revision in force and return whether it is; repeating the call is harmless."""
        row = publication.row()
        if publication.replaces:
            # Fields that the new revision lacks must not remain from the previous one.
            names = {to_camel(name) for name in Document.model_fields} - {"tenant", "user"}
            missing = dict.fromkeys(names - row.keys(), "")
            change: Row = {"$set": row} | ({"$unset": missing} if missing else {})
            previous = publication.key | {"revision": publication.replaces}
            if await self._rows.find_one_and_update(previous, change) is not None:
                return True
        else:
            with suppress(DuplicateKeyError):
                await self._rows.insert_one(row)
                return True
        current = await self._rows.find_one(publication.key, {"revision": 1})
        return current is not None and current["revision"] == publication.document.revision

    async def settle(self, tenant: str, documents: Iterable[Document], version: int) -> None:
        """Write the version at which these revisions came into force."""
        ids = {one.document_id: one.revision for one in documents}
        is_published = {"$in": ["$revision", list(ids.values())]}
        query = {"tenantId": tenant, "documentId": {"$in": list(ids)}}
        await self._rows.update_many(query, [{"$set": set_if(is_published, {"changed": version})}])

    async def finish_deleting(self, key: Row) -> None:
        """Complete a deletion, including an interrupted one; an existing document is not affected."""
        row = await self._rows.find_one(key, {"revision": 1})
        if row is None or row["revision"] != DELETED:
            return
        tenant, document_id = key["tenantId"], key["documentId"]
        await self._versions.next(tenant, deleted=document_id)
        await self._chunks.delete(tenant, document_id)
        await self._manifests.delete(tenant, document_id)
        await self._rows.delete_one(key | {"revision": DELETED})


class LockResult(IntEnum):
    """The result of acquiring a lock; truthy if held.

    `LEFT`: the previous owner did not release it and may have left rows that no revision lists.
    """

    NO = 0
    FRESH = 1
    LEFT = 2


class Locks(Repository):
    """Write locks on documents.

    An expired lock indicates that its owner died. An owner name is used for one turn at one document only.
    `first` is the owner that created the row; any other owner took over a lock that was not released.
    """

    collection = "knowledge_locks"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._insert = GroupCommit(self._insert_all)
        self._delete = GroupCommit(self._delete_all)

    async def acquire(
        self, tenant: str, document_id: str, *, owner: str, now: datetime, until: datetime
    ) -> LockResult:
        """Acquire or extend the lock; `NO` while another owner's is valid."""
        row = _lock_key(tenant, document_id) | {"schema": SCHEMA, "owner": owner, "first": owner}
        if await self._insert(row | {"expiresAt": until}):
            return LockResult.FRESH
        is_own = {"$eq": [{"$ifNull": ["$owner", {"$literal": owner}]}, {"$literal": owner}]}
        free = {"$or": [is_own, {"$lte": ["$expiresAt", now]}]}
        change = keep_fields({"schema": SCHEMA, "first": owner}) | set_if(
            free, {"owner": owner, "expiresAt": until}
        )
        row = await upsert(self._rows, _lock_key(tenant, document_id), change)
        if row["owner"] != owner:
            return LockResult.NO
        return LockResult.FRESH if row["first"] == owner else LockResult.LEFT

    async def release(self, tenant: str, document_id: str, *, owner: str) -> None:
        """Release one's own lock; another owner's is unaffected."""
        await self._delete({"tenantId": tenant, "owner": owner})

    async def _insert_all(self, rows: list[Row]) -> Sequence[bool]:
        """For each row, whether it was inserted. If a document appears twice, the first one wins."""
        try:
            await self._rows.insert_many(rows, ordered=False)
        except BulkWriteError as error:
            if not only_duplicates(error.details):
                raise
            existing = {one["index"] for one in error.details["writeErrors"]}
            return [at not in existing for at in range(len(rows))]
        return [True] * len(rows)

    async def _delete_all(self, rows: list[Row]) -> Sequence[None]:
        """Delete the rows; an owner holds the lock of one document only."""
        for tenant in {row["tenantId"] for row in rows}:
            owners = [row["owner"] for row in rows if row["tenantId"] == tenant]
            await self._rows.delete_many({"tenantId": tenant, "owner": {"$in": owners}})
        return [None] * len(rows)

    async def list_expired(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, document id) of expired locks that were not released, oldest first."""
        rows = self._rows.find({"expiresAt": {"$lte": now}}, sort=[("expiresAt", 1)], limit=limit)
        return [(row["tenantId"], row["documentId"]) async for row in rows]


def _lock_key(tenant: str, document_id: str) -> Row:
    return {"tenantId": tenant, "documentId": document_id}
