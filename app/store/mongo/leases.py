"""Repository of task leases."""

from datetime import UTC, datetime, timedelta

from app.store.mongo.conditional import chosen, kept, upserted
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import SCHEMA, Row

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)  # before any clock that may ask


class MongoLeases:
    """`Leases` in the collection `leases`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["leases"]

    @translated
    async def acquire(self, tenant: str, task_id: str, *, owner: str, ttl_s: float) -> bool:
        """Take the lease, or renew one's own; False while another owner's lease is alive."""
        now = datetime.now(UTC)
        mine = {"$eq": [{"$ifNull": ["$owner", {"$literal": owner}]}, {"$literal": owner}]}
        free = {"$or": [mine, {"$lte": ["$expiresAt", now]}]}
        taken: Row = {
            "owner": owner,
            "expiresAt": now + timedelta(seconds=ttl_s),
            "updatedAt": now,
        }
        change = kept({"schema": SCHEMA, "createdAt": now}) | chosen(free, taken)
        row = await upserted(self._rows, {"tenantId": tenant, "taskId": task_id}, change)
        return bool(row["owner"] == owner)

    @translated
    async def release(self, tenant: str, task_id: str, *, owner: str) -> None:
        """Give one's own lease back; nothing happens if it is another's. The TTL removes the row."""
        mine = {"$eq": ["$owner", {"$literal": owner}]}
        change = chosen(mine, {"expiresAt": LONG_AGO})
        await self._rows.update_one({"tenantId": tenant, "taskId": task_id}, [{"$set": change}])

    @translated
    async def seize(self, tenant: str, task_id: str, *, owner: str, ttl_s: float) -> bool:
        """Take a lease that is alive from its owner; False when none is."""
        now = datetime.now(UTC)
        taken: Row = {
            "owner": owner,
            "expiresAt": now + timedelta(seconds=ttl_s),
            "updatedAt": now,
        }
        alive = {"tenantId": tenant, "taskId": task_id, "expiresAt": {"$gt": now}}
        changed = await self._rows.update_one(alive, {"$set": taken})
        return bool(changed.matched_count)

    @translated
    async def take(self, tenant: str, task_id: str, *, owner: str, ttl_s: float) -> None:
        """Take the lease, whoever has it, alive or not."""
        now = datetime.now(UTC)
        taken: Row = {
            "owner": owner,
            "expiresAt": now + timedelta(seconds=ttl_s),
            "updatedAt": now,
        }
        change = kept({"schema": SCHEMA, "createdAt": now})
        change |= {name: {"$literal": value} for name, value in taken.items()}
        await upserted(self._rows, {"tenantId": tenant, "taskId": task_id}, change)

    @translated
    async def holder(self, tenant: str, task_id: str) -> str | None:
        """Whose lease is alive; None where none is."""
        row: Row | None = await self._rows.find_one({"tenantId": tenant, "taskId": task_id})
        if row is None or row["expiresAt"] <= datetime.now(UTC):
            return None
        return str(row["owner"])
