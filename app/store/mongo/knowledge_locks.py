"""Repository of whose turn it is to write a document."""

from datetime import datetime

from app.store.mongo.conditional import chosen, kept, upserted
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import SCHEMA, Row


class MongoLocks:
    """`Locks` in the collection `knowledge_locks`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["knowledge_locks"]

    @translated
    async def acquire(
        self, tenant: str, document_id: str, *, owner: str, now: datetime, until: datetime
    ) -> bool:
        """Take it, or hold one's own longer; False while another's is alive."""
        mine = {"$eq": [{"$ifNull": ["$owner", {"$literal": owner}]}, {"$literal": owner}]}
        free = {"$or": [mine, {"$lte": ["$expiresAt", now]}]}
        change = kept({"schema": SCHEMA}) | chosen(free, {"owner": owner, "expiresAt": until})
        row = await upserted(self._rows, _key(tenant, document_id), change)
        return bool(row["owner"] == owner)

    @translated
    async def release(self, tenant: str, document_id: str, *, owner: str) -> None:
        """Give one's own back."""
        await self._rows.delete_one(_key(tenant, document_id) | {"owner": owner})

    @translated
    async def lapsed(self, *, now: datetime, limit: int) -> list[tuple[str, str]]:
        """(tenant, document id) of those that nobody holds and nobody gave back, oldest first."""
        rows = self._rows.find({"expiresAt": {"$lte": now}}, sort=[("expiresAt", 1)], limit=limit)
        return [(row["tenantId"], row["documentId"]) async for row in rows]


def _key(tenant: str, document_id: str) -> Row:
    return {"tenantId": tenant, "documentId": document_id}
