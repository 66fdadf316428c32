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
    async def acquire(
        self, tenant: str, task_id: str, *, owner: str, ttl_s: float, user: str = ""
    ) -> bool:
        """Take the lease, or renew one's own; False while another owner's lease is alive."""
        now = datetime.now(UTC)
        mine = {"$eq": [{"$ifNull": ["$owner", {"$literal": owner}]}, {"$literal": owner}]}
        free = {"$or": [mine, {"$lte": ["$expiresAt", now]}]}
        taken: Row = {
            "owner": owner,
            "expiresAt": now + timedelta(seconds=ttl_s),
            "updatedAt": now,
        }
        first = {"schema": SCHEMA, "createdAt": now} | ({"userId": user} if user else {})
        change = kept(first) | chosen(free, taken)
        row = await upserted(self._rows, {"tenantId": tenant, "taskId": task_id}, change)
        return bool(row["owner"] == owner)

    @translated
    async def renew(self, tenant: str, task_id: str, *, owner: str, ttl_s: float) -> bool:
        """Keep one's own lease alive; see the port. A row that the TTL removed, which only a machine that
        slept lets happen, is made again.
        """
        now = datetime.now(UTC)
        gone = {"$eq": [{"$ifNull": ["$owner", None]}, None]}
        mine = {"$eq": ["$owner", {"$literal": owner}]}
        not_given_back = {"$gt": ["$expiresAt", LONG_AGO]}
        kept_up: Row = {
            "owner": owner,
            "expiresAt": now + timedelta(seconds=ttl_s),
            "updatedAt": now,
        }
        change = kept({"schema": SCHEMA, "createdAt": now})
        change |= chosen({"$or": [gone, {"$and": [mine, not_given_back]}]}, kept_up)
        row = await upserted(self._rows, {"tenantId": tenant, "taskId": task_id}, change)
        return bool(row["owner"] == owner and row["expiresAt"] > LONG_AGO)

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

    @translated
    async def user(self, tenant: str, task_id: str) -> str | None:
        """Who began what the lease is of; None where that is not known."""
        row: Row | None = await self._rows.find_one({"tenantId": tenant, "taskId": task_id})
        return row.get("userId") if row is not None else None

    @translated
    async def alive(self, tenant: str, *, within_s: float, limit: int) -> set[str]:
        """The tasks whose lease is alive and ends within `within_s`."""
        now = datetime.now(UTC)
        soon = {"$gt": now, "$lte": now + timedelta(seconds=within_s)}
        wanted = {"tenantId": tenant, "expiresAt": soon}
        return {row["taskId"] async for row in self._rows.find(wanted, {"taskId": 1}, limit=limit)}
