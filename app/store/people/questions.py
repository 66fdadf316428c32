"""Repositories of questions to people, and of the audit trail."""

from collections.abc import Sequence
from datetime import UTC, datetime

from app.domain.hitl import AuditEntry, HitlResult, HitlStatus, PendingHitl
from app.store.mongo.rows import Row, ValueRepository, given_fields, set_if, storable, to_nested


class Hitl(ValueRepository[PendingHitl]):
    """Questions, one row each, kept after they end."""

    collection, kind, key, noun = "hitl", PendingHitl, "hitlId", "question"

    async def put(self, pending: PendingHitl) -> PendingHitl:
        """Insert unless it exists, and return the row in force.

        If another question of the task is pending, that one is returned and this one is not written. The
        caller holds the task's lease.
        """
        newest = await self.latest(pending.tenant, pending.task_id)
        if newest is not None and (
            newest.hitl_id == pending.hitl_id or newest.status_at(datetime.now(UTC)) == "pending"
        ):
            return newest
        await self._insert_missing([pending])
        return pending

    async def latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        """The task's newest question in any status."""
        newest = [("createdAt", -1)]
        questions = await self._all({"tenantId": tenant, "taskId": task_id}, sort=newest, limit=1)
        return questions[0] if questions else None

    async def of_task(self, tenant: str, task_id: str) -> list[PendingHitl]:
        """Oldest first."""
        return await self._all({"tenantId": tenant, "taskId": task_id}, sort=[("createdAt", 1)])

    async def conclude(
        self, tenant: str, hitl_id: str, status: HitlStatus, result: HitlResult
    ) -> PendingHitl:
        """End a pending question; one that has ended is unchanged.

        Returns the row afterwards, where the result's `key` tells whose answer it was. Answers are accepted
        until `expires_at` (by `result.at`). Raises `NotFound`.
        """
        is_pending: Row = {"$eq": ["$status", "pending"]}
        if status == "answered":
            is_pending = {"$and": [is_pending, {"$gt": ["$expiresAt", result.at]}]}
        change = set_if(is_pending, {"status": status, "result": storable(to_nested(result))})
        return self._require(await self._change_one(tenant, hitl_id, change), hitl_id)

    async def redact_answer(self, tenant: str, hitl_id: str, text: str) -> None:
        """Replace the answer by this text, once an answer with a secret was used."""
        change = {"$set": {"result.text": text}}
        await self._rows.update_one(self._key(tenant, hitl_id), change)

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
        query = {"tenantId": tenant} | given_fields(userId=user, status=status)
        return await self._page(
            query, "createdAt", "hitlId", limit=limit, since=since, until=before, after=after
        )


class Audit(ValueRepository[AuditEntry]):
    """The questions, answers and consequences. Rows are added and never changed."""

    collection, kind = "audit", AuditEntry

    async def add(self, entries: Sequence[AuditEntry]) -> None:
        """Insert; an existing row with the same entry_id is unchanged."""
        await self._insert_missing(entries)

    async def of_task(self, tenant: str, task_id: str) -> list[AuditEntry]:
        return await self._all(
            {"tenantId": tenant, "taskId": task_id}, sort=[("at", 1), ("_id", 1)]
        )
