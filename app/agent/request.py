"""A request to the agent, and what it holds while it runs."""

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

    `continue_from` is an ended task that a new one continues after a person did its step. `delegation_id`
    is the delegation that the new task carries out. `hand_back` is what the person did before they handed
    the task back; None if they did not have it. `cancels_task`: the task ends, even if its question has an
    answer that was not applied yet.
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
    """Distinguishes a repeated request from another one, or another person's, with the same id."""
    return sha256(f"{user}\0".encode("utf-8", "surrogatepass") + body).hexdigest()


def line_id(request_id: str, role: str) -> str:
    """The id of the message that a request adds to its session."""
    return str(uuid5(NAMESPACE_URL, f"{request_id}/{role}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLease:
    """A request that this process runs. `fresh`: its thread cannot exist yet.

    `recipe` is the one that a new task replays, `continued_task` the row of the task that it continues.
    `policy` and `budgets` are the tenant's, the latter only with a model. `snapshot` is the thread, if it was
    loaded already.
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
        """Who pays for the model calls of this request."""
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
    """Claim the request and its task, or return the start of a request that runs elsewhere or has ended.

    Budgets are loaded if the request `pays` for calls. A failed claim is released. Raises `NotFound`,
    `TaskEnded`, `TaskBusy`, `TaskPaused`, `TooManyTasks` or `RequestIdReused`.
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
                if call.delegation_id is not None:  # last, since it happens once and may be refused
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
    """Acquire the task's lease. Raises `TaskPaused` or `TaskBusy`.

    Only the lease of a new task has a user; the row or thread tells whose another one is.
    """
    who = call.principal
    lease = await acquire_lease(
        store,
        begun,
        who.tenant,
        key,
        user=who.user if call.task_id is None else "",
        hands_back=call.hand_back is not None,
    )
    if lease is None:
        raise TaskPaused if await is_paused(store, who.tenant, begun.task_id) else TaskBusy
    return lease


def _require_open(task: Task | None, call: InteractCall) -> None:
    if task is not None and task.status in ENDED:
        if call.answer is not None:
            raise HitlNotPending
        raise TaskEnded(f"The task is {task.status}: {task.result or ''}".rstrip(": "))


def require_browser_for_task(call: InteractCall, state: AgentState) -> None:
    """Raise `ConsentNeedsBrowser` if another key continues a task that was begun in a person's browser.

    With another goal or page it would continue there as if the person had said so.
    """
    if state["in_browser"]:
        call.principal.require("browser")


async def _require_own_task(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raise `NotFound` for another person's task, before its lease or pause is touched.

    Of a task without a row the lease tells whose it is, or else the thread.
    """
    if call.task_id is None:
        return
    tenant = call.principal.tenant
    owner = task.user if task is not None else await store.leases.find_user(tenant, call.task_id)
    if owner is not None and not call.principal.can_see(owner):
        raise NotFound(f"There is no task {call.task_id!r}")


async def _require_own_session(store: Store, call: InteractCall, task: Task | None) -> None:
    """Raise `NotFound` for another person's session. The task's own session is not looked up."""
    session_id = call.session_id
    if session_id is None or (task is not None and task.session_id == session_id):
        return
    session = await store.sessions.find(call.principal.tenant, session_id)
    if session is not None and not call.principal.can_see(session.user):
        raise NotFound(f"There is no session {session_id!r}")
