"""The lease that a request holds while it runs: its claim in the operations ledger and its task."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import perf_counter
from uuid import uuid4

from langgraph.types import StateSnapshot

from app.agent.calls import InteractCall
from app.agent.persistence.record import ledger_operations, save_run
from app.agent.persistence.rows import answer_id
from app.agent.persistence.run_result import RunResult
from app.agent.persistence.stored_response import StoredResponse
from app.agent.state import AgentState
from app.agent.updates.takeover import hand_back_entries
from app.domain.access import Policy
from app.domain.memory import Recipe
from app.domain.metrics.budget import Budgets
from app.domain.review import Submission
from app.domain.task import ENDED, Task
from app.errors import (
    HitlNotPending,
    NotFound,
    TabwrightError,
    TaskBusy,
    TaskEnded,
    TaskPaused,
    TooManyTasks,
)
from app.hitl.delegations import link
from app.hitl.events import is_paused
from app.runs.lease import CLAIM_TTL_S, LeaseManager, RunLease, acquire_lease
from app.skills import store_learnings as keep_learnt
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.tasks.operations import OperationStart
from app.usage.meter import Spender

RUNNING_TASKS = 100  # of one tenant at once, see `Settings.running_tasks`
EXECUTING_WITHIN = timedelta(
    minutes=5
)  # a runner comes back within seconds; a question waits so long
RUNS_S = 60.0  # a run's lease ends sooner, a pause's later


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLease:
    """A request that is ours to run, with what it holds. `fresh`: its thread cannot exist yet. `recipe` is
    the one that a new task replays, `earlier` the task that it goes on with, where that has a row; `policy`
    and `budgets` are the tenant's, the latter only where there is a model. `standing`: where its thread
    stands, if that was read.
    """

    call: InteractCall
    run_lease: RunLease
    task_id: str
    session_id: str
    task: Task | None
    fresh: bool
    started: float
    recipe: Recipe | None = None
    continued_task: Task | None = None
    policy: Policy = Policy(tenant="")
    budgets: Budgets | None = None
    snapshot: StateSnapshot | None = None

    @property
    def elapsed_ms(self) -> float:
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


class RequestLeases:
    """Takes and gives back claims, for one process."""

    def __init__(
        self,
        together: StoreBatch,
        leases: LeaseManager,
        *,
        running_tasks: int = RUNNING_TASKS,
        modelled: bool = False,
    ) -> None:
        self._together = together
        self._modelled = modelled
        self._running_tasks = running_tasks
        self.leases = leases

    async def begin(self, call: InteractCall) -> RequestLease | OperationStart:
        """Claim the request and its task; what is known of it when it runs elsewhere or is done.

        Raises `NotFound`, `TaskEnded`, `TaskBusy` or `RequestIdReused`.
        """
        started = perf_counter()
        proposed = call.task_id or str(uuid4())
        found = await self._together(lambda store: self._claim(store, call, proposed))
        if isinstance(found, OperationStart):
            return found
        held, task, recipe, earlier, policy, budgets = found
        begun = held.lease.task_id
        return RequestLease(
            call=call,
            run_lease=held,
            task_id=begun,
            session_id=call.session_id or _session_of(task or earlier),
            task=task,
            fresh=call.task_id is None and begun == proposed,
            started=started,
            recipe=recipe,
            continued_task=earlier,
            policy=policy,
            budgets=budgets,
        )

    async def _claim(
        self, store: Store, call: InteractCall, proposed: str
    ) -> (
        tuple[RunLease, Task | None, Recipe | None, Task | None, Policy, Budgets | None]
        | OperationStart
    ):
        """What it holds, the task's row, the recipe it is to replay, the task it goes on with, the policy and
        the budgets. A claim that comes to nothing is given back.
        """
        tenant, key, held = call.principal.tenant, _key(call), None
        begun = await store.operations.begin(
            tenant, key, fingerprint=call.body_hash, task_id=proposed, ttl_s=CLAIM_TTL_S
        )
        if begun.state != "new":
            return begun
        begun.refuse_lost()
        try:
            task = await store.tasks.find(tenant, call.task_id) if call.task_id else None
            await require_own_task(store, call, task)
            _require_open(task, call)
            await require_own_session(store, call, task)
            wanted = call.recipe
            recipe = await store.recipes.get(tenant, wanted.recipe_id) if wanted else None
            ended = call.continue_from
            earlier = await store.tasks.find(tenant, ended) if ended else None
            policy = await store.policies.get(tenant)
            budgets = await store.budgets.get(tenant) if self._modelled else None
            held = await _acquire(store, call, begun)
            if call.task_id is None:
                await require_capacity(store, tenant, begun.task_id, most=self._running_tasks)
            await _link_delegation(store, call, begun.task_id)
        except TabwrightError:
            await store.operations.abandon(tenant, key, claim=begun.claim)
            if held is not None:
                await store.leases.release(held.lease)
            raise
        return held, task, recipe, earlier, policy, budgets

    async def complete(
        self,
        claim: RequestLease,
        kept: StoredResponse,
        done: RunResult | None,
        *,
        left: Submission | None = None,
    ) -> None:
        """Write the rows of the pass, keep the answer for a repeat, and let go of the task; raises `RunLost`,
        with nothing written, where it is this run's no more. `left` is the record of the task that the
        review queue could not take.
        """
        tenant, held = claim.call.principal.tenant, claim.run_lease

        async def write(store: Store) -> None:
            if left is not None:
                await store.outbox.add(left)
            if done is not None:
                await save_run(store, done)
            effects = ledger_operations(done) if done is not None else ()
            await store.operations.complete(
                tenant, held.key, kept.model_dump(), claim=held.claim, effects=effects
            )

        await self.leases.finish(held, write)
        if done is not None and done.learnings.is_any:
            await self._together(lambda store: keep_learnt(store, tenant, done.learnings, done.now))

    async def record_hand_back(self, claim: RequestLease) -> None:
        """Write down what the person did before they handed the task back."""
        call = claim.call
        if call.hand_back is None:
            return
        lines = hand_back_entries(
            call.hand_back,
            who=call.principal,
            task_id=claim.task_id,
            request_id=call.request_id,
            now=datetime.now(UTC),
            resumed=claim.run_lease.lease.resumed,
        )
        await self._together(lambda store: store.audit.add(lines))


def _key(call: InteractCall) -> str:
    return f"request:{call.request_id}"


async def _link_delegation(store: Store, call: InteractCall, task_id: str) -> None:
    """Keep what the task carries out; last of all that may be refused, since it is kept once."""
    if call.delegation_id is not None and call.task_id is None:
        await link(store, call.principal, call.delegation_id, task_id)


async def _acquire(store: Store, call: InteractCall, begun: OperationStart) -> RunLease:
    """The lease of the task. Only who begins a task is kept with it: of any other the row or the thread
    tells whose it is. Raises `TaskPaused` or `TaskBusy`.
    """
    who = call.principal
    begins = who.user if call.task_id is None else ""
    back = call.hand_back is not None
    held = await acquire_lease(store, begun, who.tenant, _key(call), user=begins, hands_back=back)
    if held is None:
        raise TaskPaused if await is_paused(store, who.tenant, begun.task_id) else TaskBusy
    return held


def _session_of(task: Task | None) -> str:
    return task.session_id if task else str(uuid4())


def _require_open(task: Task | None, call: InteractCall) -> None:
    if task is not None and task.status in ENDED:
        if call.answer is not None:
            raise HitlNotPending
        raise TaskEnded(f"The task is {task.status}: {task.result or ''}".rstrip(": "))


def require_browser_for_request(call: InteractCall) -> None:
    """Raises `ConsentNeedsBrowser` for what a person's browser alone may do: carry out what was delegated to
    it, and hand a task back that the person had taken over.
    """
    if call.delegation_id is not None or call.hand_back is not None:
        call.principal.require("browser")


def require_browser_for_task(call: InteractCall, state: AgentState) -> None:
    """Raises `ConsentNeedsBrowser` for a task that a person began in their browser: with another goal, or
    from another page, it would go on there as if they had said so.
    """
    if state["in_browser"]:
        call.principal.require("browser")


async def require_own_task(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raises `NotFound` for a task that another person began, before a lease or a pause of it is touched.
    One that has done nothing yet has no row: then its lease tells whose it is, or at last its thread.
    """
    if call.task_id is None:
        return
    tenant = call.principal.tenant
    began = task.user if task is not None else await store.leases.user(tenant, call.task_id)
    if began is not None and not call.principal.can_see(began):
        raise NotFound(f"There is no task {call.task_id!r}")


async def require_own_session(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raises `NotFound` for a session that another person began. The session of the task itself is not
    looked up: a plain continuation costs nothing.
    """
    named = call.session_id
    if named is None or (task is not None and task.session_id == named):
        return
    session = await store.sessions.find(call.principal.tenant, named)
    if session is not None and not call.principal.can_see(session.user):
        raise NotFound(f"There is no session {named!r}")


async def require_capacity(store: Store, tenant: str, task_id: str, *, most: int) -> None:
    """Raises `StorageFull` without room for what a run writes, and `TooManyTasks` where the tenant has
    `most` tasks under way beside the new one: those whose run is at work now, turns of conversations among
    them, and those that execute in a browser.
    """
    store.space.require()
    since = datetime.now(UTC) - EXECUTING_WITHIN
    running = await store.leases.alive(tenant, within_s=RUNS_S, limit=most + 1)
    running |= await store.tasks.executing(tenant, since=since, limit=most + 1)
    if len(running - {task_id}) < most:
        return
    raise TooManyTasks(f"{most} tasks of this tenant are under way; wait for one to end")
