"""Repository of what calls of models cost."""

from collections.abc import Sequence

from app.domain.usage import UsageRecord
from app.store.mongo.actions import insert_missing
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import from_row, to_row

MADE = [("createdAt", 1), ("_id", 1)]


class MongoUsage:
    """`Usage` in the collection `token_usage_logs`. Rows are never changed and never expire."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["token_usage_logs"]

    @translated
    async def add(self, records: Sequence[UsageRecord]) -> None:
        """Insert; a row whose usage_id is there already is left as it is."""
        await insert_missing(self._rows, [to_row(record) for record in records])

    @translated
    async def of_task(self, tenant: str, task_id: str) -> list[UsageRecord]:
        """In the order they were made."""
        found = self._rows.find({"tenantId": tenant, "taskId": task_id}, sort=MADE)
        return [from_row(UsageRecord, row) async for row in found]
