"""Deletion of a tenant."""

from datetime import UTC, datetime

from app.store.mongo.indexes import INDEXES
from app.store.mongo.rows import Collection, Database, Repository
from app.store.tasks.leases import Leases

CREDENTIALS = ("pairings", "api_keys")  # in this order, since a code becomes a key
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
        for name in CREDENTIALS:
            await self._database[name].delete_many({"tenantId": tenant})

    async def is_busy(self, tenant: str) -> bool:
        """Whether a run or an ingestion of the tenant is in progress."""
        if await self._leases.list_runs(tenant, within_s=RUNS_S, limit=1):
            return True
        query = {"tenantId": tenant, "leasedUntil": {"$gt": datetime.now(UTC)}}
        return await self._rows.find_one(query, {"_id": 1}) is not None

    async def delete(self, tenant: str) -> dict[str, int]:
        """Delete every row of the tenant and its tasks' checkpoints; returns the counts by collection."""
        threads = sorted(await self._threads(tenant))
        deleted = dict.fromkeys(THREADS, 0)
        for start in range(0, len(threads), BATCH):
            query = {"thread_id": {"$in": threads[start : start + BATCH]}}
            for name in THREADS:
                deleted[name] += (await self._database[name].delete_many(query)).deleted_count
        for name in _tenants_collections():
            result = await self._database[name].delete_many({"tenantId": tenant})
            deleted[name] = deleted.get(name, 0) + result.deleted_count
        return {name: count for name, count in deleted.items() if count}

    async def _threads(self, tenant: str) -> set[str]:
        """The tasks that any row refers to; a task that never acted has no row of its own."""
        task_ids: set[str] = set()
        for name in _tenants_collections():
            rows: Collection = self._database[name]
            async for row in rows.find({"tenantId": tenant}, {"taskId": 1, "_id": 0}):
                if task_id := row.get("taskId"):
                    task_ids.add(task_id)
        return task_ids


def _tenants_collections() -> list[str]:
    """Collections whose rows have a tenant, those for authentication first."""
    collections = {
        index.collection for index in INDEXES if any(f == "tenantId" for f, _ in index.fields)
    }
    return [*CREDENTIALS, *sorted(collections - set(CREDENTIALS))]
