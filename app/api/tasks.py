"""Tasks: recovery, the whole timeline, and stopping one."""

from datetime import UTC, datetime, timedelta

from fastapi import APIRouter

from app.api.interact import PROBLEMS
from app.api.lifetime import LifetimeDep, PrincipalDep
from app.api.schemas.tasks import ActiveTask, TaskStatusView, TaskView
from app.domain.task import ENDED
from app.errors import NotFound, TaskEnded

router = APIRouter(tags=["tasks"], responses={k: PROBLEMS[k] for k in (401, 404)})

IDLE = timedelta(minutes=30)  # DESIGN section 4: tasks untouched for so long become interrupted


@router.get("/api/session/{session_id}/task/active")
async def active_task(
    session_id: str,
    who: PrincipalDep,
    made: LifetimeDep,
    url: str | None = None,
    interrupted: bool = False,
) -> ActiveTask:
    """The session's newest unfinished task, for a client that lost its `taskId`.

    With `interrupted=true` also one that was stopped, or left for too long: it can be gone on with.
    """
    store = made["store"]
    idle_since = datetime.now(UTC) - IDLE
    task = await store.tasks.active(
        who.tenant, session_id, url, idle_since=idle_since, interrupted=interrupted
    )
    if task is None:
        raise NotFound("No task is under way in this session")
    return ActiveTask.of(task, await store.actions.of_task(who.tenant, task.task_id))


@router.get("/api/task/{task_id}")
async def task_timeline(task_id: str, who: PrincipalDep, made: LifetimeDep) -> TaskView:
    """The task and everything it did, in order."""
    task = await made["store"].tasks.get(who.tenant, task_id)
    actions = await made["store"].actions.of_task(who.tenant, task_id)
    return TaskView.of(task, actions)


@router.post("/api/task/{task_id}/cancel", responses={409: PROBLEMS[409]})
async def cancel_task(task_id: str, who: PrincipalDep, made: LifetimeDep) -> TaskStatusView:
    """Stop a task: nothing more is sent. It goes on when its `taskId` is sent again."""
    task = await made["store"].tasks.get(who.tenant, task_id)
    if task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}")
    stopped = task.model_copy(update={"status": "interrupted", "updated_at": datetime.now(UTC)})
    await made["store"].tasks.save(stopped)
    return TaskStatusView(task_id=task_id, status="interrupted")
