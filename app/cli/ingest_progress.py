"""Progress of an ingestion: a bar on a terminal, lines in a pipe."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.filesize import decimal
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn
from rich.text import Text

from app.cli.ingestion import Tally, Told
from app.domain.knowledge import JOB_ENDED, Job
from app.logs import sanitize

LINE_S = 2.0  # between two lines about the same job
LONGEST = 48  # characters of the current document's name


@contextmanager
def shown(console: Console) -> Iterator[Told]:
    """Show the reported progress during the context."""
    if not console.is_terminal:
        yield Lines(console).tell
        return
    text = "{task.fields[documents]} documents, {task.fields[chunks]} chunks, {task.fields[size]}"
    columns = (
        SpinnerColumn(),
        BarColumn(),
        TextColumn(text),
        _Left(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=None, documents="0", chunks=0, size="0", left=None)
        began = time.monotonic()

        def tell(tally: Tally, job: Job | None) -> None:
            done, whole = _share(tally)
            progress.update(
                bar,
                completed=done,
                total=whole,
                description=_current(job),
                documents=_documents(tally),
                chunks=tally.sum("chunks"),
                size=decimal(tally.sum("bytes")),
                left=_left(tally, job, done, whole, time.monotonic() - began),
            )

        yield tell


def _share(tally: Tally) -> tuple[float, float | None]:
    """Completed and total work: bytes of files, else documents of a site; None while unknown."""
    if tally.total_bytes:
        ended = sum(job.request.bytes for job in tally.jobs.values() if job.status in JOB_ENDED)
        return ended, tally.total_bytes
    whole = [job.progress.documents_total for job in tally.jobs.values()]
    known = sum(one for one in whole if one is not None)
    return tally.sum("documents") + tally.sum("failed"), known or None


def _documents(tally: Tally) -> str:
    done = tally.sum("documents")
    whole = tally.total or _share(tally)[1]
    return f"{done}/{whole:.0f}" if whole else f"{done}"


def _left(
    tally: Tally, job: Job | None, done: float, whole: float | None, passed_s: float
) -> float | None:
    """The remaining seconds: estimated by the only job, else at the pace so far."""
    if tally.total is None:
        return job.progress.remaining_s if job is not None else None
    return passed_s / done * (whole - done) if done and whole else None


class _Left(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Render the remaining time, once there is an estimate."""
        left = task.fields["left"]
        return Text("" if left is None else f"{left // 60:.0f}:{left % 60:02.0f} left")


def _current(job: Job | None) -> str:
    return "" if job is None else _cut(job.progress.current or job.request.name)


def _cut(text: str) -> str:
    plain = sanitize(text).replace("[", "\\[")
    return plain if len(plain) <= LONGEST else f"…{plain[-LONGEST:]}"


class Lines:
    """Prints a line for each finished job, and occasionally for running ones."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._last = time.monotonic()

    def tell(self, tally: Tally, job: Job | None) -> None:
        """Report progress. Rejected files are listed at the end."""
        if job is None:
            return
        name = sanitize(job.request.url or job.request.name)
        if job.status in JOB_ENDED:
            self._say(f"{name}: {_outcome(job)}")
        elif time.monotonic() - self._last >= LINE_S:
            self._last = time.monotonic()
            told = job.progress
            self._say(f"{name}: {told.documents} documents, {told.chunks} chunks so far")

    def _say(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)


def _outcome(job: Job) -> str:
    told = job.progress
    if job.status != "completed":
        return job.status
    if told.documents and told.documents == told.unchanged:
        return "as it was"
    found = f"{_many(told.documents, 'document')}, " if told.documents != 1 else ""
    failed = f", {told.failed} failed" if told.failed else ""
    return f"{found}{_many(told.chunks, 'chunk')}{failed}"


def _many(number: int, name: str) -> str:
    return f"{number:,} {name}" if number == 1 else f"{number:,} {name}s"


def summary(tally: Tally) -> str:
    """The results in one line."""
    documents, unchanged = tally.sum("documents"), tally.sum("unchanged")
    parts = [_many(documents, "document")]
    if unchanged:
        parts[0] += f" ({unchanged} as they were)"
    parts += [_many(tally.sum("chunks"), "chunk"), decimal(tally.sum("bytes"))]
    if tally.failed:
        parts.append(f"{tally.failed} failed")
    if tally.cancelled:
        parts.append("stopped")
    return ", ".join(parts)
