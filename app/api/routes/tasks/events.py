"""The events of a task as a stream, and its audit trail."""

from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi import APIRouter
from sse_starlette import EventSourceResponse

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.problems import problem_docs
from app.api.responses import event_stream, stream_docs
from app.api.routes.hitl.schemas import TaskEventView
from app.api.routes.tasks.router import find_task
from app.api.routes.tasks.timeline import AuditEntryView, AuditView
from app.domain.access import Principal
from app.errors import Unavailable
from app.hitl.events import (
    TaskEvent,
    TaskProgress,
    events_since,
    initial_events,
    is_over,
    load_snapshot,
    wait_for_event,
)

router = APIRouter(tags=["tasks"], responses=problem_docs(401, 404))

STREAM = stream_docs(TaskEventView) | problem_docs(429)


@router.get("/api/task/{task_id}/events", response_class=EventSourceResponse, responses=STREAM)
async def task_events(
    task_id: str, principal: CurrentUser, state: AppStateDep
) -> EventSourceResponse:
    """Follow a task: the first event, `load_snapshot`, is its current state; then one for each change:
    `asked`, `answered`, `cancelled`, `expired` (a question, by its `hitlId`), `paused`, `resumed`, and
    finally `ended`.

    After `answered` the next request to `/api/agent/interact` resumes with the answer that another inbox
    recorded. Works for tasks that have not acted yet.
    """
    await find_task(state, principal, task_id)
    state["bells"].has_room(principal.tenant)
    return event_stream(_events(state, principal, task_id))


async def _events(
    state: AppState, principal: Principal, task_id: str
) -> AsyncIterator[dict[str, str]]:
    """Silent while the store is unavailable."""

    async def load() -> TaskProgress | None:
        return await state["together"](
            lambda store: load_snapshot(store, principal.tenant, task_id)
        )

    with state["bells"].listening(principal.tenant, task_id) as bell:
        before = await load() or TaskProgress.unknown()
        for event in initial_events(before):
            yield _data(event)
        while not is_over(before):
            await wait_for_event(bell)
            now = before
            with suppress(Unavailable):
                now = await load() or before
            for event in events_since(before, now):
                yield _data(event)
            before = now


def _data(event: TaskEvent) -> dict[str, str]:
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
    await find_task(state, principal, task_id)
    entries = await state["store"].audit.of_task(principal.tenant, task_id)
    return AuditView(entries=[AuditEntryView.of(entry) for entry in entries])
