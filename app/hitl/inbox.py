"""Stores questions before anyone is asked; exactly one answer ends each."""

from datetime import UTC, datetime
from typing import Protocol

import structlog

from app.domain.access import Principal
from app.domain.chat import ChatLine
from app.domain.hitl import HitlResult, HitlStatus, PendingHitl
from app.domain.task import Message
from app.errors import HitlExpired, HitlNotPending, NotFound
from app.hitl import trail
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.tasks.leases import Lease

log = structlog.get_logger(__name__)


class Asking(Protocol):
    """The interface a graph needs to ask a question."""

    async def put(self, pending: PendingHitl, said: Message | ChatLine) -> PendingHitl:
        """Store the question and its line in the history, and return the question in force.

        While another question is pending, the new one is rejected and logged as `HITL_DUPLICATE_ATTEMPT`.
        """
        ...


class Inbox:
    """The questions of all tenants; implements `Asking`."""

    def __init__(self, together: StoreBatch, *, lease: Lease | None = None) -> None:
        self._together = together
        self._lease = lease

    def under(self, lease: Lease) -> "Inbox":
        """An inbox that requires this lease for asking; raises `RunLost` without it."""
        return Inbox(self._together, lease=lease)

    async def put(self, pending: PendingHitl, said: Message | ChatLine) -> PendingHitl:
        async def write(store: Store) -> PendingHitl:
            stands = await store.hitl.put(pending)
            if stands.hitl_id == pending.hitl_id:
                await _keep(store, said)
                await store.audit.add([trail.asked_entry(stands)])
            return stands

        stands = await self._together.write(write, under=self._lease)
        if stands.hitl_id != pending.hitl_id:
            log.warning("HITL_DUPLICATE_ATTEMPT", taskId=pending.task_id, hitlId=pending.hitl_id)
        return stands

    async def find(self, tenant: str, hitl_id: str) -> PendingHitl | None:
        """The question; None if it was never stored.

        Audit entries that a crashed process did not write are added.
        """

        async def read(store: Store) -> PendingHitl | None:
            try:
                return await _told(store, await store.hitl.get(tenant, hitl_id))
            except NotFound:
                return None

        return await self._together(read)

    async def latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        """The task's newest question in any status; see `find`."""

        async def read(store: Store) -> PendingHitl | None:
            found = await store.hitl.latest(tenant, task_id)
            return await _told(store, found) if found is not None else None

        return await self._together(read)

    async def conclude(
        self,
        tenant: str,
        status: HitlStatus,
        result: HitlResult,
        *,
        asked: PendingHitl | None = None,
        tells: bool = True,
    ) -> PendingHitl:
        """End a pending question and return the updated row, see `app.store.people.Hitl`.

        A late answer ends it as expired. If it was never stored, `asked` is stored first. Unless `tells`,
        the caller writes this result's audit entry.
        """

        async def write(store: Store) -> PendingHitl:
            try:
                stands = await store.hitl.conclude(tenant, result.hitl_id, status, result)
            except NotFound:
                if asked is None:
                    raise
                await store.hitl.put(asked)
                await store.audit.add([trail.asked_entry(asked)])
                stands = await store.hitl.conclude(tenant, result.hitl_id, status, result)
            if stands.status == "pending":
                late = ended(stands, "expired", now=result.at)
                stands = await store.hitl.conclude(tenant, result.hitl_id, "expired", late)
            how = trail.ended_entry(stands)
            if how is not None and (tells or not _won(stands, result)):
                await store.audit.add([how])
            return stands

        return await self._together(write)


async def _keep(store: Store, said: Message | ChatLine) -> None:
    if isinstance(said, Message):
        await store.messages.add([said])
        return
    talks = store.conversations
    await talks.say(said.tenant, said.thread_id, [said], at=said.created_at)


async def _told(store: Store, stands: PendingHitl) -> PendingHitl:
    """Return the row with its audit trail complete; existing entries stay."""
    if (how := trail.ended_entry(stands)) is not None:
        await store.audit.add([trail.asked_entry(stands), how])
    return stands


def only_answer(stands: PendingHitl, result: HitlResult) -> PendingHitl:
    """The row, if this answer ended the question.

    Raises `HitlExpired` if the answer was late, `HitlNotPending` if another came first.
    """
    if stands.status == "expired" and result.decision != "expired":
        raise HitlExpired
    if not _won(stands, result):
        raise HitlNotPending("This question was answered already")
    return stands


def _won(stands: PendingHitl, result: HitlResult) -> bool:
    return stands.result is not None and stands.result.key == result.key


def refuse_stranger(who: Principal, user: str) -> None:
    """Only the run's owner and operators of the tenant may see a question."""
    if not who.can_see(user):
        raise NotFound("There is no such question")


def ended(
    pending: PendingHitl,
    decision: str,
    *,
    by: str = "",
    key: str = "",
    now: datetime | None = None,
) -> HitlResult:
    """The result of an unanswered question: `cancelled` or `expired`."""
    return HitlResult.model_validate(
        {
            "hitl_id": pending.hitl_id,
            "decision": decision,
            "return_to": pending.return_to,
            "by": by,
            "via": "server",
            "key": key,
            "at": now or datetime.now(UTC),
        }
    )
