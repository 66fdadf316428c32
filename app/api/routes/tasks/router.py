"""Tasks: recovery, timeline and cancellation."""

from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter

from app.agent import task_access
from app.agent.task_access import require_visible, stop_task
from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.problems import problem_docs
from app.api.routes.interact.question import QuestionView
from app.api.routes.interact.response import ReviewMark
from app.api.routes.tasks.schemas import ActiveTask, TaskStatusView, TaskView
from app.domain.access import Principal
from app.domain.task import ENDED, Task
from app.errors import NotFound
from app.hitl.events import is_paused
from app.review.submission import id_of_task, load_record, record_view

router = APIRouter(tags=["tasks"], responses=problem_docs(401, 404))

IDLE = timedelta(minutes=30)  # DESIGN section 4: idle time after which a task is interrupted


@router.get("/api/session/{session_id}/task/active")
async def active_task(
    session_id: str,
    principal: CurrentUser,
    state: AppStateDep,
    url: str | None = None,
    interrupted: bool = False,
) -> ActiveTask:
    """The session's newest unfinished task, for a client that lost its `taskId`.

    With `interrupted=true` also one that was stopped or left idle; it can be continued.
    """
    store = state["store"]
    idle_since = datetime.now(UTC) - IDLE
    task = await store.tasks.active(
        principal.tenant, session_id, url, idle_since=idle_since, interrupted=interrupted
    )
    if task is None:
        raise NotFound("No task is running in this session.")
    require_visible(principal, task.user, task.task_id)
    found = ActiveTask.of(task, await store.actions.of_task(principal.tenant, task.task_id))
    return found.model_copy(update=await _waiting(task, principal, state))


@router.get("/api/task/{task_id}")
async def task_timeline(task_id: str, principal: CurrentUser, state: AppStateDep) -> TaskView:
    """A task with everything it did, in order."""
    task = await state["store"].tasks.get(principal.tenant, task_id)
    require_visible(principal, task.user, task_id)
    actions = await state["store"].actions.of_task(principal.tenant, task_id)
    await state["usage"].flush()
    usage = await state["store"].usage.of_task(principal.tenant, task_id)
    corrections = await state["store"].corrections.of_task(principal.tenant, task_id)
    trail = await state["store"].audit.of_task(principal.tenant, task_id)
    found = TaskView.of(task, actions, usage, corrections, trail)
    more = {"review": await _review(task, state)} | await _waiting(task, principal, state)
    return found.model_copy(update=more)


async def _review(task: Task, state: AppState) -> ReviewMark | None:
    """The review record of the task, if there is one."""
    reviews, outbox = state["reviews"].reviews, state["store"].outbox
    record_id = id_of_task(task.tenant, task.task_id)
    record = await load_record(reviews, outbox, task.tenant, record_id)
    return ReviewMark.model_validate(record_view(record)) if record is not None else None


async def _waiting(task: Task, principal: Principal, state: AppState) -> dict[str, Any]:
    """The pending question, and whether the user has taken the task over."""
    waiting: dict[str, Any] = {"pending_interrupt": await _question(task, principal, state)}
    if task.status not in ENDED and await is_paused(state["store"], principal.tenant, task.task_id):
        waiting |= {"paused": True, "status": "awaiting_user"}
    return waiting


async def _question(task: Task, principal: Principal, state: AppState) -> QuestionView | None:
    if task.status != "awaiting_user":
        return None
    asked = await state["interact"].pending_question(principal.tenant, task.task_id)
    return QuestionView.model_validate(asked) if asked else None


@router.post("/api/task/{task_id}/cancel", responses=problem_docs(409))
async def cancel_task(task_id: str, principal: CurrentUser, state: AppStateDep) -> TaskStatusView:
    """Stop a task and abort its run; nothing more is sent to the browser.

    The task continues when its `taskId` is sent again.
    """
    await find_task(state, principal, task_id)
    await stop_task(state["store"], state["interact"], state["bells"], principal, task_id)
    return TaskStatusView(task_id=task_id, status="interrupted")


async def find_task(state: AppState, principal: Principal, task_id: str) -> Task | None:
    """The task, or None if it has not acted yet. Raises `NotFound` if the principal may not see it."""
    return await task_access.find_task(state["store"], state["interact"], principal, task_id)
