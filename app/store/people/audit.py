"""Repository of the audit trail: rows are added, and nothing here changes one."""

from collections.abc import Sequence

from app.domain.hitl import AuditEntry
from app.store.mongo.database import Collection, Database
from app.store.mongo.failures import translated
from app.store.mongo.rows import from_row, to_row
from app.store.tasks.actions import insert_missing


class MongoAudit:
    """`Audit` in the collection `audit`."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["audit"]

    @translated
    async def add(self, entries: Sequence[AuditEntry]) -> None:
        """Insert; a row whose entry_id is there already is left as it is."""
        await insert_missing(self._rows, [to_row(entry) for entry in entries])

    @translated
    async def of_task(self, tenant: str, task_id: str) -> list[AuditEntry]:
        """In the order they were made."""
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = self._rows.find(wanted, sort=[("at", 1), ("_id", 1)])
        return [from_row(AuditEntry, row) async for row in found]
