"""Pause a task to take it over from the agent, and resume it."""

from datetime import UTC, datetime

from fastapi import APIRouter

from app.agent.updates.takeover import pause_entry
from app.api.deps import AppState, AppStateDep, BrowserUser, CurrentUser
from app.api.problems import problem_docs
from app.api.routes.tasks.router import find_task
from app.api.routes.tasks.schemas import PausedView
from app.domain.access import Principal
from app.domain.hitl import AuditKind
from app.domain.task import ENDED, TaskStatus
from app.errors import RunLost, TaskEnded, TaskNotPaused
from app.hitl.events import is_paused
from app.runs.lease import StoreWrite
from app.store.repositories import Store

router = APIRouter(tags=["tasks"], responses=problem_docs(401, 404, 409))


@router.post("/api/task/{task_id}/pause")
async def pause_task(task_id: str, principal: CurrentUser, state: AppStateDep) -> PausedView:
    """Pause a task and abort its run; nothing is sent until it is resumed, and its progress is kept.
    Pausing it again changes nothing.

    Until then requests for the task get 409 `TASK_PAUSED`, except one that hands it back (`handBack`).
    """
    await _refuse_ended(state, principal, task_id)
    if await is_paused(state["store"], principal.tenant, task_id):
        return PausedView(task_id=task_id, status="awaiting_user", paused=True)
    change = _status_change(principal, task_id, "paused", "awaiting_user")
    await state["interact"].pause(principal.tenant, task_id, then=change)
    try:
        await _refuse_ended(state, principal, task_id)  # the run may have ended just before
    except TaskEnded:
        if lease := await state["store"].leases.paused(principal.tenant, task_id):
            await state["store"].leases.release(lease)
        raise
    state["bells"].publish(principal.tenant, task_id)
    return PausedView(task_id=task_id, status="awaiting_user", paused=True)


@router.post("/api/task/{task_id}/resume")
async def resume_task(task_id: str, principal: BrowserUser, state: AppStateDep) -> PausedView:
    """Resume a paused task: the runner's next request, which reports what the user did (`handBack`),
    reassesses the page and the plan. A pending question is asked again. Requires a browser's key, since
    it states that the user is done.
    """
    await _refuse_ended(state, principal, task_id)
    lease = await state["store"].leases.paused(principal.tenant, task_id)
    if lease is None:
        raise TaskNotPaused
    is_asking = await state["interact"].pending_question(principal.tenant, task_id) is not None
    status: TaskStatus = "awaiting_user" if is_asking else "executing"
    change = _status_change(principal, task_id, "resumed", status)
    try:
        await state["together"].write(change, under=lease, releases=True)
    except RunLost:
        raise TaskNotPaused from None
    state["bells"].publish(principal.tenant, task_id)
    return PausedView(task_id=task_id, status=status, paused=False)


async def _refuse_ended(state: AppState, principal: Principal, task_id: str) -> None:
    """Raises `TaskEnded` or `NotFound`."""
    task = await find_task(state, principal, task_id)
    if task is not None and task.status in ENDED:
        raise TaskEnded(f"The task is already {task.status}.")


def _status_change(
    principal: Principal, task_id: str, kind: AuditKind, status: TaskStatus
) -> StoreWrite:
    """Writes the status and the audit entry of a pause or resume."""
    now = datetime.now(UTC)

    async def write(store: Store) -> None:
        await store.tasks.move(principal.tenant, task_id, status, at=now)
        await store.audit.add([pause_entry(kind, principal, task_id, now)])

    return write
