"""Repository of write locks on documents."""

from collections.abc import Sequence
from datetime import datetime

from pymongo.errors import BulkWriteError

from app.store.knowledge.port import LockResult
from app.store.mongo.expressions import keep_fields, set_if, upsert
from app.store.mongo.failures import only_duplicates, translate_errors
from app.store.mongo.group_commit import GroupCommit
from app.store.mongo.rows import SCHEMA, Collection, Database, Row


class MongoLocks:
    """`Locks` in the collection `knowledge_locks`.

    `first` is the owner that created the row; any other owner took over a lock that was not released.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_locks"]
        self._insert = GroupCommit(self._inserted)
        self._give_back = GroupCommit(self._given_back)

    @translate_errors
    async def acquire(
        self, tenant: str, document_id: str, *, owner: str, now: datetime, until: datetime
    ) -> LockResult:
        row = _key(tenant, document_id) | {"schema": SCHEMA, "owner": owner, "first": owner}
        if await self._insert(row | {"expiresAt": until}):
            return LockResult.FRESH
        mine = {"$eq": [{"$ifNull": ["$owner", {"$literal": owner}]}, {"$literal": owner}]}
        free = {"$or": [mine, {"$lte": ["$expiresAt", now]}]}
        change = keep_fields({"schema": SCHEMA, "first": owner}) | set_if(
            free, {"owner": owner, "expiresAt": until}
        )
        row = await upsert(self._rows, _key(tenant, document_id), change)
        if row["owner"] != owner:
            return LockResult.NO
        return LockResult.FRESH if row["first"] == owner else LockResult.LEFT

    @translate_errors
    async def release(self, tenant: str, document_id: str, *, owner: str) -> None:
        await self._give_back({"tenantId": tenant, "owner": owner})

    async def _inserted(self, rows: list[Row]) -> Sequence[bool]:
        """For each row, whether it was inserted. If a document appears twice, the first one wins."""
        try:
            await self._rows.insert_many(rows, ordered=False)
        except BulkWriteError as error:
            if not only_duplicates(error.details):
                raise
            there = {one["index"] for one in error.details["writeErrors"]}
            return [at not in there for at in range(len(rows))]
        return [True] * len(rows)

    async def _given_back(self, rows: list[Row]) -> Sequence[None]:
        """Delete the rows; an owner holds the lock of one document only."""
        for tenant in {row["tenantId"] for row in rows}:
            owners = [row["owner"] for row in rows if row["tenantId"] == tenant]
            await self._rows.delete_many({"tenantId": tenant, "owner": {"$in": owners}})
        return [None] * len(rows)

    @translate_errors
    async def lapsed(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        rows = self._rows.find({"expiresAt": {"$lte": now}}, sort=[("expiresAt", 1)], limit=limit)
        return [(row["tenantId"], row["documentId"]) async for row in rows]


def _key(tenant: str, document_id: str) -> Row:
    return {"tenantId": tenant, "documentId": document_id}
