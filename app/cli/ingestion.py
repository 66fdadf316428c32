"""Runs `tabwright ingest`: finds the files, submits a job for each, and collects the results."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.domain.access import Principal
from app.domain.knowledge import JOB_ENDED, IngestFailure, IngestRequest, Job
from app.errors import Invalid, TabwrightError
from knowledge import Knowledge, advice_for

AT_ONCE = 8  # jobs submitted: a tenant has four running, and as many wait
PIECE = 256 * 1024
STOPPING_S = 10.0  # for jobs to stop after Ctrl-C; a lease that is left expires


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source to ingest; `path` is the file to upload."""

    request: IngestRequest
    path: Path | None = None

    @property
    def shown(self) -> str:
        """The display name."""
        return self.request.url or self.request.name


def sources(given: str, request: IngestRequest) -> list[Source]:
    """The sources of a path or URL; `request` is the template of their jobs. Raises `Invalid` for
    anything else, and for a folder without files.
    """
    if given.startswith(("http://", "https://")):
        return [Source(request=request.model_copy(update={"kind": "link", "url": given}))]
    path = Path(given)
    if path.is_file():
        return [_file(path, path.name, request)]
    if not path.is_dir():
        raise Invalid(f"{given}: there is no such file or folder, and it is no http address")
    whole = path.resolve()
    found = [
        _file(one, (Path(whole.name) / one.relative_to(whole)).as_posix(), request)
        for one in _files(whole)
    ]
    if not found:
        raise Invalid(f"{given}: there is no file in it; hidden ones are left out")
    return found


def _file(path: Path, name: str, request: IngestRequest) -> Source:
    told = {"kind": "file", "name": name, "bytes": path.stat().st_size}
    return Source(request=request.model_copy(update=told), path=path)


def _files(folder: Path) -> Iterator[Path]:
    """All files below the folder in order, except hidden ones (such as `.git`) and links."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place) / name
            if not name.startswith(".") and not path.is_symlink() and path.is_file():
                yield path


@dataclass(slots=True)
class Tally:
    """The results so far. `total` is the number of files; None for a URL."""

    total: int | None
    total_bytes: int | None
    jobs: dict[str, Job] = field(default_factory=dict)
    refused: list[IngestFailure] = field(default_factory=list)
    cancelled: bool = False

    def sum(self, name: str) -> int:
        """Add up one number of all jobs' progress."""
        return sum(getattr(job.progress, name) for job in self.jobs.values())

    @property
    def failures(self) -> list[IngestFailure]:
        """The documents that could not be read, with the reasons."""
        found = [*self.refused]
        for job in self.jobs.values():
            found += job.errors
            if job.status == "failed" and not job.errors:
                found.append(
                    IngestFailure(source=_called(job), code="FAILED", reason=job.reason or "")
                )
        return found

    @property
    def notes(self) -> list[str]:
        """The distinct notes of all jobs."""
        return list(dict.fromkeys(note for job in self.jobs.values() for note in job.notes))

    @property
    def failed(self) -> int:
        """The number of failures; a job may fail without a document that did."""
        return max(self.sum("failed") + len(self.refused), len(self.failures))

    @property
    def ok(self) -> bool:
        """Whether something was ingested and nothing failed."""
        return bool(self.sum("documents")) and not self.failed and not self.cancelled

    def view(self) -> dict[str, Any]:
        """The results as JSON, for scripts."""
        numbers = {n: self.sum(n) for n in ("documents", "unchanged", "chunks", "bytes")}
        jobs = [
            {
                "jobId": job.job_id,
                "source": _called(job),
                "status": job.status,
                "documents": list(job.documents),
            }
            for job in self.jobs.values()
        ]
        errors = [one.model_dump() | {"advice": advice_for(one.code)} for one in self.failures]
        stopped = {"failed": self.failed, "cancelled": self.cancelled}
        said = {"errors": errors, "notes": self.notes}
        return {"ok": self.ok, **numbers, **stopped, **said, "jobs": jobs}


def _called(job: Job) -> str:
    return job.request.url or job.request.name


Told = Callable[[Tally, Job | None], None]


async def ingested(
    knowledge: Knowledge, who: Principal, wanted: Sequence[Source], told: Told
) -> Tally:
    """Ingest everything, a few jobs at a time; `told` is called on each step with its job.

    Cancelling this cancels the jobs: what was ingested by then stays, and the tally is marked as
    stopped.
    """
    sizes = [one.request.bytes for one in wanted if one.path is not None]
    tally = Tally(total=len(sizes) or None, total_bytes=sum(sizes) or None)
    left = iter(wanted)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(AT_ONCE, len(wanted))):
                group.create_task(_work(knowledge, who, left, tally, told))
    except asyncio.CancelledError:
        tally.cancelled = True
        await _stop(knowledge, who, tally)
        raise
    return tally


async def _work(
    knowledge: Knowledge, who: Principal, left: Iterator[Source], tally: Tally, told: Told
) -> None:
    for source in left:
        body = None if source.path is None else _pieces(source.path)
        try:
            accepted = await knowledge.submit(who, source.request, body)
            tally.jobs[accepted.job_id] = accepted
            async for job in knowledge.watch(who, accepted.job_id):
                tally.jobs[job.job_id] = job
                told(tally, job)
        except (TabwrightError, OSError) as error:
            tally.refused.append(_refused(source, error))
            told(tally, None)


def _refused(source: Source, error: TabwrightError | OSError) -> IngestFailure:
    if isinstance(error, TabwrightError):
        return IngestFailure(source=source.shown, code=error.code, reason=error.detail)
    return IngestFailure(
        source=source.shown, code="UNREADABLE", reason=error.strerror or "unreadable"
    )


async def _pieces(path: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece


async def _stop(knowledge: Knowledge, who: Principal, tally: Tally) -> None:
    """Cancel the running jobs, and wait for them to stop."""
    with suppress(TimeoutError, TabwrightError):
        async with asyncio.timeout(STOPPING_S):
            for job in [one for one in tally.jobs.values() if one.status not in JOB_ENDED]:
                await knowledge.cancel(who, job.job_id)
                async for stopped in knowledge.watch(who, job.job_id):
                    tally.jobs[job.job_id] = stopped
