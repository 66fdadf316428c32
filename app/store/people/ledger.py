"""Repository of effects, beside the claims of requests in the operations ledger."""

from app.domain.hitl import ExecutedOperation
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import from_row
from app.store.tasks.leases import LONG_AGO


class MongoLedger:
    """`Ledger` in the collection `operations`, keyed by `traceId:stepId`. Its rows are kept: they have
    no `createdAt`, which claims are thrown away by.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["operations"]

    @translated
    async def of_task(self, tenant: str, task_id: str) -> list[ExecutedOperation]:
        """In the order they were sent. Claims, which have no `at`, are not among them."""
        wanted = {"tenantId": tenant, "taskId": task_id, "at": {"$gt": LONG_AGO}}
        found = self._rows.find(wanted, sort=[("at", 1), ("_id", 1)])
        return [from_row(ExecutedOperation, row) async for row in found]
