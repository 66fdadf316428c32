"""Repository of corrections."""

from collections.abc import Mapping, Sequence

from pymongo import InsertOne, UpdateOne

from app.domain.memory import CorrectionRecord, RepairStatus
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import Row, from_row, to_row
from app.store.tasks.actions import duplicates_ignored


class MongoCorrections:
    """`Corrections` in the collection `corrections`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["corrections"]

    @translated
    async def settle(
        self,
        tenant: str,
        statuses: Mapping[str, RepairStatus],
        *,
        then: Sequence[CorrectionRecord] = (),
    ) -> None:
        """Write what came of corrections, and add `then`, in one round trip; see the port."""
        writes: list[UpdateOne | InsertOne[Row]] = [
            UpdateOne({"tenantId": tenant, "repairId": repair}, {"$set": {"status": status}})
            for repair, status in statuses.items()
        ]
        writes += [InsertOne(to_row(record)) for record in then]
        if writes:
            with duplicates_ignored():
                await self._rows.bulk_write(writes, ordered=False)

    @translated
    async def of_task(self, tenant: str, task_id: str) -> list[CorrectionRecord]:
        """In the order they were made."""
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = self._rows.find(wanted, sort=[("createdAt", 1)])
        return [from_row(CorrectionRecord, row) async for row in found]
