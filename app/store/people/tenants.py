"""Deletion of a tenant."""

from datetime import UTC, datetime

from app.store.mongo.indexes import INDEXES
from app.store.mongo.rows import Collection, Database, Repository
from app.store.tasks.leases import Leases

DOORS = ("pairings", "api_keys")  # in this order, since a code becomes a key
THREADS = ("checkpoint_writes", "checkpoints")
BATCH = 500  # threads per delete
RUNS_S = 60.0  # longer than the lease of any run; a pause's lease is longer


class Tenants(Repository):
    """Deletes tenants as a whole."""

    collection = "knowledge_jobs"

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._database = database
        self._leases = Leases(database)

    async def close(self, tenant: str) -> None:
        """Delete its keys and pairing codes, so that nobody can authenticate."""
        for name in DOORS:
            await self._database[name].delete_many({"tenantId": tenant})

    async def is_busy(self, tenant: str) -> bool:
        """Whether a run or an ingestion of the tenant is in progress."""
        if await self._leases.list_runs(tenant, within_s=RUNS_S, limit=1):
            return True
        wanted = {"tenantId": tenant, "leasedUntil": {"$gt": datetime.now(UTC)}}
        return await self._rows.find_one(wanted, {"_id": 1}) is not None

    async def delete(self, tenant: str) -> dict[str, int]:
        """Delete every row of the tenant and its tasks' checkpoints; returns the counts by collection."""
        threads = sorted(await self._threads(tenant))
        gone = dict.fromkeys(THREADS, 0)
        for start in range(0, len(threads), BATCH):
            wanted = {"thread_id": {"$in": threads[start : start + BATCH]}}
            for name in THREADS:
                gone[name] += (await self._database[name].delete_many(wanted)).deleted_count
        for name in _tenants_collections():
            result = await self._database[name].delete_many({"tenantId": tenant})
            gone[name] = gone.get(name, 0) + result.deleted_count
        return {name: count for name, count in gone.items() if count}

    async def _threads(self, tenant: str) -> set[str]:
        """The tasks that any row refers to; a task that never acted has no row of its own."""
        found: set[str] = set()
        for name in _tenants_collections():
            rows: Collection = self._database[name]
            async for row in rows.find({"tenantId": tenant}, {"taskId": 1, "_id": 0}):
                if task_id := row.get("taskId"):
                    found.add(task_id)
        return found


def _tenants_collections() -> list[str]:
    """Collections whose rows have a tenant, those for authentication first."""
    named = {index.collection for index in INDEXES if any(f == "tenantId" for f, _ in index.fields)}
    return [*DOORS, *sorted(named - set(DOORS))]
