"""Tasks that an MCP client delegates to a person's own browser."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from app.domain.access import Principal
from app.domain.redaction import masked, secrets_in
from app.domain.task import OPEN, Client, Consent, Delegation, DelegationStatus
from app.errors import DelegationTaken, NotFound, RateLimited
from app.hitl.events import TaskEvents, TaskProgress, is_over, load_progress
from app.store.batch import StoreBatch
from app.store.repositories import Store

WAITS = timedelta(minutes=10)  # for consent, and then for a browser to take it
BEGINS = timedelta(minutes=10)  # for the browser that took it to begin the task
MOST_OPEN = 20  # per person, to contain a runaway assistant
NOTE_CHARS = 500
NEVER_BEGUN = "The browser that took it never began the task"
TAKEN_BACK = "The person took back that this client may ask without being allowed"


class DelegationService:
    """The delegated tasks of all users; listeners of a user are notified of each change."""

    def __init__(self, together: StoreBatch) -> None:
        self._together = together
        self._events = TaskEvents()

    async def ask(
        self,
        who: Principal,
        client: Client,
        goal: str,
        *,
        url: str | None = None,
        recipe: dict[str, Any] | None = None,
    ) -> Delegation:
        """Request a task from the key's user.

        It is `allowed` at once if the client already has the user's consent. Raises `RateLimited` while
        `MOST_OPEN` are open, `StorageFull` if there is no disk space for its task.
        """
        now = datetime.now(UTC)

        async def write(store: Store) -> Delegation:
            store.space.require()
            if len(await _list_open(store, who, now)) >= MOST_OPEN:
                raise RateLimited(f"{MOST_OPEN} tasks wait for this person already", retry_after=60)
            allowed = await store.delegations.has_consent(who.tenant, who.user, client)
            delegation = Delegation(
                delegation_id=str(uuid4()),
                tenant=who.tenant,
                user=who.user,
                client=client,
                goal=goal,
                url=url,
                recipe=recipe,
                status="allowed" if allowed else "waiting",
                created_at=now,
                updated_at=now,
                expires_at=now + WAITS,
            )
            await store.delegations.add(delegation)
            return delegation

        delegation = await self._together(write)
        self._events.publish(who.tenant, who.user)
        return delegation

    async def open(self, who: Principal) -> list[Delegation]:
        """The user's open delegations, oldest first, updated by time and by their tasks."""
        return await self._together(lambda store: _list_open(store, who, datetime.now(UTC)))

    async def of(self, who: Principal, delegation_id: str) -> Delegation:
        """One of the user's delegations, updated; raises `NotFound`."""
        return await self._together(
            lambda store: _get_own(store, who, delegation_id, datetime.now(UTC))
        )

    async def allow(self, who: Principal, delegation_id: str, *, remember: bool) -> Delegation:
        """Record the person's yes; `remember` extends it to all later tasks of this client."""
        allowed = await self._move(who, delegation_id, ("waiting",), "allowed")
        if remember:
            consent = Consent(
                consent_id="",
                tenant=who.tenant,
                user=who.user,
                client=allowed.client,
                created_at=datetime.now(UTC),
            )
            await self._together(lambda store: store.delegations.consent(consent))
        return allowed

    async def refuse(self, who: Principal, delegation_id: str) -> Delegation:
        """Record the person's no, unless a browser is already working on it."""
        return await self._move(who, delegation_id, ("waiting", "allowed"), "refused")

    async def take(self, who: Principal, delegation_id: str, taker: str) -> Delegation:
        """Assign it to this browser exclusively; the same browser may repeat the call."""
        return await self._move(who, delegation_id, ("allowed",), "taken", taker=taker)

    async def fail(self, who: Principal, delegation_id: str, reason: str) -> Delegation:
        """Record that the browser which took it cannot carry it out."""
        frm: tuple[DelegationStatus, ...] = ("allowed", "taken")
        return await self._move(who, delegation_id, frm, "ended", note=reason[:NOTE_CHARS])

    async def cancel(self, who: Principal, delegation_id: str, note: str) -> Delegation:
        """Cancel on behalf of the requester. Once a task carries it out, only the task can be stopped."""
        frm: tuple[DelegationStatus, ...] = ("waiting", "allowed", "taken")
        return await self._move(who, delegation_id, frm, "cancelled", note=note)

    async def clients(self, who: Principal) -> Sequence[Consent]:
        """The clients that may start tasks for the user, newest first."""
        return await self._together(lambda store: store.delegations.consents(who.tenant, who.user))

    async def withdraw(self, who: Principal, consent_id: str) -> None:
        """Withdraw a client's consent.

        Its delegations that are allowed but not taken are refused. Raises `NotFound`.
        """
        clients = {one.consent_id: one.client for one in await self.clients(who)}
        await self._together(
            lambda store: store.delegations.withdraw(who.tenant, who.user, consent_id)
        )
        for one in await self.open(who):
            if one.status == "allowed" and _is_same_client(one.client, clients.get(consent_id)):
                with suppress(DelegationTaken):
                    await self._move(
                        who, one.delegation_id, ("allowed",), "refused", note=TAKEN_BACK
                    )

    def has_room(self, tenant: str) -> None:
        """Raise `RateLimited` if the tenant has reached its number of listeners."""
        self._events.has_room(tenant)

    @contextmanager
    def listening(self, who: Principal) -> Iterator[Any]:
        """An event that is set when one of the user's delegations changes in this process; see
        `TaskEvents`.
        """
        with self._events.listening(who.tenant, who.user) as changed:
            yield changed

    async def _move(
        self,
        who: Principal,
        delegation_id: str,
        frm: Sequence[DelegationStatus],
        to: DelegationStatus,
        *,
        taker: str | None = None,
        note: str | None = None,
    ) -> Delegation:
        """Change the status and return the row; raises `NotFound`, or `DelegationTaken` if it is
        too late.
        """
        now = datetime.now(UTC)

        async def write(store: Store) -> Delegation:
            delegation = await _get_own(store, who, delegation_id, now)
            if _has_status(delegation, to, taker):
                return delegation
            goal = None if to in OPEN else _mask_goal(delegation)
            moved = await store.delegations.move(
                who.tenant, delegation_id, frm, to, now=now, taker=taker, note=note, goal=goal
            )
            if moved is None:
                current = await _get_own(store, who, delegation_id, now)
                if _has_status(
                    current, to, taker
                ):  # a concurrent call already made the same change
                    return current
                raise DelegationTaken(f"This task is {current.status} already")
            return moved

        moved = await self._together(write)
        self._events.publish(who.tenant, who.user)
        return moved


async def link_task(store: Store, who: Principal, delegation_id: str, task_id: str) -> None:
    """Record the task that carries it out.

    Raises `NotFound` if it is not this user's, and `DelegationTaken` if it is not taken or another task
    carries it out.
    """
    now = datetime.now(UTC)
    delegation = await _get_own(store, who, delegation_id, now)
    goal = _mask_goal(delegation)
    if not await store.delegations.link(who.tenant, delegation_id, task_id, now=now, goal=goal):
        other = delegation.task_id not in (None, task_id)
        why = "another task carries it out" if other else f"it is {delegation.status}, not taken"
        raise DelegationTaken(f"This task cannot carry out what was delegated: {why}")


def _mask_goal(delegation: Delegation) -> str:
    """The goal without its secrets, once no browser needs it any more."""
    return masked(delegation.goal, secrets_in(delegation.goal))


def _has_status(delegation: Delegation, to: DelegationStatus, taker: str | None) -> bool:
    return delegation.status == to and (taker is None or delegation.taker == taker)


def _is_same_client(one: Client, other: Client | None) -> bool:
    return other is not None and (one.key_id, one.name) == (other.key_id, other.name)


async def _get_own(store: Store, who: Principal, delegation_id: str, now: datetime) -> Delegation:
    delegation = await store.delegations.find(who.tenant, delegation_id)
    if delegation is None or delegation.user != who.user:
        raise NotFound("There is no such delegated task")
    return await _refresh(store, delegation, now)


async def _list_open(store: Store, who: Principal, now: datetime) -> list[Delegation]:
    rows = await store.delegations.list_open(who.tenant, who.user, limit=MOST_OPEN * 2)
    settled = [await _refresh(store, row, now) for row in rows]
    return [one for one in settled if one.status in ("waiting", "allowed", "taken")]


async def _refresh(store: Store, delegation: Delegation, now: datetime) -> Delegation:
    """Apply expiry and the task's end to the delegation; changes are written on read."""
    if delegation.status_at(now) == "expired" and delegation.status != "expired":
        return await _end(store, delegation, "expired", now, "")
    if delegation.status != "taken":
        return delegation
    if delegation.task_id is None:
        late = delegation.updated_at + BEGINS <= now
        return await _end(store, delegation, "ended", now, NEVER_BEGUN) if late else delegation
    progress: TaskProgress | None = await load_progress(
        store, delegation.tenant, delegation.task_id
    )
    if progress is None or not is_over(progress):
        return delegation
    return await _end(store, delegation, "ended", now, "")


async def _end(
    store: Store, delegation: Delegation, to: DelegationStatus, now: datetime, note: str
) -> Delegation:
    moved = await store.delegations.move(
        delegation.tenant,
        delegation.delegation_id,
        (delegation.status,),
        to,
        now=now,
        note=note,
        goal=_mask_goal(delegation),
    )
    return (
        moved
        or await store.delegations.find(delegation.tenant, delegation.delegation_id)
        or delegation
    )
