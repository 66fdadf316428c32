"""One request to the agent: what it brings, and what it holds while it runs."""

from dataclasses import dataclass
from hashlib import sha256
from time import perf_counter
from typing import TypeAlias
from uuid import NAMESPACE_URL, uuid4, uuid5

from langgraph.types import StateSnapshot

from app.agent.state import AgentState
from app.domain.access import Policy, Principal
from app.domain.action import ClientReport
from app.domain.hitl import UserAction
from app.domain.memory import Recipe, RecipeCall
from app.domain.metrics.usage import Budgets
from app.domain.page import Observation
from app.domain.task import ENDED, Task
from app.errors import HitlNotPending, NotFound, TabwrightError, TaskBusy, TaskEnded, TaskPaused
from app.hitl import HitlAnswer, is_paused, link_task
from app.runs import CLAIM_TTL_S, GraphInput, RunLease, acquire_lease, require_capacity
from app.store.batch import StoreBatch
from app.store.repositories import Store
from app.store.tasks.operations import OperationStart
from app.usage import Spender

TaskInput: TypeAlias = GraphInput[AgentState]


@dataclass(frozen=True, slots=True, kw_only=True)
class InteractCall:
    """A validated interact request. `request_id` is the idempotency key; `body_hash` its body's.

    `continue_from` is a task that ended, which a new one goes on with after a person did its step.
    `delegation_id` is what another assistant asked for, which the new task carries out.
    `hand_back` is what the person did themselves before they gave the task back; None where they did not
    have it. `cancels_task`: the task ends with it, also where a question was answered and that is not taken
    up.
    """

    principal: Principal
    request_id: str
    body_hash: str
    trace_id: str
    page: Observation
    report: ClientReport
    query: str | None = None
    task_id: str | None = None
    session_id: str | None = None
    last_action_id: str | None = None
    answer: HitlAnswer | None = None
    recipe: RecipeCall | None = None
    continue_from: str | None = None
    delegation_id: str | None = None
    cancels_task: bool = False
    hand_back: tuple[UserAction, ...] | None = None


def body_hash(body: bytes, user: str) -> str:
    """What tells a repeated request from another one, or another person's, that reuses its id."""
    return sha256(f"{user}\0".encode("utf-8", "surrogatepass") + body).hexdigest()


def line_id(request_id: str, role: str) -> str:
    """The id of the line that a request adds to the history of its session."""
    return str(uuid5(NAMESPACE_URL, f"{request_id}/{role}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLease:
    """A request that is ours to run, with what it holds. `fresh`: its thread cannot exist yet. `recipe` is
    the one that a new task replays, `continued_task` the task that it goes on with, where that has a row;
    `policy` and `budgets` are the tenant's, the latter only where there is a model. `snapshot`: where its
    thread stands, if that was read.
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
            message_id=line_id(self.call.request_id, "assistant"),
            step_index=self.task.step_index + 1 if self.task else 0,
        )


async def claim_request(
    together: StoreBatch, call: InteractCall, *, running_tasks: int, pays: bool
) -> RequestLease | OperationStart:
    """Claim the request and its task; what is known of it when it runs elsewhere or is done. Budgets are
    read where it `pays` for calls. A claim that comes to nothing is given back.

    Raises `NotFound`, `TaskEnded`, `TaskBusy`, `TaskPaused`, `TooManyTasks` or `RequestIdReused`.
    """
    started = perf_counter()
    proposed = call.task_id or str(uuid4())
    tenant, key = call.principal.tenant, f"request:{call.request_id}"

    async def claim(store: Store) -> RequestLease | OperationStart:
        begun = await store.operations.begin(
            tenant, key, fingerprint=call.body_hash, task_id=proposed, ttl_s=CLAIM_TTL_S
        )
        if begun.state != "new":
            return begun
        begun.refuse_lost()
        held = None
        try:
            task = await store.tasks.find(tenant, call.task_id) if call.task_id else None
            await _require_own_task(store, call, task)
            _require_open(task, call)
            await _require_own_session(store, call, task)
            recipe = await store.recipes.get(tenant, call.recipe.recipe_id) if call.recipe else None
            ended = call.continue_from
            continued = await store.tasks.find(tenant, ended) if ended else None
            policy = await store.policies.get(tenant)
            budgets = await store.budgets.get(tenant) if pays else None
            held = await _acquire(store, call, begun, key)
            if call.task_id is None:
                await require_capacity(store, tenant, begun.task_id, most=running_tasks)
                if call.delegation_id is not None:  # last: it is kept once, and may be refused
                    await link_task(store, call.principal, call.delegation_id, begun.task_id)
        except TabwrightError:
            await store.operations.abandon(tenant, key, claim=begun.claim)
            if held is not None:
                await store.leases.release(held.lease)
            raise
        known = task or continued
        return RequestLease(
            call=call,
            run_lease=held,
            task_id=begun.task_id,
            session_id=call.session_id or (known.session_id if known else str(uuid4())),
            task=task,
            fresh=call.task_id is None and begun.task_id == proposed,
            started=started,
            recipe=recipe,
            continued_task=continued,
            policy=policy,
            budgets=budgets,
        )

    return await together(claim)


async def _acquire(store: Store, call: InteractCall, begun: OperationStart, key: str) -> RunLease:
    """The lease of the task. Only who begins a task is kept with it: of any other the row or the thread
    tells whose it is. Raises `TaskPaused` or `TaskBusy`.
    """
    who = call.principal
    begins = who.user if call.task_id is None else ""
    back = call.hand_back is not None
    held = await acquire_lease(store, begun, who.tenant, key, user=begins, hands_back=back)
    if held is None:
        raise TaskPaused if await is_paused(store, who.tenant, begun.task_id) else TaskBusy
    return held


def _require_open(task: Task | None, call: InteractCall) -> None:
    if task is not None and task.status in ENDED:
        if call.answer is not None:
            raise HitlNotPending
        raise TaskEnded(f"The task is {task.status}: {task.result or ''}".rstrip(": "))


def require_browser_for_task(call: InteractCall, state: AgentState) -> None:
    """Raises `ConsentNeedsBrowser` for a task that a person began in their browser: with another goal, or
    from another page, it would go on there as if they had said so.
    """
    if state["in_browser"]:
        call.principal.require("browser")


async def _require_own_task(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raises `NotFound` for a task that another person began, before a lease or a pause of it is touched.
    One that has done nothing yet has no row: then its lease tells whose it is, or at last its thread.
    """
    if call.task_id is None:
        return
    tenant = call.principal.tenant
    began = task.user if task is not None else await store.leases.user(tenant, call.task_id)
    if began is not None and not call.principal.can_see(began):
        raise NotFound(f"There is no task {call.task_id!r}")


async def _require_own_session(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raises `NotFound` for a session that another person began. The session of the task itself is not
    looked up: a plain continuation costs nothing.
    """
    named = call.session_id
    if named is None or (task is not None and task.session_id == named):
        return
    session = await store.sessions.find(call.principal.tenant, named)
    if session is not None and not call.principal.can_see(session.user):
        raise NotFound(f"There is no session {named!r}")
