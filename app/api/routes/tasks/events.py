"""What befalls a task, as it happens and as it is kept: events for clients that wait, the audit trail."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from fastapi import APIRouter
from sse_starlette import EventSourceResponse

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.owning import task_of
from app.api.routes.hitl.schemas import TaskEventView
from app.api.routes.interact.router import PING_S, PROBLEMS, SSE, SSE_HEADERS
from app.api.routes.tasks.timeline import AuditEntryView, AuditView
from app.domain.access import Principal
from app.errors import Unavailable
from app.hitl.events import Standing, TaskEvent, first, is_over, rung, since, standing

router = APIRouter(tags=["tasks"], responses={k: PROBLEMS[k] for k in (401, 404)})

STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A stream of `data:` events with a comment line every 10 s",
        "content": {SSE: {"schema": TaskEventView.model_json_schema()}},
    },
    429: PROBLEMS[429],
}


@router.get("/api/task/{task_id}/events", response_class=EventSourceResponse, responses=STREAM)
async def task_events(
    task_id: str, principal: CurrentUser, state: AppStateDep
) -> EventSourceResponse:
    """Wait with a task: the first event, `standing`, says how it stands; then one for each thing that
    happens to it: `asked`, `answered`, `cancelled`, `expired` (a question, by its `hitlId`), `paused`,
    `resumed`, and at last `ended`.

    An answer that another inbox recorded comes as `answered`: the next request to
    `/api/agent/interact` goes on with it. Works for a task that has not acted yet.
    """
    await task_of(state, principal, task_id)
    state["bells"].has_room(principal.tenant)
    return EventSourceResponse(
        _events(state, principal, task_id), ping=PING_S, sep="\n", headers=SSE_HEADERS
    )


async def _events(
    state: AppState, principal: Principal, task_id: str
) -> AsyncIterator[dict[str, str]]:
    """From the first look on; while the store is away nothing is told."""

    async def look() -> Standing | None:
        return await state["together"](lambda store: standing(store, principal.tenant, task_id))

    with state["bells"].listening(principal.tenant, task_id) as ear:
        before = await look() or Standing.unknown()
        for event in first(before):
            yield _data(event)
        while not is_over(before):
            await rung(ear)
            now = before
            with suppress(Unavailable):
                now = await look() or before
            for event in since(before, now):
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
    """Who was asked what, saw what, answered what and when, and what was then done; oldest first."""
    await task_of(state, principal, task_id)
    entries = await state["store"].audit.of_task(principal.tenant, task_id)
    return AuditView(entries=[AuditEntryView.of(entry) for entry in entries])
