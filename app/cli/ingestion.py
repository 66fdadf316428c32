"""Runs `tabwright ingest`: finds the files, submits a job for each, shows progress, and collects the
results.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text

from app.cli.terminal import print_text
from app.domain.access import Principal
from app.domain.knowledge import JOB_ENDED, IngestFailure, IngestRequest, Job
from app.errors import Invalid, TabwrightError
from app.logs import sanitize
from knowledge import Knowledge, advice_for

AT_ONCE = 8  # jobs submitted: a tenant has four running, and as many wait
PIECE = 256 * 1024  # bytes
STOPPING_S = 10.0  # for jobs to stop after Ctrl-C; a lease that is left expires
LINE_S = 2.0  # between two lines about the same job
LONGEST = 48  # characters of the current document's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One source to ingest; `path` is the file to upload."""

    request: IngestRequest
    path: Path | None = None


def find_sources(source: str, template: IngestRequest) -> list[Source]:
    """The sources of a path or URL; `template` has what their jobs have in common. Raises `Invalid` for
    anything else, and for a folder without files.
    """
    if source.startswith(("http://", "https://")):
        return [Source(request=template.model_copy(update={"kind": "link", "url": source}))]
    path = Path(source)
    if path.is_file():
        return [_file_source(path, path.name, template)]
    if not path.is_dir():
        raise Invalid(f"{source}: no such file or folder, and not an http or https address")
    folder = path.resolve()
    sources = [
        _file_source(file, (Path(folder.name) / file.relative_to(folder)).as_posix(), template)
        for file in _list_files(folder)
    ]
    if not sources:
        raise Invalid(f"{source}: the folder has no files; hidden files are skipped")
    return sources


def _file_source(path: Path, name: str, template: IngestRequest) -> Source:
    update = {"kind": "file", "name": name, "bytes": path.stat().st_size}
    return Source(request=template.model_copy(update=update), path=path)


def _list_files(folder: Path) -> Iterator[Path]:
    """All files below the folder in order, except hidden ones (such as `.git`) and links."""
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(parent) / name
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
        return sum(getattr(job.progress, name) for job in self.jobs.values())

    @property
    def failures(self) -> list[IngestFailure]:
        failures = [*self.refused]
        for job in self.jobs.values():
            failures += job.errors
            if job.status == "failed" and not job.errors:
                failures.append(
                    IngestFailure(
                        source=_source_name(job.request), code="FAILED", reason=job.reason or ""
                    )
                )
        return failures

    @property
    def notes(self) -> list[str]:
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
        numbers = {n: self.sum(n) for n in ("documents", "unchanged", "chunks", "bytes")}
        jobs = [
            {
                "jobId": job.job_id,
                "source": _source_name(job.request),
                "status": job.status,
                "documents": list(job.documents),
            }
            for job in self.jobs.values()
        ]
        errors = [one.model_dump() | {"advice": advice_for(one.code)} for one in self.failures]
        return {
            "ok": self.ok,
            **numbers,
            "failed": self.failed,
            "cancelled": self.cancelled,
            "errors": errors,
            "notes": self.notes,
            "jobs": jobs,
        }

    def describe(self) -> str:
        documents, unchanged = self.sum("documents"), self.sum("unchanged")
        parts = [_count(documents, "document") + (f" ({unchanged} unchanged)" if unchanged else "")]
        parts += [_count(self.sum("chunks"), "chunk"), decimal(self.sum("bytes"))]
        parts += [f"{self.failed} failed"] if self.failed else []
        return ", ".join([*parts, "stopped"] if self.cancelled else parts)

    def share(self) -> tuple[float, float | None]:
        """Completed and total work: bytes of files, else documents of a site; None while unknown."""
        if self.total_bytes:
            ended = sum(job.request.bytes for job in self.jobs.values() if job.status in JOB_ENDED)
            return ended, self.total_bytes
        totals = [job.progress.documents_total or 0 for job in self.jobs.values()]
        return self.sum("documents") + self.sum("failed"), sum(totals) or None


def _source_name(request: IngestRequest) -> str:
    return request.url or request.name


def _count(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


Report = Callable[[Tally, Job | None], None]


async def ingest_sources(
    knowledge: Knowledge, principal: Principal, sources: Sequence[Source], report: Report
) -> Tally:
    """Ingest everything, a few jobs at a time; `report` is called on each step with its job.

    Cancelling this cancels the jobs: what was ingested by then stays, and the tally is marked as
    stopped.
    """
    sizes = [one.request.bytes for one in sources if one.path is not None]
    tally = Tally(total=len(sizes) or None, total_bytes=sum(sizes) or None)
    remaining = iter(sources)
    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(AT_ONCE, len(sources))):
                group.create_task(_work(knowledge, principal, remaining, tally, report))
    except asyncio.CancelledError:
        tally.cancelled = True
        await _cancel_jobs(knowledge, principal, tally)
        raise
    return tally


async def _work(
    knowledge: Knowledge,
    principal: Principal,
    remaining: Iterator[Source],
    tally: Tally,
    report: Report,
) -> None:
    for source in remaining:
        body = None if source.path is None else _read_pieces(source.path)
        try:
            accepted = await knowledge.submit(principal, source.request, body)
            tally.jobs[accepted.job_id] = accepted
            async for job in knowledge.watch(principal, accepted.job_id):
                tally.jobs[job.job_id] = job
                report(tally, job)
        except (TabwrightError, OSError) as error:
            if isinstance(error, TabwrightError):
                code, reason = error.code, error.detail
            else:
                code, reason = "UNREADABLE", error.strerror or "unreadable"
            failure = IngestFailure(source=_source_name(source.request), code=code, reason=reason)
            tally.refused.append(failure)
            report(tally, None)


async def _read_pieces(path: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(path.open, "rb") as file:
        while piece := await asyncio.to_thread(file.read, PIECE):
            yield piece


async def _cancel_jobs(knowledge: Knowledge, principal: Principal, tally: Tally) -> None:
    """Cancel the running jobs, and wait for them to stop."""
    with suppress(TimeoutError, TabwrightError):
        async with asyncio.timeout(STOPPING_S):
            for job in [one for one in tally.jobs.values() if one.status not in JOB_ENDED]:
                await knowledge.cancel(principal, job.job_id)
                async for stopped in knowledge.watch(principal, job.job_id):
                    tally.jobs[job.job_id] = stopped


@contextmanager
def show_progress(console: Console) -> Iterator[Report]:
    """Show the reported progress during the context: a bar on a terminal, lines in a pipe."""
    if not console.is_terminal:
        yield _line_report(console)
        return
    text = "{task.fields[documents]} documents, {task.fields[chunks]} chunks, {task.fields[size]}"
    columns = (
        SpinnerColumn(),
        BarColumn(),
        TextColumn(text),
        _RemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=None, documents="0", chunks=0, size="0", left=None)
        started = time.monotonic()

        def report(tally: Tally, job: Job | None) -> None:
            done, total = tally.share()
            count, of = tally.sum("documents"), tally.total or total
            progress.update(
                bar,
                completed=done,
                total=total,
                description=_current_name(job),
                documents=f"{count}/{of:.0f}" if of else f"{count}",
                chunks=tally.sum("chunks"),
                size=decimal(tally.sum("bytes")),
                left=_remaining_s(tally, job, time.monotonic() - started),
            )

        yield report


def _remaining_s(tally: Tally, job: Job | None, elapsed_s: float) -> float | None:
    """Estimated by the only job, else at the pace so far."""
    if tally.total is None:
        return job.progress.remaining_s if job is not None else None
    done, total = tally.share()
    return elapsed_s / done * (total - done) if done and total else None


class _RemainingColumn(ProgressColumn):
    def render(self, task: Task) -> Text:
        left = task.fields["left"]
        return Text("" if left is None else f"{left // 60:.0f}:{left % 60:02.0f} left")


def _current_name(job: Job | None) -> str:
    if job is None:
        return ""
    name = sanitize(job.progress.current or job.request.name).replace("[", "\\[")
    return name if len(name) <= LONGEST else f"…{name[-LONGEST:]}"


def _line_report(console: Console) -> Report:
    """Print a line for each finished job, and occasionally for running ones."""
    last = time.monotonic()

    def report(_: Tally, job: Job | None) -> None:
        nonlocal last
        if job is None:  # a rejected file, which is listed at the end
            return
        name = sanitize(_source_name(job.request))
        if job.status in JOB_ENDED:
            print_text(f"{name}: {_outcome(job)}", console)
        elif time.monotonic() - last >= LINE_S:
            last = time.monotonic()
            done = job.progress
            print_text(f"{name}: {done.documents} documents, {done.chunks} chunks so far", console)

    return report


def _outcome(job: Job) -> str:
    done = job.progress
    if job.status != "completed":
        return job.status
    if done.documents and done.documents == done.unchanged:
        return "unchanged"
    documents = f"{_count(done.documents, 'document')}, " if done.documents != 1 else ""
    failed = f", {done.failed} failed" if done.failed else ""
    return f"{documents}{_count(done.chunks, 'chunk')}{failed}"
