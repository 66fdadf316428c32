"""Progress of a job, collected from its work and saved to its row."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from app.domain.knowledge import IngestFailure, Job, JobStatus, Progress
from app.store.knowledge import Jobs

EVERY_S = 0.5  # shortest interval between two saves
IDLE_S = 2.0  # longest interval: a save also detects a cancellation elsewhere
LEAST_SHARE = 0.02  # share of the work done below which no remaining time is estimated


class ProgressReporter:
    """Collects progress; `save` writes it and renews the lease. Counts continue from the row."""

    def __init__(self, jobs: Jobs, job: Job, owner: str, lease_s: float) -> None:
        self._jobs = jobs
        self.job = job
        self._owner = owner
        self._lease = timedelta(seconds=lease_s)
        self._counts = job.progress
        self._documents: list[str] = []
        self._errors: list[IngestFailure] = []
        self._notes: tuple[str, ...] = ()
        self._dirty = True
        self._saved_at = float("-inf")
        self._reading: dict[str, float] = {}  # bytes done of each document being read
        self._began, self._first_share = time.monotonic(), self._done_share()

    def start_document(self, name: str) -> None:
        self._change(current=name)

    def expect(self, *, documents: int | None = None, size: int | None = None) -> None:
        if documents is not None:
            self._change(documents_total=max(documents, self._count_done()))
        if size is not None:
            self._change(bytes_total=size)

    def add_chunks(self, name: str, chunks: int, done: float) -> None:
        """Add finished chunks of a document, of which `done` bytes are processed."""
        added = done - self._reading.get(name, 0.0)
        self._reading[name] = done
        counts = self._counts
        self._change(chunks=counts.chunks + chunks, bytes=counts.bytes + round(added))

    def finish_document(self, name: str, size: int, document_id: str, *, unchanged: bool) -> None:
        self.add_chunks(name, 0, float(size))
        self._reading.pop(name, None)
        if document_id:
            self._documents.append(document_id)
        counts = self._counts
        self._change(documents=counts.documents + 1, unchanged=counts.unchanged + int(unchanged))

    def add_failure(self, failure: IngestFailure) -> None:
        self._reading.pop(failure.source, None)
        self._errors.append(failure)
        self._change(failed=self._counts.failed + 1)

    def set_notes(self, sentences: Sequence[str]) -> None:
        """Set sentences shown with the job, however it ends."""
        self._notes, self._dirty = tuple(sentences), True

    @property
    def progress(self) -> Progress:
        """Current counts, with an estimate of the remaining time."""
        return self._counts.model_copy(update={"remaining_s": self._remaining_s()})

    def is_due(self) -> bool:
        elapsed = time.monotonic() - self._saved_at
        idle = min(IDLE_S, self._lease.total_seconds() / 3)
        return elapsed >= (min(EVERY_S, idle) if self._dirty else idle)

    async def save(self, *, hold: bool = True) -> Job | None:
        """Save, and renew the lease or release it; None if another process owns it."""
        documents, errors = tuple(self._documents), tuple(self._errors)
        self._dirty, self._saved_at = False, time.monotonic()
        now = datetime.now(UTC)
        job = await self._jobs.advance(
            self.job,
            owner=self._owner,
            until=now + self._lease if hold else now,
            progress=self.progress,
            documents=documents,
            errors=errors,
            notes=self._notes,
            tries=(1 if documents or errors else None) if hold else 0,
        )
        del self._documents[: len(documents)], self._errors[: len(errors)]
        if job is not None:
            self.job = job
        return job

    async def finish(self, status: JobStatus) -> Job | None:
        """Save the last progress and end the job; None if another process owns it."""
        job = await self.save()
        if job is None:
            return None
        reason = job.errors[0].reason if status == "failed" and job.errors else None
        now = datetime.now(UTC)
        return await self._jobs.finish(
            job, owner=self._owner, status=status, reason=reason, now=now
        )

    def _change(self, **fields: object) -> None:
        self._counts = self._counts.model_copy(update=fields)
        self._dirty = True

    def _count_done(self) -> int:
        return self._counts.documents + self._counts.failed

    def _done_share(self) -> float:
        """Share of the work done, 0..1: by documents if their number is known, else by bytes."""
        counts = self._counts
        if counts.documents_total and counts.documents_total > 1:
            return min(1.0, self._count_done() / counts.documents_total)
        if counts.bytes_total:
            return min(1.0, counts.bytes / counts.bytes_total)
        return 0.0

    def _remaining_s(self) -> float | None:
        share = self._done_share()
        done = share - self._first_share  # by this process
        if done < LEAST_SHARE:
            return None
        elapsed = time.monotonic() - self._began
        return round(elapsed * (1.0 - share) / done, 1)
