"""Requests begun at most once, run in the background, and answered from what is stored."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from typing import Any, Generic, Protocol, TypeVar

import structlog

from app.domain.access import Principal
from app.errors import RequestIdReused, RunLost, ServerStopping, TabwrightError
from app.logs import bind_context
from app.runs.lease import LeaseManager
from app.runs.live import Event, LiveRun
from app.runs.registry import BackgroundRuns, RunRegistry
from app.store.batch import StoreBatch, forget_thread, request_cache
from app.store.people.key_watch import KeyWatch
from app.store.tasks.operations import OperationStart
from app.vitals import working_on

log = structlog.get_logger(__name__)

POLL_S = 0.25  # between two looks whether the process that runs the request is done

Problem = Callable[[Exception, str], dict[str, Any]]
"""Renders an error for a client, given the error and its trace id."""


class Call(Protocol):
    """A validated request. `request_id` is its idempotency key; `body_hash` tells a repeat from another
    request with the same id.
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
    """A request that this process is to run."""

    @property
    def task_id(self) -> str: ...


CallT = TypeVar("CallT", bound=Call)
ClaimedT = TypeVar("ClaimedT", bound=Claimed)


def error_event(problem: Problem, error: Exception, trace_id: str) -> Event:
    """The terminal event of a run that failed."""
    rendered = problem(error, trace_id)
    return {"type": "error", "message": rendered["detail"], "problem": rendered}


class RunService(ABC, Generic[CallT, ClaimedT]):
    """Runs requests of one kind. `kind` names them in log lines."""

    kind: str

    def __init__(self, together: StoreBatch, problem: Problem, keys: KeyWatch | None) -> None:
        self._together = together
        self._problem = problem
        self._leases = LeaseManager(together)
        self._registry = RunRegistry(self._leases, keys)
        self._background = BackgroundRuns()
        self._live: dict[tuple[str, str], LiveRun] = {}

    @property
    def running(self) -> int:
        """How many requests are under way in this process."""
        return len(self._background)

    async def start(self, call: CallT) -> LiveRun:
        """Begin the request, or attach to the run that the same request began. Raises `RequestIdReused`,
        `ServerStopping` and whatever `_begin` raises, before anything has run.
        """
        live_key = (call.principal.tenant, call.request_id)
        if live := self._live.get(live_key):
            if live.body_hash != call.body_hash:
                raise RequestIdReused
            return live
        self._background.require_accepting()
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
            self._background.start(self._supervise(self._serve(begun, call, live), call, live))
        return live

    def stop_accepting(self) -> None:
        """Refuse new requests with `ServerStopping`."""
        self._background.stop_accepting()

    async def close(self, *, within_s: float = 5.0) -> None:
        """Wait for the runs under way, then cancel those that are left."""
        await self._background.drain(within_s)

    @abstractmethod
    async def _begin(self, call: CallT) -> ClaimedT | OperationStart:
        """Claim the request, or say who runs it or what its stored response is."""

    @abstractmethod
    async def _execute(self, claimed: ClaimedT, live: LiveRun) -> None:
        """Run a claimed request to its terminal event. Raises `RunLost` if another run took it over."""

    @abstractmethod
    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: CallT, live: LiveRun
    ) -> None:
        """Emit the stored response of a request that ran before."""

    async def _announce(self, begun: OperationStart, live: LiveRun) -> None:
        """Say that the request runs in another process."""

    def _error_fields(self, call: CallT) -> dict[str, Any]:
        """What the error event of this call holds besides the problem."""
        return {}

    async def _serve(self, begun: ClaimedT | OperationStart, call: CallT, live: LiveRun) -> None:
        """Run what is ours; wait for the process that runs it, and take over if that dies. A run that was
        overtaken waits for the response of the one that overtook it.
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

    async def _supervise(self, job: Coroutine[Any, Any, None], call: CallT, live: LiveRun) -> None:
        """Turn whatever ends the job into a terminal event."""
        tenant, request_id = call.principal.tenant, call.request_id
        bind_context(trace=call.trace_id, tenant=tenant)
        try:
            with working_on(
                self.kind, traceId=call.trace_id, tenantId=tenant, requestId=request_id
            ):
                await job
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
