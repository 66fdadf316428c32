"""Runs jobs under a lease, so that another process continues one if this process dies."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import structlog

from app.domain.knowledge import IngestFailure, Job, JobStatus
from app.errors import TabwrightError, Unavailable
from app.store.knowledge import KnowledgeStore
from knowledge.fair_queue import FairQueue
from knowledge.ingest import DocumentLock
from knowledge.jobs.progress import EVERY_S, ProgressReporter
from knowledge.jobs.work import Work

log = structlog.get_logger(__name__)

AT_ONCE = 500  # queued jobs examined in a sweep
LOCKS = 50  # expired locks examined in a sweep
GRACE_S = 2.0  # how long a new job is left to the broker
MAX_TRIES = 2  # per document; after two crashes the document is considered the cause
Accounting = Callable[[str, str], AbstractContextManager[object]]
"""Context manager that accounts for model calls, given tenant and user."""


@dataclass(slots=True)
class _Running:
    task: "asyncio.Task[None]"
    recheck: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass(kw_only=True)
class Runner:
    """Runs the jobs of this process."""

    store: KnowledgeStore
    job_work: Work
    queue: FairQueue
    lease_s: float
    accounting: Accounting
    on_end: Callable[[Job], None]
    _running: dict[tuple[str, str], _Running] = field(default_factory=dict)
    _closed: bool = False

    def has(self, tenant: str, job_id: str) -> bool:
        return (tenant, job_id) in self._running

    def has_room(self, tenant: str) -> bool:
        return self.queue.has_room(tenant)

    async def work(self, tenant: str, job_id: str) -> None:
        """Run a job when its turn comes, unless another process runs it. Never raises."""
        await asyncio.wait((self.start(tenant, job_id).task,))

    def start(self, tenant: str, job_id: str) -> _Running:
        """Like `work`, without waiting for completion."""
        key = (tenant, job_id)
        if key not in self._running and not self._closed:
            task = asyncio.create_task(self._take_turn(tenant, job_id))
            self._running[key] = _Running(task)
            task.add_done_callback(lambda _: self._running.pop(key, None))
        return self._running[key]

    async def wait_for_end(self, tenant: str, job_id: str, within_s: float) -> None:
        """Wait up to `within_s` seconds; returns earlier if the job runs here and ends."""
        if (running := self._running.get((tenant, job_id))) is None:
            await asyncio.sleep(within_s)
        else:
            await asyncio.wait((running.task,), timeout=within_s)

    def recheck(self, tenant: str, job_id: str) -> None:
        """Reload the job's row now: it may have been cancelled."""
        if running := self._running.get((tenant, job_id)):
            running.recheck.set()

    async def close(self) -> None:
        """Release all jobs; another process continues them."""
        self._closed = True
        tasks = [one.task for one in self._running.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def _take_turn(self, tenant: str, job_id: str) -> None:
        try:
            async with self.queue.slot(tenant):
                await self._claim(tenant, job_id)
        except TabwrightError as error:
            # The sweeper of any process continues it.
            log.warning("knowledge_job_left", code=error.code)
        except Exception:
            log.exception("knowledge_job_failed")

    async def _claim(self, tenant: str, job_id: str) -> None:
        owner, now = uuid4().hex, datetime.now(UTC)
        until = now + timedelta(seconds=self.lease_s)
        job = await self.store.jobs.claim(tenant, job_id, owner=owner, now=now, until=until)
        if job is None:
            return
        reporter = ProgressReporter(self.store.jobs, job, owner, self.lease_s)
        if job.cancelling:
            await self._end(reporter, "cancelled")
        elif job.tries > MAX_TRIES:
            reason = f"The server crashed {job.tries - 1} times while processing it"
            reporter.add_failure(_failure(job, "JOB_GIVEN_UP", reason))
            await self._end(reporter, "failed")
        else:
            with self.accounting(tenant, job.user):
                task = asyncio.create_task(self.job_work.run(job, reporter))
            await self._supervise(task, reporter)

    async def _supervise(self, task: "asyncio.Task[None]", reporter: ProgressReporter) -> None:
        """Save progress until the task ends, and cancel it if the job was cancelled."""
        recheck = self._running[reporter.job.tenant, reporter.job.job_id].recheck
        stopped = False
        try:
            while not task.done() and not stopped:
                await _wait_for_either(task, recheck, EVERY_S)
                if not task.done() and (recheck.is_set() or reporter.is_due()):
                    recheck.clear()
                    stopped = await self._must_stop(reporter)
        except asyncio.CancelledError:
            await _cancel(task)
            with suppress(TabwrightError):
                await reporter.save(hold=False)
            raise
        if stopped:
            await _cancel(task)
        await self._settle(task, reporter)

    async def _must_stop(self, reporter: ProgressReporter) -> bool:
        """Save, and check whether the job was cancelled or taken over. While the store is
        unavailable no other process can take it over either.
        """
        try:
            job = await reporter.save()
        except Unavailable:
            return False
        return job is None or job.cancelling

    async def _settle(self, task: "asyncio.Task[None]", reporter: ProgressReporter) -> None:
        if task.cancelled():
            await self._end(reporter, "cancelled")
            return
        if error := task.exception():
            if isinstance(error, Unavailable):
                with suppress(TabwrightError):
                    await reporter.save(hold=False)
                raise error
            log.error("knowledge_job_failed", exc_info=error)
            reporter.add_failure(
                _failure(reporter.job, "INTERNAL", "Internal error. See the server log")
            )
        counts = reporter.progress
        failed = counts.failed and not counts.documents
        await self._end(reporter, "failed" if failed else "completed")

    async def _end(self, reporter: ProgressReporter, status: JobStatus) -> None:
        job = await reporter.finish(status)
        if job is not None:
            await release_resources(self.store, job)
            self.on_end(job)


async def release_resources(store: KnowledgeStore, job: Job) -> None:
    if job.request.file_id is not None:
        await store.files.delete(job.tenant, job.request.file_id)
    if job.request.kind in ("url", "link"):
        await store.frontiers.clear(job.tenant, job.job_id)


async def _wait_for_either(
    task: "asyncio.Task[None]", event: asyncio.Event, seconds: float
) -> None:
    event_task = asyncio.create_task(event.wait())
    try:
        await asyncio.wait((task, event_task), timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        event_task.cancel()


async def _cancel(task: "asyncio.Task[None]") -> None:
    task.cancel()
    await asyncio.wait((task,))


def _failure(job: Job, code: str, reason: str) -> IngestFailure:
    return IngestFailure(source=job.request.url or job.request.name, code=code, reason=reason)


@dataclass(frozen=True)
class Sweeper:
    """Finds orphaned jobs and partially written documents of dead processes."""

    store: KnowledgeStore
    runner: Runner
    every_s: float

    async def run_forever(self) -> None:
        """Sweep every `every_s` seconds. Failures are logged."""
        while True:
            try:
                await self.sweep()
            except TabwrightError as error:
                log.warning("knowledge_not_swept", code=error.code)
            except Exception:
                log.exception("knowledge_not_swept")
            await asyncio.sleep(self.every_s)

    async def sweep(self) -> None:
        now = datetime.now(UTC)
        due = now - timedelta(seconds=GRACE_S)
        for tenant, job_id in await self.store.jobs.list_due(now=due, limit=AT_ONCE):
            if not self.runner.has(tenant, job_id) and self.runner.has_room(tenant):
                self.runner.start(tenant, job_id)
                await asyncio.sleep(0)  # let it take a slot or join the queue
        for tenant, document_id in await self.store.locks.list_expired(now=now, limit=LOCKS):
            lock = DocumentLock(self.store.locks, tenant, document_id)
            if await lock.acquire():
                await self.store.documents.sweep(tenant, document_id)
                await lock.release()
