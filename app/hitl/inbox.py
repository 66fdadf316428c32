"""Where questions wait: written before anyone is asked, ended by exactly one answer."""

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
    """What a graph needs to put a question."""

    async def put(self, pending: PendingHitl, said: Message | ChatLine) -> PendingHitl:
        """Write the question and its line of the history; the question that stands. A second one while
        one waits is refused and logged `HITL_DUPLICATE_ATTEMPT`.
        """
        ...


class Inbox:
    """The questions of all tenants; implements `Asking`."""

    def __init__(self, together: StoreBatch, *, lease: Lease | None = None) -> None:
        self._together = together
        self._lease = lease

    def under(self, lease: Lease) -> "Inbox":
        """The same for a run: it puts questions as long as it has this lease; else `RunLost` is raised."""
        return Inbox(self._together, lease=lease)

    async def put(self, pending: PendingHitl, said: Message | ChatLine) -> PendingHitl:
        """Write the question and its line of the history; the question that stands."""

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
        """The question as it stands; None where it was never written. What a process that died did
        not get to write of it in the trail is written.
        """

        async def read(store: Store) -> PendingHitl | None:
            try:
                return await _told(store, await store.hitl.get(tenant, hitl_id))
            except NotFound:
                return None

        return await self._together(read)

    async def latest(self, tenant: str, task_id: str) -> PendingHitl | None:
        """The task's newest question, whatever its status; see `find`."""

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
        """End a question that waits; the row as it then stands, see `app.store.people.Hitl`. An answer
        that comes too late ends it as expired. One that was never written, `asked`, is written first.
        Unless it `tells`, the line of the trail for this result is left to whoever goes on with it.
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
    """The row, with all of it in the trail; what is there already stays as it is."""
    if (how := trail.ended_entry(stands)) is not None:
        await store.audit.add([trail.asked_entry(stands), how])
    return stands


def only_answer(stands: PendingHitl, result: HitlResult) -> PendingHitl:
    """The row, if it was this answer that ended the question. Raises `HitlExpired` for one that came
    too late, `HitlNotPending` for one after another.
    """
    if stands.status == "expired" and result.decision != "expired":
        raise HitlExpired
    if not _won(stands, result):
        raise HitlNotPending("This question was answered already")
    return stands


def _won(stands: PendingHitl, result: HitlResult) -> bool:
    return stands.result is not None and stands.result.key == result.key


def refuse_stranger(who: Principal, user: str) -> None:
    """Only whose run it is, and an operator of the tenant, may know of a question."""
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
    """The result of a question that nobody answered: `cancelled` or `expired`."""
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
