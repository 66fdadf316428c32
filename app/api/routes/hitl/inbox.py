"""Which questions an inbox shows: of whom, with which status, from where on."""

from datetime import datetime

from app.api.routes.hitl.schemas import StatusFilter
from app.domain.access import Principal
from app.domain.hitl import HitlStatus, PendingHitl
from app.hitl.putting import ANSWER_WITHIN
from app.store.people.questions import Hitl


def may_see(principal: Principal, row: PendingHitl) -> bool:
    """Whether the question is one's own, or one is an operator of its tenant."""
    return principal.can_see(row.user)


class Wanted:
    """Which questions are listed, by the dates: the rows may not say yet that one has expired."""

    def __init__(
        self,
        *,
        principal: Principal,
        status: StatusFilter,
        limit: int,
        after: tuple[datetime, str] | None,
        now: datetime,
    ) -> None:
        self._who = principal
        self._status = status
        self._limit = limit
        self._after = after
        self._now = now

    async def listed(self, store: Hitl) -> list[PendingHitl]:
        """Those of the user or the tenant. What waits was asked within the last five minutes."""
        lately = self._now - ANSWER_WITHIN
        if self._status == "all":
            return await self._rows(store, None, after=self._after)
        if self._status == "pending":
            rows = await self._rows(store, "pending", since=lately, after=self._after)
            return self._fitting(rows)
        found = await self._rows(store, self._status, after=self._after)
        if self._status == "expired":
            before = min(self._after or (lately, ""), (lately, ""))
            found += self._fitting(await self._rows(store, "pending", after=before))
        return _newest(found)[: self._limit]

    async def of_task(self, store: Hitl, task_id: str) -> list[PendingHitl]:
        """Those of one task."""
        rows = await store.of_task(self._who.tenant, task_id)
        seen = [row for row in rows if may_see(self._who, row)]
        found = _newest(seen if self._status == "all" else self._fitting(seen))
        if self._after is not None:
            found = [row for row in found if _place(row) > _placed(*self._after)]
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
            self._who.tenant,
            user=None if self._who.has_scope("operator") else self._who.user,
            status=status,
            limit=self._limit,
            since=since,
            after=after,
        )

    def _fitting(self, rows: list[PendingHitl]) -> list[PendingHitl]:
        return [row for row in rows if row.status_at(self._now) == self._status]


def _placed(moment: datetime, hitl_id: str) -> tuple[float, str]:
    return -moment.timestamp(), hitl_id


def _place(row: PendingHitl) -> tuple[float, str]:
    return _placed(row.created_at, row.hitl_id)


def _newest(rows: list[PendingHitl]) -> list[PendingHitl]:
    return sorted(rows, key=_place)
