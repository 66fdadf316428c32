"""Tasks: recovery, timeline, events, audit trail, cancellation, pause and resumption."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from fastapi import APIRouter
from sse_starlette import EventSourceResponse

from app.agent import find_task, pause_entry, require_visible, stop_task
from app.api.deps import AppState, AppStateDep, BrowserUser, CurrentUser
from app.api.problems import problem_docs
from app.api.responses import event_stream, stream_docs
from app.api.routes.interact.question import QuestionView
from app.api.routes.interact.response import ReviewMark
from app.api.routes.tasks.schemas import (
    ActiveTask,
    AuditView,
    PausedView,
    TaskEventView,
    TaskStatusView,
    TaskView,
)
from app.domain.access import Principal
from app.domain.hitl import AuditKind
from app.domain.task import ENDED, Task, TaskStatus
from app.errors import NotFound, RunLost, TaskEnded, TaskNotPaused, Unavailable
from app.hitl import (
    TaskEvent,
    TaskProgress,
    events_since,
    initial_events,
    is_over,
    is_paused,
    load_progress,
    wait_for_event,
)
from app.review import id_of_task, load_record, record_view
from app.runs import StoreWrite
from app.store.repositories import Store

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
    task = await store.tasks.find_active(
        principal.tenant, session_id, url, idle_since=idle_since, interrupted=interrupted
    )
    if task is None:
        raise NotFound("No task is running in this session.")
    require_visible(principal, task.user, task.task_id)
    found = ActiveTask.of(task, await store.actions.of_task(principal.tenant, task.task_id))
    return found.model_copy(update=await _waiting_fields(task, principal, state))


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
    more = {"review": await _review(task, state)} | await _waiting_fields(task, principal, state)
    return found.model_copy(update=more)


async def _review(task: Task, state: AppState) -> ReviewMark | None:
    reviews, outbox = state["reviews"].reviews, state["store"].outbox
    record_id = id_of_task(task.tenant, task.task_id)
    record = await load_record(reviews, outbox, task.tenant, record_id)
    return ReviewMark.model_validate(record_view(record)) if record is not None else None


async def _waiting_fields(task: Task, principal: Principal, state: AppState) -> dict[str, Any]:
    """The pending question, and whether the user has taken the task over."""
    question = None
    if task.status == "awaiting_user":
        question = await state["interact"].pending_question(principal.tenant, task.task_id)
    fields: dict[str, Any] = {
        "pending_interrupt": QuestionView.model_validate(question) if question else None
    }
    if task.status not in ENDED and await is_paused(state["store"], principal.tenant, task.task_id):
        fields |= {"paused": True, "status": "awaiting_user"}
    return fields


@router.post("/api/task/{task_id}/cancel", responses=problem_docs(409))
async def cancel_task(task_id: str, principal: CurrentUser, state: AppStateDep) -> TaskStatusView:
    """Stop a task and abort its run; nothing more is sent to the browser.

    The task continues when its `taskId` is sent again.
    """
    await _find_task(state, principal, task_id)
    await stop_task(state["store"], state["interact"], state["task_events"], principal, task_id)
    return TaskStatusView(task_id=task_id, status="interrupted")


async def _find_task(state: AppState, principal: Principal, task_id: str) -> Task | None:
    """The task, or None if it has not acted yet. Raises `NotFound` if the principal may not see it."""
    return await find_task(state["store"], state["interact"], principal, task_id)


TASK_STREAM = stream_docs(TaskEventView) | problem_docs(429)


@router.get("/api/task/{task_id}/events", response_class=EventSourceResponse, responses=TASK_STREAM)
async def task_events(
    task_id: str, principal: CurrentUser, state: AppStateDep
) -> EventSourceResponse:
    """Follow a task: the first event, `standing`, is its current state; then one for each change:
    `asked`, `answered`, `cancelled`, `expired` (a question, by its `hitlId`), `paused`, `resumed`, and
    finally `ended`.

    After `answered` the next request to `/api/agent/interact` resumes with the answer that another inbox
    recorded. Works for tasks that have not acted yet.
    """
    await _find_task(state, principal, task_id)
    state["task_events"].has_room(principal.tenant)
    return event_stream(_task_events(state, principal, task_id))


async def _task_events(
    state: AppState, principal: Principal, task_id: str
) -> AsyncIterator[dict[str, str]]:
    """Silent while the store is unavailable."""

    async def load() -> TaskProgress | None:
        return await state["batch"](lambda store: load_progress(store, principal.tenant, task_id))

    with state["task_events"].listening(principal.tenant, task_id) as changed:
        progress = await load() or TaskProgress.unknown()
        for event in initial_events(progress):
            yield _event_data(event)
        while not is_over(progress):
            await wait_for_event(changed)
            previous = progress
            with suppress(Unavailable):
                progress = await load() or previous
            for event in events_since(previous, progress):
                yield _event_data(event)


def _event_data(event: TaskEvent) -> dict[str, str]:
    view = TaskEventView(
        type=event.type,
        status=event.status,
        hitl_id=event.hitl_id,
        paused=event.paused or None,
        at=event.at,
    )
    return {"data": view.model_dump_json(by_alias=True, exclude_none=True)}


@router.get("/api/task/{task_id}/audit")
async def task_audit(task_id: str, principal: CurrentUser, state: AppStateDep) -> AuditView:
    """The audit trail: questions, what was shown, answers, and what was done then; oldest first."""
    await _find_task(state, principal, task_id)
    entries = await state["store"].audit.of_task(principal.tenant, task_id)
    return AuditView.model_validate({"entries": entries})


@router.post("/api/task/{task_id}/pause", responses=problem_docs(409))
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
        if lease := await state["store"].leases.find_pause(principal.tenant, task_id):
            await state["store"].leases.release(lease)
        raise
    state["task_events"].publish(principal.tenant, task_id)
    return PausedView(task_id=task_id, status="awaiting_user", paused=True)


@router.post("/api/task/{task_id}/resume", responses=problem_docs(409))
async def resume_task(task_id: str, principal: BrowserUser, state: AppStateDep) -> PausedView:
    """Resume a paused task: the runner's next request, which reports what the user did (`handBack`),
    reassesses the page and the plan. A pending question is asked again. Requires a browser's key, since
    it states that the user is done.
    """
    await _refuse_ended(state, principal, task_id)
    lease = await state["store"].leases.find_pause(principal.tenant, task_id)
    if lease is None:
        raise TaskNotPaused
    is_asking = await state["interact"].pending_question(principal.tenant, task_id) is not None
    status: TaskStatus = "awaiting_user" if is_asking else "executing"
    change = _status_change(principal, task_id, "resumed", status)
    try:
        await state["batch"].write(change, under=lease, releases=True)
    except RunLost:
        raise TaskNotPaused from None
    state["task_events"].publish(principal.tenant, task_id)
    return PausedView(task_id=task_id, status=status, paused=False)


async def _refuse_ended(state: AppState, principal: Principal, task_id: str) -> None:
    """Raises `TaskEnded` or `NotFound`."""
    task = await _find_task(state, principal, task_id)
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
