"""Documents and the jobs that bring them in, on the wire."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from app.api.models import ResponseModel, Timestamp
from app.domain.knowledge import (
    ChunkKind,
    Document,
    IngestFailure,
    Job,
    JobKind,
    JobStatus,
    Phase,
    Progress,
    Scope,
)
from knowledge.error_help import what_next
from knowledge.port import Part

JOB_EXAMPLE: dict[str, Any] = {
    "jobId": "0b4cf4ab7a5b4a6e9e0e8c5d",
    "kind": "link",
    "source": "https://docs.example/",
    "status": "running",
    "progress": {
        "documents": 12,
        "documentsTotal": 40,
        "unchanged": 3,
        "failed": 1,
        "chunks": 96,
        "bytes": 412_000,
        "current": "https://docs.example/returns",
        "remainingSeconds": 8.5,
    },
    "errors": [
        {
            "source": "https://docs.example/old.pdf",
            "code": "DOCUMENT_ENCRYPTED",
            "reason": "The PDF is protected by a password.",
            "advice": "Save it without its password, and add that.",
        }
    ],
    "documents": ["5d41402abc4b2a76b9719d91"],
    "notes": ["3 URLs skipped: disallowed by robots.txt."],
    "createdAt": "2026-11-22T10:00:00.000Z",
    "startedAt": "2026-11-22T10:00:00.020Z",
}


class AcceptedView(ResponseModel):
    """The job that was made of a request: look at `GET /api/knowledge/jobs/{jobId}`."""

    job_id: str
    status: JobStatus

    @staticmethod
    def of(job: Job) -> "AcceptedView":
        """The job by its id."""
        return AcceptedView(job_id=job.job_id, status=job.status)


class ProgressView(ResponseModel):
    """How far a job is. What is not known is null; `remainingSeconds` is an estimate. `unchanged`
    documents were there already, as they are; they are among `documents`, `failed` are not.
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

    @staticmethod
    def of(progress: Progress) -> "ProgressView":
        """The wire form."""
        said = progress.model_dump(exclude={"remaining_s"})
        return ProgressView(**said, remaining_seconds=progress.remaining_s)


class FailureView(ResponseModel):
    """A document that could not be read: which, a code that stays, why in a sentence, and in `advice` what
    a person can do about it.
    """

    source: str
    code: str
    reason: str
    advice: str

    @staticmethod
    def of(failure: IngestFailure) -> "FailureView":
        """The wire form."""
        return FailureView(**failure.model_dump(), advice=what_next(failure.code))


class JobView(ResponseModel):
    """One request to ingest. `errors` and `documents` hold the newest hundred; `progress` counts all.
    `reason` says why it failed as a whole, `notes` what of a site was left out, and why.
    """

    model_config = ConfigDict(json_schema_extra={"examples": [JOB_EXAMPLE]})

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

    @staticmethod
    def of(job: Job) -> "JobView":
        """The wire form."""
        return JobView(**_job(job))


class JobEvent(JobView):
    """The job as it is now: `progress` while it goes on, `done` at its end."""

    type: Literal["progress", "done"]

    @staticmethod
    def told(job: Job, *, over: bool) -> "JobEvent":
        """The wire form."""
        return JobEvent(type="done" if over else "progress", **_job(job))


def _job(job: Job) -> dict[str, Any]:
    asked = job.request
    return {
        "job_id": job.job_id,
        "kind": asked.kind,
        "source": asked.url or asked.name or asked.title or asked.kind,
        "status": job.status,
        "progress": ProgressView.of(job.progress),
        "errors": [FailureView.of(one) for one in job.errors],
        "documents": list(job.documents),
        "notes": list(job.notes),
        "reason": job.reason,
        "created_at": job.created_at,
        "started_at": job.started_at,
        "ended_at": job.ended_at,
    }


class JobsPage(ResponseModel):
    """Jobs, newest first."""

    jobs: list[JobView]


class DocumentView(ResponseModel):
    """A document that can be searched; `notes` say what could not be read of it. `version` counts from 1 on
    how often it was brought in with other bytes.
    """

    id: str
    title: str
    type: str
    source: str
    url: str | None = None
    domain: str | None = None
    set_name: Annotated[str, Field(alias="set")]
    scope: Scope
    language: str | None = None
    phase: Phase | None = None
    trigger_action: str | None = None
    version: int
    pages: int
    chunks: int
    tokens: int
    bytes: int
    notes: list[str]
    published_at: Timestamp | None = None
    created_at: Timestamp
    ingested_at: Timestamp

    @staticmethod
    def of(document: Document) -> "DocumentView":
        """The wire form."""
        return DocumentView(**_document(document))


def _document(document: Document) -> dict[str, Any]:
    kept = {
        "title", "source", "url", "domain", "set_name", "scope", "language", "phase",
        "trigger_action", "version", "pages", "chunks", "tokens", "bytes", "published_at", "created_at",
        "ingested_at",
    }  # fmt: skip
    shown = {"id": document.document_id, "type": document.kind, "notes": list(document.notes)}
    return document.model_dump(include=kept) | shown


class DocumentsPage(ResponseModel):
    """Documents, newest first; `nextCursor` is there when there are more."""

    documents: list[DocumentView]
    next_cursor: Annotated[str | None, Field(description="For the next page")] = None


class PartView(ResponseModel):
    """A piece of a document in its place; `supersededBy` is the piece of a later capture that hides it.
    `marks` are characters of the text at which another page begins, or a row where it is of a sheet, each
    with its number from 1 on.
    """

    chunk_id: str
    text: str
    heading_path: list[str]
    kind: ChunkKind
    page: int | None = None
    marks: list[tuple[int, int]] = []
    superseded_by: str | None = None

    @staticmethod
    def of(part: Part) -> "PartView":
        """The wire form."""
        return PartView(
            chunk_id=part.chunk.chunk_id,
            text=part.chunk.text,
            heading_path=list(part.chunk.heading_path),
            kind=part.chunk.kind,
            page=part.placed.page,
            marks=list(part.placed.marks),
            superseded_by=part.superseded_by,
        )


class DocumentWhole(DocumentView):
    """A document with its pieces in their order; `nextPart` is the `from` of those that follow."""

    parts: list[PartView]
    next_part: int | None = None

    @staticmethod
    def told(
        document: Document, parts: Sequence[Part], *, begin: int, limit: int
    ) -> "DocumentWhole":
        """The wire form, with `limit` of its parts from number `begin` on."""
        end = begin + limit
        return DocumentWhole(
            **_document(document),
            parts=[PartView.of(part) for part in parts[begin:end]],
            next_part=end if end < len(parts) else None,
        )
