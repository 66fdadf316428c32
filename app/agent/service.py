"""Requests to the agent: begun at most once, run detached, answered from what is stored."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter
from typing import Any
from uuid import uuid4

import structlog

from app.agent.answer import render
from app.agent.calls import InteractCall
from app.agent.context import AgentContext
from app.agent.graph import AgentGraph
from app.agent.live import Event, LiveRun
from app.agent.records import Pass, record
from app.agent.run import Entry, enter, follow
from app.agent.state import AgentState
from app.agent.status import STARTED, status_event
from app.domain.base import Value
from app.domain.task import ENDED, Task
from app.engines.reasoner import Reasoner
from app.errors import (
    NotFound,
    RequestIdReused,
    TabwrightError,
    TaskBusy,
    TaskEnded,
    error_of,
)
from app.store.port import Begun, Store
from app.store.reading import read_once

log = structlog.get_logger(__name__)

CLAIM_TTL_S = 6.0  # a dead process's claim is free after this; a live one renews it thrice in it
RENEW_S = 2.0
POLL_S = 0.25  # how often a request looks whether the process that runs it is done
Problem = Callable[[Exception, str], dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a request holds while it works. `fresh`: its thread cannot exist yet."""

    call: InteractCall
    key: str
    task_id: str
    session_id: str
    task: Task | None
    fresh: bool
    started: float


class Kept(Value):
    """An answer as it is kept. `partial`: a secret was left out of the event."""

    event: dict[str, Any]
    partial: bool = False
    code: str | None = None
    detail: str = ""


class InteractService:
    """Runs the interact graph for requests; `problem` renders an error for the stream."""

    def __init__(
        self,
        *,
        graph: AgentGraph,
        store: Store,
        reasoner: Reasoner,
        max_steps: int,
        problem: Problem,
    ) -> None:
        self._graph = graph
        self._store = store
        self._reasoner = reasoner
        self._max_steps = max_steps
        self._problem = problem
        self._owner = uuid4().hex
        self._live: dict[tuple[str, str], LiveRun] = {}
        self._jobs: set[asyncio.Task[None]] = set()

    async def start(self, call: InteractCall) -> LiveRun:
        """Begin the request, or attach to the run that the same request began.

        Raises `NotFound`, `TaskEnded`, `TaskBusy` or `RequestIdReused` before anything has run.
        """
        live_key = (call.principal.tenant, call.request_id)
        if live := self._live.get(live_key):
            if live.body_hash != call.body_hash:
                raise RequestIdReused
            return live
        live = self._live[live_key] = LiveRun(call.body_hash)
        try:
            with live.timed("begin"):
                claim = await self._begin(call, live)
        except Exception as error:
            self._live.pop(live_key, None)
            live.failure = error
            await live.emit(self._error_event(error, call.trace_id))
            raise
        job = self._work(claim, live) if claim else self._attend(call, live)
        task = asyncio.create_task(self._guarded(job, live, live_key, call.trace_id))
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return live

    async def close(self, *, within_s: float = 5.0) -> None:
        """Let what is running come to its end, then cut it off."""
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=within_s)
        for task in tuple(self._jobs):
            task.cancel()

    async def _begin(self, call: InteractCall, live: LiveRun) -> Claim | None:
        """Claim the request and its task. None: another process runs it, or `live` has the answer."""
        started, tenant = perf_counter(), call.principal.tenant
        key, proposed = f"request:{call.request_id}", call.task_id or str(uuid4())
        begun, task, leased = await asyncio.gather(
            self._claim(call, key, proposed), self._task(call), self._leased(call, call.task_id)
        )
        if begun.result is not None:
            await self._replay(begun, call, live)
        if begun.state == "done":
            await self._unlease(call, leased)
        if begun.state != "new":
            return None
        try:
            _refuse(call, task)
            if not (leased or await self._leased(call, begun.task_id)):
                raise TaskBusy
        except BaseException:
            await self._store.operations.abandon(tenant, key)
            await self._unlease(call, leased)
            raise
        session = call.session_id or (task.session_id if task else str(uuid4()))
        return Claim(
            call=call,
            key=key,
            task_id=begun.task_id,
            session_id=session,
            task=task,
            fresh=call.task_id is None and begun.task_id == proposed,
            started=started,
        )

    async def _claim(self, call: InteractCall, key: str, task_id: str) -> Begun:
        return await self._store.operations.begin(
            call.principal.tenant,
            key,
            fingerprint=call.body_hash,
            task_id=task_id,
            owner=self._owner,
            ttl_s=CLAIM_TTL_S,
        )

    async def _task(self, call: InteractCall) -> Task | None:
        if call.task_id is None:
            return None
        return await self._store.tasks.find(call.principal.tenant, call.task_id)

    async def _leased(self, call: InteractCall, task_id: str | None) -> bool:
        """Owned by the request and not the process, so that whoever takes it over has the lease."""
        return task_id is not None and await self._store.leases.acquire(
            call.principal.tenant, task_id, owner=call.request_id, ttl_s=CLAIM_TTL_S
        )

    async def _unlease(self, call: InteractCall, leased: bool) -> None:
        if leased and call.task_id:
            await self._store.leases.release(
                call.principal.tenant, call.task_id, owner=call.request_id
            )

    async def _attend(self, call: InteractCall, live: LiveRun) -> None:
        """Wait for the process that runs this request; take over when it has died."""
        if live.terminal:
            return
        await live.emit(status_event(STARTED))
        while True:
            await asyncio.sleep(POLL_S)
            claim = await self._begin(call, live)
            if live.terminal:
                return
            if claim:
                await self._work(claim, live, announced=True)
                return

    async def _replay(self, begun: Begun, call: InteractCall, live: LiveRun) -> None:
        """Give the answer that was kept; one that held a secret is made again from the thread."""
        assert begun.result is not None
        kept = Kept.model_validate(begun.result)
        event = kept.event
        if kept.partial:
            entry = await enter(self._graph, begun.task_id, call, fresh=False)
            if entry.replay and entry.state:
                event = render(
                    entry.state,
                    task_id=begun.task_id,
                    session_id=event["sessionId"],
                    server_ms=event["metrics"]["serverMs"],
                )
        live.failure = error_of(kept.code, kept.detail) if kept.code else None
        await live.emit(event)

    async def _guarded(
        self,
        job: Coroutine[Any, Any, None],
        live: LiveRun,
        key: tuple[str, str],
        trace_id: str,
    ) -> None:
        """Turn whatever a run ends with into its terminal event."""
        structlog.contextvars.bind_contextvars(traceId=trace_id)
        try:
            await job
        except Exception as error:
            if not isinstance(error, TabwrightError):
                log.exception("run failed")
            live.failure = error
            await live.emit(self._error_event(error, trace_id))
        finally:
            self._live.pop(key, None)

    def _error_event(self, error: Exception, trace_id: str) -> Event:
        problem = self._problem(error, trace_id)
        return {"type": "error", "message": problem["detail"], "problem": problem}

    async def _work(self, claim: Claim, live: LiveRun, *, announced: bool = False) -> None:
        """Run the graph for a claimed request, store what came of it, and answer."""
        if not announced:
            await live.emit(status_event(STARTED))
        renewal = asyncio.create_task(self._renew(claim))
        try:
            with read_once():
                event, failure = await self._run(claim, live)
        except BaseException:
            await self._give_back(claim)
            raise
        finally:
            renewal.cancel()
        live.failure = failure
        await live.emit(event)

    async def _run(self, claim: Claim, live: LiveRun) -> tuple[Event, TabwrightError | None]:
        call = claim.call
        with live.timed("enter"):
            entry = await enter(self._graph, claim.task_id, call, fresh=claim.fresh)
        context = AgentContext(
            reasoner=self._reasoner,
            page=call.page,
            report=call.report,
            request_id=call.request_id,
            max_steps=self._max_steps,
        )
        with live.timed("graph"):
            state, recorded = await self._follow(claim, entry, context, live)
        spent = _since(claim)
        event = render(state, task_id=claim.task_id, session_id=claim.session_id, server_ms=spent)
        failure = None
        outcome = state["outcome"]
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message)
            event = self._error_event(failure, call.trace_id) | {"taskId": claim.task_id}
        with live.timed("record"):
            await recorded
        with live.timed("complete"):
            await self._complete(claim, state, event, failure)
        return event, failure

    async def _follow(
        self, claim: Claim, entry: Entry, context: AgentContext, live: LiveRun
    ) -> tuple[AgentState, asyncio.Future[list[None]]]:
        """Run the graph; its rows are written while LangGraph writes the checkpoint."""
        jobs: list[asyncio.Future[None]] = []

        def known(state: AgentState) -> None:
            if state["request_id"] != claim.call.request_id:
                return  # an earlier answer given again: it was recorded then
            done = Pass(
                call=claim.call,
                state=AgentState(**state),
                task=claim.task,
                task_id=claim.task_id,
                session_id=claim.session_id,
                previous=entry.state["chain"] if entry.state and not entry.replay else None,
                server_ms=_since(claim),
                now=datetime.now(UTC),
            )
            jobs.append(asyncio.ensure_future(record(self._store, done)))

        try:
            state = await follow(
                self._graph, entry, context, lambda node: live.emit(status_event(node)), known
            )
        except BaseException:
            await asyncio.gather(*jobs, return_exceptions=True)
            raise
        return state, asyncio.gather(*jobs)

    async def _complete(
        self, claim: Claim, state: AgentState, event: Event, failure: TabwrightError | None
    ) -> None:
        """Keep the answer for a repeat of the request, and let go of the task."""
        tenant = claim.call.principal.tenant
        secret = state["chain"] is not None and any(a.secret for a in state["chain"].actions)
        if secret:
            event = render(state, task_id=claim.task_id, session_id=claim.session_id,
                           server_ms=event["metrics"]["serverMs"], redact=True)  # fmt: skip
        kept = Kept(
            event=event,
            partial=secret,
            code=failure.code if failure else None,
            detail=failure.detail if failure else "",
        )
        await asyncio.gather(
            self._store.operations.complete(tenant, claim.key, kept.model_dump()),
            self._store.leases.release(tenant, claim.task_id, owner=claim.call.request_id),
        )

    async def _give_back(self, claim: Claim) -> None:
        """After a failure of ours: a repeat of the request may run anew."""
        tenant = claim.call.principal.tenant
        results = await asyncio.gather(
            self._store.operations.abandon(tenant, claim.key),
            self._store.leases.release(tenant, claim.task_id, owner=claim.call.request_id),
            return_exceptions=True,
        )
        for result in results:
            if isinstance(result, BaseException):
                log.warning("claim not given back", error=str(result), taskId=claim.task_id)

    async def _renew(self, claim: Claim) -> None:
        while True:
            await asyncio.sleep(RENEW_S)
            try:
                await self._store.operations.renew(
                    claim.call.principal.tenant, claim.key, owner=self._owner, ttl_s=CLAIM_TTL_S
                )
                await self._leased(claim.call, claim.task_id)
            except TabwrightError as error:
                log.warning("claim not renewed", error=error.detail, taskId=claim.task_id)


def _since(claim: Claim) -> float:
    return (perf_counter() - claim.started) * 1000


def _refuse(call: InteractCall, task: Task | None) -> None:
    if call.task_id is not None and task is None:
        raise NotFound(f"There is no task {call.task_id}")
    if task is not None and task.status in ENDED:
        raise TaskEnded(f"The task is {task.status}: {task.result or ''}".rstrip(": "))
