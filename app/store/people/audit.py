"""Repositories of the audit trail and the ledger of executed effects."""

from collections.abc import Sequence

from app.domain.hitl import AuditEntry, ExecutedOperation
from app.store.mongo.failures import translate_errors
from app.store.mongo.rows import Collection, Database, from_row, to_row
from app.store.tasks.actions import insert_missing
from app.store.tasks.leases import LONG_AGO


class Audit:
    """The questions, answers and consequences. Rows are added and never changed."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["audit"]

    @translate_errors
    async def add(self, entries: Sequence[AuditEntry]) -> None:
        """Insert; an existing row with the same entry_id is unchanged."""
        await insert_missing(self._rows, [to_row(entry) for entry in entries])

    @translate_errors
    async def of_task(self, tenant: str, task_id: str) -> list[AuditEntry]:
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = self._rows.find(wanted, sort=[("at", 1), ("_id", 1)])
        return [from_row(AuditEntry, row) async for row in found]


class Ledger:
    """Effects that were sent, by `traceId:stepId`; each at most once.

    Rows hold no personal data. They are written with the request that sends them, see
    `Operations.complete`.
    """

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["operations"]

    @translate_errors
    async def of_task(self, tenant: str, task_id: str) -> list[ExecutedOperation]:
        """In order of sending. Claims, which have no `at`, are excluded."""
        wanted = {"tenantId": tenant, "taskId": task_id, "at": {"$gt": LONG_AGO}}
        found = self._rows.find(wanted, sort=[("at", 1), ("_id", 1)])
        return [from_row(ExecutedOperation, row) async for row in found]
