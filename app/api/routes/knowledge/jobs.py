"""What becomes of documents that came in: jobs, as they are and as they go on."""

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Query
from sse_starlette import EventSourceResponse

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.routes.interact.router import PING_S, PROBLEMS, SSE, SSE_HEADERS
from app.api.routes.knowledge.responses import JobEvent, JobsPage, JobView
from app.domain.access import Principal
from app.domain.knowledge import JOB_ENDED, JobStatus

router = APIRouter(
    prefix="/api/knowledge/jobs",
    tags=["knowledge"],
    responses={k: PROBLEMS[k] for k in (401, 429, 503)},
)

PAGE = 50
UNKNOWN: dict[int | str, dict[str, Any]] = {404: {**PROBLEMS[404], "description": "No such job"}}
STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A stream of `data:` events with a comment line every 10 s",
        "content": {
            SSE: {"schema": JobEvent.model_json_schema(ref_template="#/components/schemas/{model}")}
        },
    },
    **UNKNOWN,
}


@router.get("", responses={422: PROBLEMS[422]})
async def jobs(
    principal: CurrentUser,
    state: AppStateDep,
    status: Annotated[JobStatus | None, Query(description="Only those")] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = PAGE,
) -> JobsPage:
    """Requests to ingest, newest first: one's own, an operator's those of the whole tenant. They are
    kept for 30 days.
    """
    found = await state["knowledge"].jobs(principal, status=status, limit=limit)
    return JobsPage(jobs=[JobView.of(one) for one in found])


@router.get("/{job_id}", responses=UNKNOWN)
async def job(job_id: str, principal: CurrentUser, state: AppStateDep) -> JobView:
    """How far a job of one's own is, and what could not be read."""
    return JobView.of(await state["knowledge"].job(principal, job_id))


@router.get("/{job_id}/events", response_class=EventSourceResponse, responses=STREAM)
async def job_events(
    job_id: str, principal: CurrentUser, state: AppStateDep
) -> EventSourceResponse:
    """Wait with a job: its progress now and each time it is further, `done` at its end, which ends the
    stream.
    """
    await state["knowledge"].job(principal, job_id)
    state["bells"].has_room(principal.tenant)
    return EventSourceResponse(
        _events(state, principal, job_id), ping=PING_S, sep="\n", headers=SSE_HEADERS
    )


@router.post("/{job_id}/cancel", responses=UNKNOWN)
async def cancel(job_id: str, principal: CurrentUser, state: AppStateDep) -> JobView:
    """Have a job of one's own stop. What it has ingested stays; what is half done is seen by nobody."""
    return JobView.of(await state["knowledge"].cancel(principal, job_id))


async def _events(
    state: AppState, principal: Principal, job_id: str
) -> AsyncIterator[dict[str, str]]:
    """Ends with the job."""
    with state["bells"].listening(principal.tenant, job_id):
        async for one in state["knowledge"].watch(principal, job_id):
            event = JobEvent.told(one, over=one.status in JOB_ENDED)
            yield {"data": event.model_dump_json(by_alias=True, exclude_none=True)}
