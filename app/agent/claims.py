"""What a request holds while it works: its claim in the ledger, and the lease of its task."""

import asyncio
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import uuid4

import structlog

from app.agent.calls import InteractCall
from app.domain.base import Value
from app.domain.task import ENDED, Task
from app.errors import NotFound, TabwrightError, TaskBusy, TaskEnded
from app.store.port import Begun, Store

log = structlog.get_logger(__name__)

CLAIM_TTL_S = 6.0  # a dead process's claim is free after this; a live one renews it thrice in it
RENEW_S = 2.0


class Kept(Value):
    """An answer as it is kept. `partial`: a secret was left out of the event."""

    event: dict[str, Any]
    partial: bool = False
    code: str | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A request that is ours to run. `fresh`: its thread cannot exist yet."""

    call: InteractCall
    key: str
    task_id: str
    session_id: str
    task: Task | None
    fresh: bool
    started: float

    @property
    def spent_ms(self) -> float:
        """Time since the request was begun."""
        return (perf_counter() - self.started) * 1000


class Claims:
    """Takes and gives back claims, for one process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._owner = uuid4().hex

    async def begin(self, call: InteractCall) -> Claim | Begun:
        """Claim the request and its task; what is known of it when it runs elsewhere or is done.

        Raises `NotFound`, `TaskEnded`, `TaskBusy` or `RequestIdReused`.
        """
        started, tenant = perf_counter(), call.principal.tenant
        key, proposed = f"request:{call.request_id}", call.task_id or str(uuid4())
        begun, task, leased = await asyncio.gather(
            self._begun(call, key, proposed), self._task(call), self._leased(call, call.task_id)
        )
        if begun.state == "done" and leased:
            await self._unlease(call, proposed)
        if begun.state != "new":
            return begun
        try:
            _refuse(call, task)
            if not (leased or await self._leased(call, begun.task_id)):
                raise TaskBusy
        except BaseException:
            await self._store.operations.abandon(tenant, key)
            if leased:
                await self._unlease(call, proposed)
            raise
        return Claim(
            call=call,
            key=key,
            task_id=begun.task_id,
            session_id=call.session_id or (task.session_id if task else str(uuid4())),
            task=task,
            fresh=call.task_id is None and begun.task_id == proposed,
            started=started,
        )

    async def complete(self, claim: Claim, kept: Kept) -> None:
        """Keep the answer for a repeat of the request, and let go of the task."""
        await asyncio.gather(
            self._store.operations.complete(
                claim.call.principal.tenant, claim.key, kept.model_dump()
            ),
            self._unlease(claim.call, claim.task_id),
        )

    async def give_back(self, claim: Claim) -> None:
        """After a failure of ours: a repeat of the request may run anew."""
        results = await asyncio.gather(
            self._store.operations.abandon(claim.call.principal.tenant, claim.key),
            self._unlease(claim.call, claim.task_id),
            return_exceptions=True,
        )
        for result in results:
            if isinstance(result, BaseException):
                log.warning("claim not given back", error=str(result), taskId=claim.task_id)

    async def keep_alive(self, claim: Claim) -> None:
        """Renew until cancelled."""
        tenant = claim.call.principal.tenant
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                await self._store.operations.renew(
                    tenant, claim.key, owner=self._owner, ttl_s=CLAIM_TTL_S
                )
                await self._leased(claim.call, claim.task_id)
            except TabwrightError as error:
                log.warning("claim not renewed", error=error.detail, taskId=claim.task_id)

    async def _begun(self, call: InteractCall, key: str, task_id: str) -> Begun:
        return await self._store.operations.begin(
            call.principal.tenant,
            key,
            fingerprint=call.body_hash,
            task_id=task_id,
            owner=self._owner,
            ttl_s=CLAIM_TTL_S,
        )

    async def _task(self, call: InteractCall) -> Task | None:
        if call.task_id is None:
            return None
        return await self._store.tasks.find(call.principal.tenant, call.task_id)

    async def _leased(self, call: InteractCall, task_id: str | None) -> bool:
        """Owned by the request and not the process, so that whoever takes it over has the lease."""
        return task_id is not None and await self._store.leases.acquire(
            call.principal.tenant, task_id, owner=call.request_id, ttl_s=CLAIM_TTL_S
        )

    async def _unlease(self, call: InteractCall, task_id: str) -> None:
        await self._store.leases.release(call.principal.tenant, task_id, owner=call.request_id)


def _refuse(call: InteractCall, task: Task | None) -> None:
    if call.task_id is not None and task is None:
        raise NotFound(f"There is no task {call.task_id}")
    if task is not None and task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}: {task.result or ''}".rstrip(": "))
