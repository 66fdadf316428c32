"""Queries the questions of an inbox."""

from datetime import datetime

from app.api.routes.hitl.schemas import StatusFilter
from app.domain.access import Principal
from app.domain.hitl import HitlStatus, PendingHitl
from app.hitl.questions import ANSWER_WITHIN
from app.store.people.questions import Hitl


class InboxQuery:
    """Filters by current status, since the stored one is outdated once a question has expired."""

    def __init__(
        self,
        *,
        principal: Principal,
        status: StatusFilter,
        limit: int,
        after: tuple[datetime, str] | None,
        now: datetime,
    ) -> None:
        self._principal = principal
        self._status = status
        self._limit = limit
        self._after = after
        self._now = now

    async def find(self, store: Hitl) -> list[PendingHitl]:
        """Questions of the user or the tenant. Pending ones are at most five minutes old."""
        recently = self._now - ANSWER_WITHIN
        if self._status == "all":
            return await self._rows(store, None, after=self._after)
        if self._status == "pending":
            rows = await self._rows(store, "pending", since=recently, after=self._after)
            return self._matching(rows)
        found = await self._rows(store, self._status, after=self._after)
        if self._status == "expired":
            before = min(self._after or (recently, ""), (recently, ""))
            found += self._matching(await self._rows(store, "pending", after=before))
        return _newest(found)[: self._limit]

    async def of_task(self, store: Hitl, task_id: str) -> list[PendingHitl]:
        """Questions of one task."""
        rows = await store.of_task(self._principal.tenant, task_id)
        seen = [row for row in rows if self._principal.can_see(row.user)]
        found = _newest(seen if self._status == "all" else self._matching(seen))
        if self._after is not None:
            found = [row for row in found if _row_place(row) > _place(*self._after)]
        return found[: self._limit]

    async def _rows(
        self,
        store: Hitl,
        status: HitlStatus | None,
        *,
        since: datetime | None = None,
        after: tuple[datetime, str] | None,
    ) -> list[PendingHitl]:
        return await store.listed(
            self._principal.tenant,
            user=None if self._principal.has_scope("operator") else self._principal.user,
            status=status,
            limit=self._limit,
            since=since,
            after=after,
        )

    def _matching(self, rows: list[PendingHitl]) -> list[PendingHitl]:
        return [row for row in rows if row.status_at(self._now) == self._status]


def _place(moment: datetime, hitl_id: str) -> tuple[float, str]:
    return -moment.timestamp(), hitl_id


def _row_place(row: PendingHitl) -> tuple[float, str]:
    return _place(row.created_at, row.hitl_id)


def _newest(rows: list[PendingHitl]) -> list[PendingHitl]:
    return sorted(rows, key=_row_place)
