"""A pool of reader processes, so that a malicious document can fail only its own job."""

import asyncio
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

import structlog
from pydantic import BaseModel, ConfigDict, ValidationError

from app.errors import Unavailable, Unreadable
from knowledge.extract.port import Extracted, StoredFile
from knowledge.extract.sandbox.confinement import Layers, may_be_unconfined
from knowledge.extract.workers.process import WorkerProcess
from knowledge.fair_queue import FairQueue

log = structlog.get_logger(__name__)

POLL_S = 0.2
"""Seconds between two checks of a busy worker's time and memory."""
START_S = 60.0
"""Start timeout in seconds; a start takes 0.3 s, many times that on a busy machine."""
SHUTTING_DOWN = "The server is shutting down and reads no more documents."
LARGE_ANSWER = 200_000
"""Bytes; larger answers are parsed in a thread, off the event loop (20 MB take 60 ms)."""
CODES = frozenset(
    f"DOCUMENT_{why}"
    for why in (
        *("EMPTY", "ENCRYPTED", "DAMAGED", "TOO_LARGE", "UNSUPPORTED"),
        *("PICTURES_ONLY", "TOO_SLOW", "NOT_AVAILABLE"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderLimits:
    """A tenant's documents occupy at most `processes` workers, and there is one more worker, so that
    a single tenant never blocks the others.

    `seconds` is the time limit for files up to 1 MB, plus `seconds_per_mb` for each further one,
    capped at `most_seconds`. `memory` is the maximum resident size of a worker in bytes, `output`
    the maximum characters of Markdown. A worker is ended after `idle_seconds`, after
    `most_documents`, or if it keeps more than `worn_memory` bytes after a document.
    `unconfined`: see `may_be_unconfined`.
    """

    processes: int = 2
    seconds: float = 10.0
    seconds_per_mb: float = 5.0
    most_seconds: float = 60.0
    memory: int = 1 << 30
    output: int = 20_000_000
    idle_seconds: float = 120.0
    most_documents: int = 500
    worn_memory: int = 400_000_000
    unconfined: bool | None = None

    def seconds_for(self, size: int) -> float:
        extra = max(0.0, size / 1e6 - 1) * self.seconds_per_mb
        return min(self.most_seconds, self.seconds + extra)


class _Refusal(BaseModel):
    model_config = ConfigDict(extra="forbid")
    code: str
    detail: str


class _Answer(BaseModel):
    """A worker's answer: exactly one of the fields is set."""

    model_config = ConfigDict(extra="forbid")
    extracted: Extracted | None = None
    unreadable: _Refusal | None = None


class WorkerPool:
    """Reads documents in processes started on demand; leaving the context ends them."""

    def __init__(self, limits: ReaderLimits | None = None) -> None:
        self._limits = limits or ReaderLimits()
        self._max_workers = self._limits.processes + 1
        self._queue = FairQueue(self._max_workers, self._limits.processes)
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        # One thread per worker's answer, and one for workers being ended.
        self._threads = ThreadPoolExecutor(self._max_workers + 1, "reader")
        self._idle_timer: asyncio.TimerHandle | None = None
        self._calls = 0
        self._quiet = asyncio.Event()
        self._layers: Layers | None = None
        self._closed = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        self._closed = True
        for child in self._busy:
            child.kill()
        while self._calls:  # also wake those waiting for a slot
            self._quiet.clear()
            await self._quiet.wait()
        self._end_idle()
        await asyncio.to_thread(self._threads.shutdown)

    async def extract(self, file: StoredFile, tenant: str) -> Extracted:
        """Convert a tenant's file to Markdown; tenants take turns. Raises `Unreadable` with
        a reason for users; `Unavailable` if no worker could be started. Cancellation kills
        the worker.
        """
        self._calls += 1
        try:
            async with self._queue.slot(tenant):
                answer = await self._answer(file, tenant)
        finally:
            self._calls -= 1
            self._quiet.set()
        if answer.unreadable:
            raise Unreadable(answer.unreadable.detail, answer.unreadable.code)
        if answer.extracted is None:  # neither field is set
            raise _invalid_answer()
        return answer.extracted

    async def _answer(self, file: StoredFile, tenant: str) -> _Answer:
        if self._closed:
            raise Unavailable(SHUTTING_DOWN)
        child = self._take(tenant)
        self._busy.add(child)
        try:
            if child.layers is None:
                await self._start(child)
            body = await self._ask(child, file)
            if len(body) < LARGE_ANSWER:
                answer = _read(body, self._limits.output)
            else:
                answer = await asyncio.to_thread(_read, body, self._limits.output)
        except BaseException:
            self._end(child)
            raise
        else:
            is_worn = child.documents_read >= self._limits.most_documents
            if is_worn or child.memory() > self._limits.worn_memory:
                self._end(child)
            else:
                self._idle.append(child)
        finally:
            self._busy.discard(child)
            if self._idle_timer:
                self._idle_timer.cancel()
            loop = asyncio.get_running_loop()
            self._idle_timer = loop.call_later(self._limits.idle_seconds, self._end_idle)
        return answer

    def _take(self, tenant: str) -> WorkerProcess:
        """Take an idle worker used only by this tenant, else a new one: a compromised reader never
        sees another tenant's documents.
        """
        for at, child in enumerate(self._idle):
            if child.tenant == tenant:
                return self._idle.pop(at)
        if len(self._idle) + len(self._busy) >= self._max_workers:
            self._end(self._idle.pop(0))
        return WorkerProcess(4 * self._limits.memory, tenant)

    async def _start(self, child: WorkerProcess) -> None:
        """Start a worker. Raises `Unreadable` if it is not confined and has to be."""
        started = asyncio.get_running_loop().run_in_executor(self._threads, child.start)
        started.add_done_callback(_discard_exception)
        try:
            layers = await asyncio.wait_for(started, START_S)
        except TimeoutError:
            raise Unavailable("The process that reads documents did not start in time.") from None
        if layers is None:
            return  # it was killed; the request will notice
        if layers != self._layers:
            self._layers = layers
            if layers.missing:
                log.warning("readers_not_confined", missing=layers.missing, layers=str(layers))
            else:
                log.info("readers_confined", layers=str(layers))
        if layers.missing and not may_be_unconfined(self._limits.unconfined):
            raise Unreadable(
                f"Reading documents is disabled: this system cannot confine the process that reads them "
                f"({' and '.join(layers.missing)} missing). TABWRIGHT_UNCONFINED_READERS=true "
                "enables it anyway.",
                "DOCUMENT_NOT_AVAILABLE",
            )

    async def _ask(self, child: WorkerProcess, file: StoredFile) -> bytes:
        """Get the answer's bytes while checking time and memory."""
        size = file.path.stat().st_size
        seconds = self._limits.seconds_for(size)
        output = self._limits.output
        # JSON takes at most four bytes per character of Markdown, except for a few control
        # characters.
        most = 5 * output + 1_000_000
        loop = asyncio.get_running_loop()
        answer_bytes = loop.run_in_executor(
            self._threads, child.ask, file, size, seconds, output, most
        )
        answer_bytes.add_done_callback(_discard_exception)
        asked_at, resident = time.monotonic(), 0
        while not (await asyncio.wait({answer_bytes}, timeout=POLL_S))[0]:
            resident = child.memory()
            if resident > self._limits.memory:
                raise _too_large()
            if time.monotonic() - (child.begun or asked_at) > seconds:
                raise Unreadable(
                    f"Reading the document took longer than {seconds:.0f} seconds.",
                    "DOCUMENT_TOO_SLOW",
                )
        body = answer_bytes.result()
        if body is None and self._closed:
            raise Unavailable(SHUTTING_DOWN)
        if body is None:
            child.kill()
            code = await loop.run_in_executor(self._threads, child.reap)
            raise _death_reason(code, resident > self._limits.memory // 2)
        return body

    def _end(self, child: WorkerProcess) -> None:
        """Kill a worker now; it is reaped in the thread that waited for its answer."""
        child.kill()
        self._threads.submit(child.reap)

    def _end_idle(self) -> None:
        if self._idle_timer:
            self._idle_timer.cancel()
        while self._idle:
            self._end(self._idle.pop())


def _discard_exception(
    answer_bytes: "asyncio.Future[Layers | None] | asyncio.Future[bytes | None]",
) -> None:
    """Retrieve the exception of an abandoned future, so that it is not logged."""
    if not answer_bytes.cancelled():
        answer_bytes.exception()


def _read(body: bytes, output: int) -> _Answer:
    """Parse and validate an answer, which a malicious document may have written."""
    try:
        answer = _Answer.model_validate_json(body)
    except ValidationError:
        raise _invalid_answer() from None
    found, refusal = answer.extracted, answer.unreadable
    if refusal and refusal.code not in CODES:
        raise _invalid_answer()
    if found:
        length = len(found.markdown)
        if length > output:
            raise _too_large()
        places = [(one.start, one.start) for one in found.pages]
        places += [(one.start, one.end) for one in found.regions]
        if any(not 0 <= start <= end <= length for start, end in places):
            raise _invalid_answer()
    return answer


def _death_reason(code: int, was_large: bool) -> Unreadable:
    """The reason why a worker died, by its exit code (`Popen.returncode`)."""
    if code == -getattr(signal, "SIGXCPU", 0):
        return Unreadable("Reading the document takes too long.", "DOCUMENT_TOO_SLOW")
    if was_large or code == -getattr(signal, "SIGKILL", 0):  # the kernel's OOM killer
        return _too_large()
    return Unreadable("The document is damaged: its reader crashed.")


def _too_large() -> Unreadable:
    return Unreadable("Reading the document needs too much memory.", "DOCUMENT_TOO_LARGE")


def _invalid_answer() -> Unreadable:
    return Unreadable("The document is damaged: its reader returned an invalid result.")
