"""Taking a task over from the agent, and letting it go on."""

from datetime import UTC, datetime

from fastapi import APIRouter

from app.agent.handing_back import entry
from app.api.access import AsPerson, AsUser
from app.api.interact import PROBLEMS
from app.api.lifetime import Lifetime, LifetimeDep
from app.api.owning import task_of
from app.api.schemas.tasks import PausedView
from app.domain.hitl import AuditKind
from app.domain.task import ENDED, Principal, Task, TaskStatus
from app.errors import TaskEnded, TaskNotPaused
from app.hitl.pausing import is_paused, let_go

router = APIRouter(tags=["tasks"], responses={k: PROBLEMS[k] for k in (401, 404, 409)})


@router.post("/api/task/{task_id}/pause")
async def pause_task(task_id: str, who: AsUser, made: LifetimeDep) -> PausedView:
    """Take a task over: a run that works on it is cut off, and nothing is sent until it is resumed. The
    task keeps where it stands. Pausing it again changes nothing.

    Until then requests for the task get 409 `TASK_PAUSED`, but for one that hands it back (`handBack`).
    """
    task = await _task(made, who, task_id)
    if await is_paused(made["store"], who.tenant, task_id):
        return PausedView(task_id=task_id, status="awaiting_user", paused=True)
    await made["interact"].pause(who.tenant, task_id)
    task = await made["store"].tasks.find(who.tenant, task_id)
    if task is not None and task.status in ENDED:  # the run came to its end meanwhile
        await let_go(made["store"], who.tenant, task_id)
        _refuse(task)
    return await _changed(made, who, task_id, task, "paused")


@router.post("/api/task/{task_id}/resume")
async def resume_task(task_id: str, who: AsPerson, made: LifetimeDep) -> PausedView:
    """Let a paused task go on: the runner's next request, which says what the person did meanwhile
    (`handBack`), reads the page and the plan anew. A question that waits is asked again. Takes a
    person's browser, since it says that they are done.
    """
    task = await _task(made, who, task_id)
    if not await let_go(made["store"], who.tenant, task_id):
        raise TaskNotPaused
    return await _changed(made, who, task_id, task, "resumed")


async def _task(made: Lifetime, who: Principal, task_id: str) -> Task | None:
    """The task's row, if it has one. Raises `TaskEnded`, or `NotFound` for no task of the tenant."""
    task = await task_of(made, who, task_id)
    if task is not None:
        _refuse(task)
    return task


async def _changed(
    made: Lifetime, who: Principal, task_id: str, task: Task | None, kind: AuditKind
) -> PausedView:
    """Write it down, and tell who waits with the task."""
    store, now = made["store"], datetime.now(UTC)
    paused = kind == "paused"
    asks = await made["interact"].pending(who.tenant, task_id) is not None
    status: TaskStatus = "awaiting_user" if paused or asks else "executing"
    if task is not None and task.status != status:
        await store.tasks.save(task.model_copy(update={"status": status, "updated_at": now}))
    await store.audit.add([entry(kind, who, task_id, now)])
    made["bells"].ring(who.tenant, task_id)
    return PausedView(task_id=task_id, status=status, paused=paused)


def _refuse(task: Task) -> None:
    if task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}")
