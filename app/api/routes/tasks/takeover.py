"""Taking a task over from the agent, and letting it go on."""

from datetime import UTC, datetime

from fastapi import APIRouter

from app.agent.updates.takeover import entry
from app.api.deps import AppState, AppStateDep, BrowserUser, CurrentUser
from app.api.owning import task_of
from app.api.routes.interact.router import PROBLEMS
from app.api.routes.tasks.schemas import PausedView
from app.domain.access import Principal
from app.domain.hitl import AuditKind
from app.domain.task import ENDED, TaskStatus
from app.errors import RunLost, TaskEnded, TaskNotPaused
from app.hitl.pausing import is_paused
from app.runs.lease import Writes
from app.store.repositories import Store

router = APIRouter(tags=["tasks"], responses={k: PROBLEMS[k] for k in (401, 404, 409)})


@router.post("/api/task/{task_id}/pause")
async def pause_task(task_id: str, principal: CurrentUser, state: AppStateDep) -> PausedView:
    """Take a task over: a run that works on it is cut off, and nothing is sent until it is resumed. The
    task keeps where it stands. Pausing it again changes nothing.

    Until then requests for the task get 409 `TASK_PAUSED`, but for one that hands it back (`handBack`).
    """
    await _refuse_ended(state, principal, task_id)
    if await is_paused(state["store"], principal.tenant, task_id):
        return PausedView(task_id=task_id, status="awaiting_user", paused=True)
    change = _changing(principal, task_id, "paused", "awaiting_user")
    await state["interact"].pause(principal.tenant, task_id, then=change)
    try:
        await _refuse_ended(
            state, principal, task_id
        )  # the run may have come to its end just before
    except TaskEnded:
        if lease := await state["store"].leases.paused(principal.tenant, task_id):
            await state["store"].leases.release(lease)
        raise
    state["bells"].ring(principal.tenant, task_id)
    return PausedView(task_id=task_id, status="awaiting_user", paused=True)


@router.post("/api/task/{task_id}/resume")
async def resume_task(task_id: str, principal: BrowserUser, state: AppStateDep) -> PausedView:
    """Let a paused task go on: the runner's next request, which says what the person did meanwhile
    (`handBack`), reads the page and the plan anew. A question that waits is asked again. Takes a
    person's browser, since it says that they are done.
    """
    await _refuse_ended(state, principal, task_id)
    lease = await state["store"].leases.paused(principal.tenant, task_id)
    if lease is None:
        raise TaskNotPaused
    asks = await state["interact"].pending(principal.tenant, task_id) is not None
    status: TaskStatus = "awaiting_user" if asks else "executing"
    change = _changing(principal, task_id, "resumed", status)
    try:
        await state["together"].write(change, under=lease, releases=True)
    except RunLost:
        raise TaskNotPaused from None
    state["bells"].ring(principal.tenant, task_id)
    return PausedView(task_id=task_id, status=status, paused=False)


async def _refuse_ended(state: AppState, principal: Principal, task_id: str) -> None:
    """Raises `TaskEnded`, or `NotFound` for no task of the tenant."""
    task = await task_of(state, principal, task_id)
    if task is not None and task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}")


def _changing(principal: Principal, task_id: str, kind: AuditKind, status: TaskStatus) -> Writes:
    """Writes down a pause or its end, with the status of the task."""
    now = datetime.now(UTC)

    async def write(store: Store) -> None:
        await store.tasks.move(principal.tenant, task_id, status, at=now)
        await store.audit.add([entry(kind, principal, task_id, now)])

    return write
