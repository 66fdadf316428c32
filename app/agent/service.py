"""Requests to the agent: begun at most once, run detached, answered from what is stored."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import Any

import structlog

from app.agent.answer import render
from app.agent.calls import InteractCall
from app.agent.claims import Claim, Claims, Kept
from app.agent.context import AgentContext
from app.agent.graph import AgentGraph
from app.agent.live import Event, LiveRun
from app.agent.records import Pass
from app.agent.run import Entry, enter, follow
from app.agent.state import AgentState
from app.agent.status import STARTED, status_event
from app.engines.reasoner import Reasoner
from app.errors import RequestIdReused, TabwrightError, error_of
from app.store.port import Begun, Together
from app.store.reading import read_once

log = structlog.get_logger(__name__)

POLL_S = 0.25  # how often a request looks whether the process that runs it is done
Problem = Callable[[Exception, str], dict[str, Any]]


class InteractService:
    """Runs the interact graph for requests; `problem` renders an error for the stream."""

    def __init__(
        self,
        *,
        graph: AgentGraph,
        together: Together,
        reasoner: Reasoner,
        max_steps: int,
        problem: Problem,
    ) -> None:
        self._graph = graph
        self._claims = Claims(together)
        self._reasoner = reasoner
        self._max_steps = max_steps
        self._problem = problem
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
                begun = await self._claims.begin(call)
        except Exception as error:
            self._live.pop(live_key, None)
            live.failure = error
            await live.emit(self._error_event(error, call.trace_id))
            raise
        except BaseException:
            self._live.pop(live_key, None)
            raise
        job = self._guarded(self._answer(begun, call, live), live, live_key, call.trace_id)
        task = asyncio.create_task(job)
        self._jobs.add(task)
        task.add_done_callback(self._jobs.discard)
        return live

    async def close(self, *, within_s: float = 5.0) -> None:
        """Let what is running come to its end, then cut it off."""
        if self._jobs:
            await asyncio.wait(self._jobs, timeout=within_s)
        for task in tuple(self._jobs):
            task.cancel()

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

    async def _answer(self, begun: Claim | Begun, call: InteractCall, live: LiveRun) -> None:
        """Run what is ours; wait for the process that runs it, and take over when it has died."""
        if isinstance(begun, Begun) and begun.result is None:
            await live.emit(status_event(STARTED))
        while isinstance(begun, Begun):
            if begun.result is not None:
                await self._replay(begun, begun.result, call, live)
                return
            await asyncio.sleep(POLL_S)
            begun = await self._claims.begin(call)
        await self._work(begun, live)

    async def _replay(
        self, begun: Begun, result: dict[str, Any], call: InteractCall, live: LiveRun
    ) -> None:
        """Give the answer that was kept; one that held a secret is made again from the thread."""
        kept = Kept.model_validate(result)
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

    async def _work(self, claim: Claim, live: LiveRun) -> None:
        """Run the graph for a claimed request, store what came of it, and answer."""
        if not live.begun:
            await live.emit(status_event(STARTED))
        renewal = asyncio.create_task(self._claims.keep_alive(claim))
        try:
            with read_once():
                event, failure = await self._run(claim, live)
        except BaseException:
            await self._claims.give_back(claim)
            raise
        finally:
            renewal.cancel()
        live.failure = failure
        await live.emit(event)

    async def _run(self, claim: Claim, live: LiveRun) -> tuple[Event, TabwrightError | None]:
        with live.timed("enter"):
            entry = await enter(self._graph, claim.task_id, claim.call, fresh=claim.fresh)
        context = AgentContext(
            reasoner=self._reasoner,
            page=claim.call.page,
            report=claim.call.report,
            request_id=claim.call.request_id,
            max_steps=self._max_steps,
        )
        with live.timed("graph"):
            state = await follow(
                self._graph, entry, context, lambda node: live.emit(status_event(node))
            )
        event = render(
            state,
            task_id=claim.task_id,
            session_id=claim.session_id,
            server_ms=claim.spent_ms,
        )
        outcome, failure = state["outcome"], None
        kept = _kept(claim, state, event)
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message)
            event = self._error_event(failure, claim.call.trace_id) | {"taskId": claim.task_id}
            kept = Kept(event=event, code=failure.code, detail=failure.detail)
        # An earlier answer that is given again was recorded when it was made.
        mine = state["request_id"] == claim.call.request_id
        with live.timed("record"):
            await self._claims.complete(claim, kept, _pass(claim, entry, state) if mine else None)
        return event, failure


def _pass(claim: Claim, entry: Entry, state: AgentState) -> Pass:
    return Pass(
        call=claim.call,
        state=state,
        task=claim.task,
        task_id=claim.task_id,
        session_id=claim.session_id,
        waiting=None if entry.replay else _open_actions(entry.state),
        server_ms=claim.spent_ms,
        now=datetime.now(UTC),
    )


def _open_actions(state: AgentState | None) -> frozenset[str]:
    """The actions that a thread waits for, or that an earlier look could not judge."""
    chains = (state["chain"], state["judged"]) if state else ()
    return frozenset(planned.action_id for chain in chains if chain for planned in chain.actions)


def _kept(claim: Claim, state: AgentState, event: Event) -> Kept:
    """The answer as it may be stored: what it types as a secret is masked."""
    chain = state["chain"]
    if chain is None or not any(planned.secret for planned in chain.actions):
        return Kept(event=event)
    masked = render(
        state,
        task_id=claim.task_id,
        session_id=claim.session_id,
        server_ms=event["metrics"]["serverMs"],
        redact=True,
    )
    return Kept(event=masked, partial=True)
