"""What a request holds while it works: its claim in the ledger, and the lease of its task."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import perf_counter
from uuid import uuid4

import structlog
from langgraph.types import StateSnapshot

from app.agent.accounts import effects_of
from app.agent.admission import (
    RUNNING_TASKS,
    refuse_anothers_session,
    refuse_anothers_task,
    refuse_too_many,
)
from app.agent.calls import InteractCall
from app.agent.handing_back import entries
from app.agent.kept import Kept
from app.agent.passes import Pass
from app.agent.records import record
from app.agent.renewing import CLAIM_TTL_S, STOPPER, Hold, kept_alive, renewed
from app.agent.rows import answer_id
from app.domain.budget import Budgets
from app.domain.policy import Policy
from app.domain.recipe import Recipe
from app.domain.review import Submission
from app.domain.task import ENDED, Task
from app.errors import HitlNotPending, TabwrightError, TaskBusy, TaskEnded, TaskPaused
from app.hitl.delegating import link
from app.hitl.pausing import PAUSER, hold, is_paused, let_go
from app.store.port import Begun, Store, Together
from app.usage.rows import Spender

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A request that is ours to run. `fresh`: its thread cannot exist yet. `recipe` is the one that a
    new task replays, `earlier` the task that it goes on with, where that has a row; `policy` and `budgets`
    are the tenant's, the latter only where there is a model.
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
    budgets: Budgets | None = None
    resumed: bool = False
    standing: StateSnapshot | None = None
    hold: Hold = field(default_factory=Hold)

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
            message_id=answer_id(self.call.request_id),
            step_index=self.task.step_index + 1 if self.task else 0,
        )


class Claims:
    """Takes and gives back claims, for one process."""

    def __init__(
        self, together: Together, *, running_tasks: int = RUNNING_TASKS, modelled: bool = False
    ) -> None:
        self._together = together
        self._modelled = modelled
        self._running_tasks = running_tasks
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
        begun, task, recipe, earlier, policy, budgets, resumed = found
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
            budgets=budgets,
            resumed=resumed,
        )

    async def _take(
        self, store: Store, call: InteractCall, proposed: str
    ) -> tuple[str, Task | None, Recipe | None, Task | None, Policy, Budgets | None, bool] | Begun:
        """The claimed task's id and row, the recipe it is to replay, the task it goes on with, the policy,
        the budgets, and whether a pause ended. A claim that comes to nothing is given back.
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
            await refuse_anothers_task(store, call, task)
            _refuse(task, call)
            await refuse_anothers_session(store, call, task)
            wanted = call.recipe
            recipe = await store.recipes.get(tenant, wanted.recipe_id) if wanted else None
            ended = call.continue_from
            earlier = await store.tasks.find(tenant, ended) if ended else None
            policy = await store.policies.get(tenant)
            budgets = await store.budgets.get(tenant) if self._modelled else None
            resumed = await _take_back(store, call, begun.task_id)
            if not await _leased(store, call, begun.task_id):
                raise TaskPaused if await is_paused(store, tenant, begun.task_id) else TaskBusy
            if call.task_id is None:
                await refuse_too_many(
                    store,
                    call.principal.tenant,
                    begun.task_id,
                    owner=call.request_id,
                    most=self._running_tasks,
                )
            await _carry_out(store, call, begun.task_id)
        except TabwrightError:
            await store.operations.abandon(tenant, _key(call))
            raise
        return begun.task_id, task, recipe, earlier, policy, budgets, resumed

    async def complete(
        self, claim: Claim, kept: Kept, done: Pass | None, *, left: Submission | None = None
    ) -> None:
        """Write the rows of the pass, keep the answer for a repeat, and let go of the task. `left` is the
        record of the task that the review queue could not take: it waits from before the end is kept.
        """
        tenant = claim.call.principal.tenant

        async def write(store: Store) -> None:
            if left is not None:
                await store.outbox.add(left)
            if done is not None:
                await record(store, done)
            effects = effects_of(done) if done is not None else ()
            await store.operations.complete(tenant, claim.key, kept.model_dump(), effects=effects)
            await store.leases.release(tenant, claim.task_id, owner=claim.call.request_id)

        async with claim.hold.turn:  # a renewal under way would make anew what is let go of here
            await self._together.writing(write)
            claim.hold.over = True

    async def give_back(self, claim: Claim) -> None:
        """After a failure of ours: a repeat of the request may run anew."""
        tenant = claim.call.principal.tenant

        async def undo(store: Store) -> None:
            await store.operations.abandon(tenant, claim.key)
            await store.leases.release(tenant, claim.task_id, owner=claim.call.request_id)

        try:
            async with claim.hold.turn:
                claim.hold.over = True
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

    async def keep_alive(
        self, claim: Claim, *, lost: Callable[[], None], locked_out: Callable[[], None]
    ) -> None:
        """Renew until cancelled; `lost` is told when the lease was taken away, `locked_out` when the key
        that this was asked with opens no more.
        """
        call = claim.call

        async def renew(store: Store) -> bool | None:
            return await renewed(
                store,
                call.principal,
                key=claim.key,
                owner=self._owner,
                task_id=claim.task_id,
                request_id=call.request_id,
            )

        await kept_alive(
            claim.hold,
            lambda: self._together(renew),
            lost=lost,
            locked_out=locked_out,
            task_id=claim.task_id,
        )


def _key(call: InteractCall) -> str:
    return f"request:{call.request_id}"


async def _leased(store: Store, call: InteractCall, task_id: str) -> bool:
    """Owned by the request and not the process, so that whoever takes it over has the lease. Only who
    begins a task is kept with it: of any other the row or the thread tells whose it is.
    """
    who = call.principal
    begins = who.user if call.task_id is None else ""
    return await store.leases.acquire(
        who.tenant, task_id, owner=call.request_id, ttl_s=CLAIM_TTL_S, user=begins
    )


async def _carry_out(store: Store, call: InteractCall, task_id: str) -> None:
    """Keep what the task carries out; last of all that may be refused, since it is kept once."""
    if call.delegation_id is None or call.task_id is not None:
        return
    try:
        await link(store, call.principal, call.delegation_id, task_id)
    except TabwrightError:
        await store.leases.release(call.principal.tenant, task_id, owner=call.request_id)
        raise


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
