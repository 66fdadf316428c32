"""Repositories of questions to people, and of the audit trail."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pymongo import ReturnDocument

from app.domain.hitl import AuditEntry, HitlResult, HitlStatus, PendingHitl
from app.errors import NotFound
from app.store.mongo.failures import insert_missing, translate_errors
from app.store.mongo.rows import (
    Collection,
    Database,
    Row,
    from_row,
    newest_of,
    set_if,
    storable,
    to_row,
)

NEWEST = [("createdAt", -1)]
SAME_MOMENT = 20  # rows that may share the millisecond at a page boundary


class Hitl:
    """Questions, one row each, kept after they end."""

    def __init__(self, database: Database) -> None:
        self._rows: Collection = database["hitl"]

    @translate_errors
    async def put(self, pending: PendingHitl) -> PendingHitl:
        """Insert unless it exists, and return the row in force.

        If another question of the task is pending, that one is returned and this one is not written. The
        caller holds the task's lease.
        """
        newest = await self._latest(pending.tenant, pending.task_id)
        if newest is not None and (
            newest.hitl_id == pending.hitl_id or newest.status_at(datetime.now(UTC)) == "pending"
        ):
            return newest
        await insert_missing(self._rows, [to_row(pending)])
        return pending

    @translate_errors
    async def get(self, tenant: str, hitl_id: str) -> PendingHitl:
        """The question, or `NotFound`."""
        row: Row | None = await self._rows.find_one({"tenantId": tenant, "hitlId": hitl_id})
        return _found(row, hitl_id)

    @translate_errors
    async def latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        """The task's newest question in any status."""
        return await self._latest(tenant, task_id)

    async def _latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = [row async for row in self._rows.find(wanted, sort=NEWEST, limit=1)]
        return from_row(PendingHitl, found[0]) if found else None

    @translate_errors
    async def of_task(self, tenant: str, task_id: str) -> list[PendingHitl]:
        """Oldest first."""
        wanted = {"tenantId": tenant, "taskId": task_id}
        found = self._rows.find(wanted, sort=[("createdAt", 1)])
        return [from_row(PendingHitl, row) async for row in found]

    @translate_errors
    async def conclude(
        self, tenant: str, hitl_id: str, status: HitlStatus, result: HitlResult
    ) -> PendingHitl:
        """End a pending question; one that has ended is unchanged.

        Returns the row afterwards, where the result's `key` tells whose answer it was. Answers are accepted
        until `expires_at` (by `result.at`). Raises `NotFound`.
        """
        waits: Row = {"$eq": ["$status", "pending"]}
        if status == "answered":
            waits = {"$and": [waits, {"$gt": ["$expiresAt", result.at]}]}
        change = set_if(waits, {"status": status, "result": _plain(result)})
        row: Row | None = await self._rows.find_one_and_update(
            {"tenantId": tenant, "hitlId": hitl_id},
            [{"$set": change}],
            return_document=ReturnDocument.AFTER,
        )
        return _found(row, hitl_id)

    @translate_errors
    async def forget(self, tenant: str, hitl_id: str, text: str) -> None:
        """Replace the answer by this text, once an answer with a secret was used."""
        await self._rows.update_one(
            {"tenantId": tenant, "hitlId": hitl_id}, {"$set": {"result.text": text}}
        )

    @translate_errors
    async def listed(
        self,
        tenant: str,
        *,
        user: str | None = None,
        status: HitlStatus | None = None,
        limit: int,
        before: datetime | None = None,
        since: datetime | None = None,
        after: tuple[datetime, str] | None = None,
    ) -> list[PendingHitl]:
        """Newest first, then by id; of one user, or of all.

        Asked in [`since`, `before`), and after the (time, id) in `after`.
        """
        wanted: dict[str, Any] = {"tenantId": tenant}
        if user is not None:
            wanted["userId"] = user
        if status is not None:
            wanted["status"] = status
        moments = {"$lt": before, "$gte": since, "$lte": after[0] if after else None}
        if made := {bound: moment for bound, moment in moments.items() if moment is not None}:
            wanted["createdAt"] = made
        found = self._rows.find(wanted, sort=NEWEST, limit=limit + SAME_MOMENT)
        rows = [row async for row in found]
        page = newest_of(rows, "createdAt", "hitlId", after=after, limit=limit)
        return [from_row(PendingHitl, row) for row in page]


def _plain(result: HitlResult) -> Row:
    row = to_row(result)
    row.pop("schema")
    return storable(row)


def _found(row: Row | None, hitl_id: str) -> PendingHitl:
    if row is None:
        raise NotFound(f"There is no question {hitl_id}")
    return from_row(PendingHitl, row)


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
