"""Runs each request at most once, in the background, and answers it from the store."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any, Generic, Protocol, TypeVar

import structlog

from app.domain.access import Principal
from app.domain.metrics.usage import Budgets
from app.errors import RequestIdReused, RunLost, ServerStopping, TabwrightError
from app.logs import bind_context
from app.runs.lease import LeaseManager, RunRegistry
from app.store.batch import StoreBatch, forget_thread, request_cache
from app.store.people.keys import KeyWatch
from app.store.tasks.operations import OperationStart
from app.usage import Allowance, Spendings
from app.vitals import working_on

log = structlog.get_logger(__name__)

POLL_S = 0.25  # while another process runs the request
RELEASE_S = 3.0  # for cancelled runs to release their claims


Event = dict[str, Any]
TERMINAL = frozenset({"action", "interrupt", "done", "error", "response"})


class LiveRun:
    """The events of one request, all kept for late listeners; of a draft only the current version."""

    def __init__(self, body_hash: str) -> None:
        self.body_hash = body_hash
        self._events: dict[int, Event] = {}  # by number, from 1
        self._last = 0
        self._drafts: dict[int, int] = {}  # event numbers by draft number
        self._changed = asyncio.Condition()
        self._ended = asyncio.Event()
        self.failure: Exception | None = None
        self.timings: dict[str, float] = {}  # ms by part, for `Server-Timing`

    @property
    def has_events(self) -> bool:
        return bool(self._events)

    @contextmanager
    def timed(self, part: str) -> Iterator[None]:
        """Add the block's duration to the part's."""
        started = perf_counter()
        try:
            yield
        finally:
            spent = (perf_counter() - started) * 1000
            self.timings[part] = self.timings.get(part, 0.0) + spent

    async def emit(self, event: Event, *, draft: int | None = None) -> None:
        """Add an event and wake the listeners. An event of a `draft` replaces the earlier one of that number;
        0 replaces all of them.
        """
        async with self._changed:
            self._last += 1
            if draft is not None:
                for one in list(self._drafts) if draft == 0 else [draft]:
                    self._events.pop(self._drafts.pop(one, 0), None)
                self._drafts[draft] = self._last
            self._events[self._last] = event
            self._changed.notify_all()
        if event["type"] in TERMINAL:
            self._ended.set()

    async def events(self) -> AsyncIterator[Event]:
        """Every event from the first, until the terminal one."""
        seen = 0
        while True:
            async with self._changed:
                while seen >= self._last:
                    await self._changed.wait()
                fresh = [event for at, event in self._events.items() if at > seen]
                seen = self._last
            for event in fresh:
                yield event
                if event["type"] in TERMINAL:
                    return

    async def wait_for_result(self) -> Event:
        """Wait for the terminal event; raises the error that the run ended with."""
        await self._ended.wait()
        if self.failure is not None:
            raise self.failure
        return next(event for event in self._events.values() if event["type"] in TERMINAL)


Problem = Callable[[Exception, str], dict[str, Any]]
"""Renders an error for a client, given the error and its trace id."""


class Call(Protocol):
    """A validated request. `request_id` is its idempotency key; `body_hash` distinguishes a repeat from
    another request with the same id.
    """

    @property
    def principal(self) -> Principal: ...

    @property
    def request_id(self) -> str: ...

    @property
    def body_hash(self) -> str: ...

    @property
    def trace_id(self) -> str: ...


class Claimed(Protocol):
    """A request that this process runs."""

    @property
    def task_id(self) -> str: ...


CallT = TypeVar("CallT", bound=Call)
ClaimedT = TypeVar("ClaimedT", bound=Claimed)


def error_event(problem: Problem, error: Exception, trace_id: str) -> Event:
    """The terminal event of a run that failed."""
    rendered = problem(error, trace_id)
    return {"type": "error", "message": rendered["detail"], "problem": rendered}


class RunService(ABC, Generic[CallT, ClaimedT]):
    """Runs requests of one kind; `kind` is its name in log lines."""

    kind: str

    def __init__(
        self,
        together: StoreBatch,
        problem: Problem,
        keys: KeyWatch | None,
        spendings: Spendings | None,
    ) -> None:
        """`spendings` is None without a paid model."""
        self._together = together
        self._problem = problem
        self._spendings = spendings
        self._leases = LeaseManager(together)
        self._registry = RunRegistry(self._leases, keys)
        self._jobs: set[asyncio.Task[None]] = set()
        self._is_stopping = False
        self._live: dict[tuple[str, str], LiveRun] = {}

    @property
    def running(self) -> int:
        """The number of requests that this process runs."""
        return len(self._jobs)

    async def start(self, call: CallT) -> LiveRun:
        """Begin the request, or attach to the run that the same request began.

        Raises `RequestIdReused`, `ServerStopping` and the errors of `_begin` before anything runs.
        """
        live_key = (call.principal.tenant, call.request_id)
        if live := self._live.get(live_key):
            if live.body_hash != call.body_hash:
                raise RequestIdReused
            return live
        if self._is_stopping:
            raise ServerStopping
        live = self._live[live_key] = LiveRun(call.body_hash)
        with request_cache():  # the job inherits it
            try:
                with live.timed("begin"):
                    begun = await self._begin(call)
                bind_context(task=begun.task_id)  # the job inherits it
            except BaseException as error:
                self._live.pop(live_key, None)
                if isinstance(error, Exception):
                    await self._fail(live, call, error)
                raise
            job = asyncio.create_task(self._supervise(begun, call, live))
            self._jobs.add(job)
            job.add_done_callback(self._jobs.discard)
        return live

    def stop_accepting(self) -> None:
        """Refuse new requests with `ServerStopping`."""
        self._is_stopping = True

    async def close(self, *, within_s: float = 5.0) -> None:
        """Wait for running requests, then cancel the rest.

        These release their claims; a repeated request continues from the stored thread.
        """
        self.stop_accepting()
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=within_s)
        if left := tuple(self._jobs):
            for job in left:
                job.cancel()
            await asyncio.wait(left, timeout=RELEASE_S)

    @abstractmethod
    async def _begin(self, call: CallT) -> ClaimedT | OperationStart:
        """Claim the request, or return the operation that runs it or holds its response."""

    @abstractmethod
    async def _execute(self, claimed: ClaimedT, live: LiveRun) -> None:
        """Run a claimed request to its terminal event. Raises `RunLost` if another run took over."""

    @abstractmethod
    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: CallT, live: LiveRun
    ) -> None:
        """Emit the stored response of a request that ran before."""

    async def _announce(self, begun: OperationStart, live: LiveRun) -> None:
        """Emit an event if the request runs in another process."""

    def _error_fields(self, call: CallT) -> dict[str, Any]:
        """Further fields of the call's error event."""
        return {}

    async def _allowance(
        self, budgets: Budgets | None, who: Principal, task_id: str, *, begins: bool
    ) -> Allowance | None:
        """What the request may spend; None without a paid model."""
        if self._spendings is None or budgets is None:
            return None
        return await self._spendings.allowance(
            budgets, user=who.user, task_id=task_id, begins=begins
        )

    async def _serve(self, begun: ClaimedT | OperationStart, call: CallT, live: LiveRun) -> None:
        """Run the request, or wait for the process that does, and take over if that dies.

        A run that lost its lease waits for the response of the run that took over.
        """
        if isinstance(begun, OperationStart) and begun.result is None:
            await self._announce(begun, live)
        while True:
            while isinstance(begun, OperationStart):
                if begun.result is not None:
                    await self._replay(begun, begun.result, call, live)
                    return
                await asyncio.sleep(POLL_S)
                begun = await self._begin(call)
            try:
                await self._execute(begun, live)
            except RunLost:
                forget_thread()
                begun = await self._begin(call)
            else:
                return

    async def _supervise(
        self, begun: ClaimedT | OperationStart, call: CallT, live: LiveRun
    ) -> None:
        """Serve the request; errors become its terminal event."""
        tenant, request_id = call.principal.tenant, call.request_id
        bind_context(trace=call.trace_id, tenant=tenant)
        try:
            with working_on(
                self.kind, traceId=call.trace_id, tenantId=tenant, requestId=request_id
            ):
                await self._serve(begun, call, live)
        except asyncio.CancelledError:
            await self._fail(live, call, ServerStopping())
            raise
        except Exception as error:
            if not isinstance(error, TabwrightError):
                log.exception("run failed", kind=self.kind)
            await self._fail(live, call, error)
        finally:
            self._live.pop((tenant, request_id), None)

    async def _fail(self, live: LiveRun, call: CallT, error: Exception) -> None:
        live.failure = error
        event = error_event(self._problem, error, call.trace_id)
        await live.emit(event | self._error_fields(call))
