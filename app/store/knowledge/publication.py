"""Publishes documents with an order of writes that leaves nothing half-done after a crash."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic.alias_generators import to_camel
from pymongo.errors import BulkWriteError, DuplicateKeyError, PyMongoError

from app.domain.knowledge import Chunk, Document, Manifest
from app.errors import Conflict
from app.store.knowledge.chunks import Chunks
from app.store.knowledge.manifests import Manifests, Versions
from app.store.mongo.expressions import set_if
from app.store.mongo.group_commit import GroupCommit
from app.store.mongo.rows import Collection, Row, to_row

# `changed` holds this from the moment a document changes until its version is known. Readers that
# ask for changes in between get the document whatever their version, and get it again afterwards.
UNSETTLED = 2**53
DELETED = "deleted"  # pseudo-revision of a document being deleted, which is invisible


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A revision with its chunks that are not stored yet; `replaces` is the previous one, or ""."""

    document: Document
    manifest: Manifest
    replaces: str
    chunks: Sequence[Chunk]

    @property
    def key(self) -> Row:
        """The unique key of the document's row."""
        return {"tenantId": self.document.tenant, "documentId": self.document.document_id}

    def row(self) -> Row:
        """The document's row, without a version."""
        return to_row(self.document) | {"changed": UNSETTLED, "writtenAt": datetime.now(UTC)}


class Publishing:
    """Writes publications; concurrent ones share their writes."""

    def __init__(
        self, rows: Collection, chunks: Chunks, manifests: Manifests, versions: Versions
    ) -> None:
        self._rows, self._chunks = rows, chunks
        self._manifests, self._versions = manifests, versions
        self.publish = GroupCommit(self._publish)

    async def _publish(self, some: list[Publication]) -> Sequence[int | Exception]:
        """Write chunks and manifests first, then the rows that readers see, then the version that notifies
        them. Each publication succeeds or fails on its own.
        """
        new = [one for one in some if not one.replaces]
        done = {id(one) for one in new} if new and await self._inserted(new) else set[int]()
        outcomes: list[int | Exception] = []
        for one in some:
            error = None if id(one) in done else await self._failure(one)
            outcomes.append(error or 0)
        for tenant in {one.document.tenant for one in some}:
            places = [
                at
                for at, one in enumerate(some)
                if one.document.tenant == tenant and outcomes[at] == 0
            ]
            if places:
                version = await self._versions.next(tenant)
                await self.settle(tenant, [some[at].document for at in places], version)
                for at in places:
                    outcomes[at] = version
        return outcomes

    async def _inserted(self, new: list[Publication]) -> bool:
        """Insert everything these first revisions need; False if some of it exists already."""
        try:
            await self._chunks.insert([chunk for one in new for chunk in one.chunks])
            await self._manifests.insert([one.manifest for one in new])
            await self._rows.insert_many([one.row() for one in new])
        except BulkWriteError:
            return False
        return True

    async def _failure(self, one: Publication) -> Exception | None:
        """Write one publication whose rows may exist already; returns the error, if any."""
        try:
            if not one.replaces:
                await self.finish_deleting(one.key)
            await self._chunks.put(one.chunks)
            await self._manifests.put(one.manifest)
            if not await self._written(one):
                return Conflict("Another version of the document has come in meanwhile")
        except PyMongoError as error:
            return error
        return None

    async def _written(self, one: Publication) -> bool:
        """Put the revision in force and return whether it is; repeating the call is harmless."""
        row: Row | None = one.row()
        if one.replaces:
            # Fields that the new revision lacks must not remain from the previous one.
            gone = dict.fromkeys(_optional(one.row()), "")
            change: Row = {"$set": row} | ({"$unset": gone} if gone else {})
            before = one.key | {"revision": one.replaces}
            row = await self._rows.find_one_and_update(before, change)
        else:
            row = await self._inserted_row(one.row())
        if row is not None:
            return True
        there = await self._rows.find_one(one.key, {"revision": 1})
        return there is not None and there["revision"] == one.document.revision

    async def _inserted_row(self, row: Row) -> Row | None:
        try:
            await self._rows.insert_one(row)
        except DuplicateKeyError:
            return None
        return row

    async def settle(self, tenant: str, documents: Iterable[Document], version: int) -> None:
        """Write the version at which these revisions came into force."""
        ids = {one.document_id: one.revision for one in documents}
        is_one = {"$in": ["$revision", list(ids.values())]}
        wanted = {"tenantId": tenant, "documentId": {"$in": list(ids)}}
        await self._rows.update_many(wanted, [{"$set": set_if(is_one, {"changed": version})}])

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


def _optional(row: Row) -> set[str]:
    """The optional fields that this document lacks."""
    return {to_camel(name) for name in Document.model_fields} - row.keys() - {"tenant", "user"}
