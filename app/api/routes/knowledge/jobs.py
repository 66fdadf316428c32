"""Ingestion jobs: list, progress, events and cancellation."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Literal, Self

from fastapi import APIRouter, Query
from pydantic import ConfigDict
from sse_starlette import EventSourceResponse

from app.api.deps import AppState, AppStateDep, CurrentUser
from app.api.models import EXAMPLES, ResponseModel, Timestamp
from app.api.problems import problem_doc, problem_docs
from app.api.query_params import PAGE, PageSize
from app.api.responses import event_stream, stream_docs
from app.domain.access import Principal
from app.domain.knowledge import (
    JOB_ENDED,
    Job,
    JobKind,
    JobStatus,
)
from knowledge import advice_for


class AcceptedView(ResponseModel):
    """The job of a request; see `GET /api/knowledge/jobs/{jobId}`."""

    job_id: str
    status: JobStatus


class ProgressView(ResponseModel):
    """Progress of a job; unknown values are null, `remainingSeconds` is an estimate. `unchanged` documents
    count among `documents`, `failed` ones do not.
    """

    documents: int
    documents_total: int | None = None
    unchanged: int
    failed: int
    chunks: int
    bytes: int
    bytes_total: int | None = None
    current: str
    remaining_seconds: float | None = None


class FailureView(ResponseModel):
    """A document that could not be read: a stable code, the reason, and what the user can do."""

    source: str
    code: str
    reason: str
    advice: str


class JobView(ResponseModel):
    """An ingestion job. `errors` and `documents` hold the newest hundred; `progress` counts all. `reason`
    says why the job failed as a whole, `notes` what was left out of a site, and why.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [EXAMPLES["JobView"]]})

    job_id: str
    kind: JobKind
    source: str
    status: JobStatus
    progress: ProgressView
    errors: list[FailureView]
    documents: list[str]
    notes: list[str]
    reason: str | None = None
    created_at: Timestamp
    started_at: Timestamp | None = None
    ended_at: Timestamp | None = None

    @classmethod
    def of(cls, job: Job, **more: Any) -> Self:  # noqa: ANN401 - as `from_fields`
        request, progress = job.request, job.progress
        return cls.from_fields(
            job,
            kind=request.kind,
            source=request.url or request.name or request.title or request.kind,
            progress=ProgressView.from_fields(progress, remaining_seconds=progress.remaining_s),
            errors=[
                FailureView.from_fields(one, advice=advice_for(one.code)) for one in job.errors
            ],
            **more,
        )


class JobEvent(JobView):
    """The current job: `progress` while it runs, `done` at its end."""

    type: Literal["progress", "done"]


class JobsPage(ResponseModel):
    jobs: list[JobView]


router = APIRouter(
    prefix="/api/knowledge/jobs",
    tags=["knowledge"],
    responses=problem_docs(401, 429, 503),
)

NOT_FOUND: dict[int | str, dict[str, Any]] = {404: problem_doc("No such job")}
STREAM = stream_docs(JobEvent) | NOT_FOUND


@router.get("", responses=problem_docs(422))
async def jobs(
    principal: CurrentUser,
    state: AppStateDep,
    status: Annotated[JobStatus | None, Query(description="Only jobs with this status")] = None,
    limit: PageSize = PAGE,
) -> JobsPage:
    """Jobs, newest first: the tenant's for operators, the user's own for others. Kept for 30 days."""
    found = await state["knowledge"].jobs(principal, status=status, limit=limit)
    return JobsPage(jobs=[JobView.of(one) for one in found])


@router.get("/{job_id}", responses=NOT_FOUND)
async def job(job_id: str, principal: CurrentUser, state: AppStateDep) -> JobView:
    """The progress of a job, and what could not be read."""
    return JobView.of(await state["knowledge"].job(principal, job_id))


@router.get("/{job_id}/events", response_class=EventSourceResponse, responses=STREAM)
async def job_events(
    job_id: str, principal: CurrentUser, state: AppStateDep
) -> EventSourceResponse:
    """Follow a job: its progress at once and at each change; the stream ends with `done`."""
    await state["knowledge"].job(principal, job_id)
    state["task_events"].has_room(principal.tenant)
    return event_stream(_events(state, principal, job_id))


@router.post("/{job_id}/cancel", responses=NOT_FOUND)
async def cancel(job_id: str, principal: CurrentUser, state: AppStateDep) -> JobView:
    """Cancel a job. Documents already ingested stay; partial ones are discarded."""
    return JobView.of(await state["knowledge"].cancel(principal, job_id))


async def _events(
    state: AppState, principal: Principal, job_id: str
) -> AsyncIterator[dict[str, str]]:
    with state["task_events"].listening(principal.tenant, job_id):
        async for job in state["knowledge"].watch(principal, job_id):
            event = JobEvent.of(job, type="done" if job.status in JOB_ENDED else "progress")
            yield {"data": event.model_dump_json(by_alias=True, exclude_none=True)}
