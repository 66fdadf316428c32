"""What a request holds while it works: its claim in the ledger, and the lease of its task."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any
from uuid import uuid4

import structlog
from langgraph.types import StateSnapshot

from app.agent.accounts import effects_of
from app.agent.calls import InteractCall
from app.agent.handing_back import entries
from app.agent.passes import Pass
from app.agent.records import record
from app.domain.base import Value
from app.domain.policy import Policy
from app.domain.recipe import Recipe
from app.domain.task import ENDED, Task
from app.domain.usage import UsageRecord
from app.errors import (
    HitlNotPending,
    TabwrightError,
    TaskBusy,
    TaskEnded,
    TaskPaused,
    error_of,
)
from app.hitl.pausing import PAUSER, hold, is_paused, let_go
from app.store.port import Begun, Store, Together
from app.usage.rows import Spender, keep

log = structlog.get_logger(__name__)

CLAIM_TTL_S = 6.0  # a dead process's claim is free after this; a live one renews it thrice in it
RENEW_S = 2.0
STOPPER = "(stop)"  # owns the lease of a task whose run is to stop; no requestId looks so


class Kept(Value):
    """An answer as it is kept. `partial`: a secret was left out of the event."""

    event: dict[str, Any]
    partial: bool = False
    code: str | None = None
    detail: str = ""
    hand_over: str | None = None

    @staticmethod
    def of_failure(event: dict[str, Any], failure: TabwrightError) -> "Kept":
        """The event of a run that a limit ended, and what ended it."""
        told = {"code": failure.code, "detail": failure.detail, "hand_over": failure.hand_over}
        return Kept(event=event, **told)

    @property
    def failure(self) -> TabwrightError | None:
        """What ended the run, if a limit did."""
        return error_of(self.code, self.detail, hand_over=self.hand_over) if self.code else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A request that is ours to run. `fresh`: its thread cannot exist yet. `recipe` is the one that a
    new task replays, `earlier` the task that it goes on with, where that has a row; `policy` the tenant's.
    `resumed`: the person had paused it until now. `standing`: where its thread stands, if that was read.
    """

    call: InteractCall
    key: str
    task_id: str
    session_id: str
    task: Task | None
    fresh: bool
    started: float
    recipe: Recipe | None = None
    earlier: Task | None = None
    policy: Policy = Policy(tenant="")
    resumed: bool = False
    standing: StateSnapshot | None = None

    @property
    def spent_ms(self) -> float:
        """Time since the request was begun."""
        return (perf_counter() - self.started) * 1000

    @property
    def spender(self) -> Spender:
        """Who pays for what models do for this request."""
        return Spender(
            tenant=self.call.principal.tenant,
            user=self.call.principal.user,
            session_id=self.session_id,
            task_id=self.task_id,
            trace_id=self.call.trace_id,
            request_id=self.call.request_id,
        )


class Claims:
    """Takes and gives back claims, for one process."""

    def __init__(self, together: Together) -> None:
        self._together = together
        self._owner = uuid4().hex

    async def begin(self, call: InteractCall) -> Claim | Begun:
        """Claim the request and its task; what is known of it when it runs elsewhere or is done.

        Raises `NotFound`, `TaskEnded`, `TaskBusy` or `RequestIdReused`.
        """
        started = perf_counter()
        proposed = call.task_id or str(uuid4())
        found = await self._together(lambda store: self._take(store, call, proposed))
        if isinstance(found, Begun):
            return found
        begun, task, recipe, earlier, policy, resumed = found
        return Claim(
            call=call,
            key=_key(call),
            task_id=begun,
            session_id=call.session_id or _session_of(task or earlier),
            task=task,
            fresh=call.task_id is None and begun == proposed,
            started=started,
            recipe=recipe,
            earlier=earlier,
            policy=policy,
            resumed=resumed,
        )

    async def _take(
        self, store: Store, call: InteractCall, proposed: str
    ) -> tuple[str, Task | None, Recipe | None, Task | None, Policy, bool] | Begun:
        """The claimed task's id and row, the recipe it is to replay, the task it goes on with, the policy,
        and whether a pause ended. A claim that comes to nothing is given back.
        """
        tenant = call.principal.tenant
        begun = await store.operations.begin(
            tenant,
            _key(call),
            fingerprint=call.body_hash,
            task_id=proposed,
            owner=self._owner,
            ttl_s=CLAIM_TTL_S,
        )
        if begun.state != "new":
            return begun
        try:
            task = await store.tasks.find(tenant, call.task_id) if call.task_id else None
            _refuse(task, call)
            wanted = call.recipe
            recipe = await store.recipes.get(tenant, wanted.recipe_id) if wanted else None
            ended = call.continue_from
            earlier = await store.tasks.find(tenant, ended) if ended else None
            policy = await store.policies.get(tenant)
            resumed = await _take_back(store, call, begun.task_id)
            if not await _leased(store, call, begun.task_id):
                raise TaskPaused if await is_paused(store, tenant, begun.task_id) else TaskBusy
        except TabwrightError:
            await store.operations.abandon(tenant, _key(call))
            raise
        return begun.task_id, task, recipe, earlier, policy, resumed

    async def complete(self, claim: Claim, kept: Kept, done: Pass | None) -> None:
        """Write the rows of the pass, keep the answer for a repeat, and let go of the task."""
        tenant = claim.call.principal.tenant

        async def write(store: Store) -> None:
            if done is not None:
                await record(store, done)
            effects = effects_of(done) if done is not None else ()
            await store.operations.complete(tenant, claim.key, kept.model_dump(), effects=effects)
            await store.leases.release(tenant, claim.task_id, owner=claim.call.request_id)

        await self._together(write)

    async def give_back(self, claim: Claim, usage: Sequence[UsageRecord] = ()) -> None:
        """After a failure of ours: a repeat of the request may run anew. `usage` was spent on it."""
        tenant = claim.call.principal.tenant

        async def undo(store: Store) -> None:
            await store.operations.abandon(tenant, claim.key)
            await store.leases.release(tenant, claim.task_id, owner=claim.call.request_id)
            await keep(store.usage, usage)

        try:
            await self._together(undo)
        except TabwrightError as error:
            log.warning("claim not given back", error=error.detail, taskId=claim.task_id)

    async def taken_back(self, claim: Claim) -> None:
        """Write down what the person did before they handed the task back."""
        call = claim.call
        if call.hand_back is None:
            return
        lines = entries(
            call.hand_back,
            who=call.principal,
            task_id=claim.task_id,
            request_id=call.request_id,
            now=datetime.now(UTC),
            resumed=claim.resumed,
        )
        await self._together(lambda store: store.audit.add(lines))

    async def is_paused(self, claim: Claim) -> bool:
        """Whether the person has taken the task over."""
        tenant = claim.call.principal.tenant
        return await self._together(lambda store: is_paused(store, tenant, claim.task_id))

    async def pause(self, tenant: str, task_id: str) -> bool:
        """Have the person hold the task's lease, whoever works on it; False for nobody."""
        holder = await self._together(lambda store: hold(store, tenant, task_id))
        return holder not in (None, PAUSER)

    async def stop(self, tenant: str, task_id: str) -> bool:
        """Take the lease from whoever works on the task elsewhere, who then stops; False for nobody."""
        return await self._together(
            lambda store: store.leases.seize(tenant, task_id, owner=STOPPER, ttl_s=CLAIM_TTL_S)
        )

    async def keep_alive(self, claim: Claim, *, lost: Callable[[], None]) -> None:
        """Renew until cancelled; `lost` is told when the lease was taken away."""
        tenant = claim.call.principal.tenant

        async def renew(store: Store) -> bool:
            await store.operations.renew(tenant, claim.key, owner=self._owner, ttl_s=CLAIM_TTL_S)
            held = await _leased(store, claim.call, claim.task_id)
            if not held:  # it was taken to stop this run, which lets others have it
                await store.leases.release(tenant, claim.task_id, owner=STOPPER)
            return held

        while True:
            await asyncio.sleep(RENEW_S)
            try:
                if not await self._together(renew):
                    lost()
            except TabwrightError as error:
                log.warning("claim not renewed", error=error.detail, taskId=claim.task_id)


def _key(call: InteractCall) -> str:
    return f"request:{call.request_id}"


async def _leased(store: Store, call: InteractCall, task_id: str) -> bool:
    """Owned by the request and not the process, so that whoever takes it over has the lease."""
    return await store.leases.acquire(
        call.principal.tenant, task_id, owner=call.request_id, ttl_s=CLAIM_TTL_S
    )


async def _take_back(store: Store, call: InteractCall, task_id: str) -> bool:
    """What the person hands back is no longer theirs; whether it was."""
    return call.hand_back is not None and await let_go(store, call.principal.tenant, task_id)


def _session_of(task: Task | None) -> str:
    return task.session_id if task else str(uuid4())


def _refuse(task: Task | None, call: InteractCall) -> None:
    if task is not None and task.status in ENDED:
        if call.answer is not None:
            raise HitlNotPending
        raise TaskEnded(f"The task is {task.status}: {task.result or ''}".rstrip(": "))
