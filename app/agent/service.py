"""Requests to the agent: begun at most once, run detached, answered from what is stored."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, cast

import structlog
from langgraph.types import StateSnapshot

from app.agent.admission import RUNNING_TASKS
from app.agent.answer import question_view, render
from app.agent.calls import InteractCall
from app.agent.claims import Claim, Claims
from app.agent.context import AgentContext
from app.agent.entering import enter, standing
from app.agent.flights import Flight, Flights
from app.agent.graph import AgentGraph
from app.agent.hearing import heard
from app.agent.keeping import kept_of, pass_of
from app.agent.kept import Kept
from app.agent.knowing import Documents, Knowing
from app.agent.live import Event, LiveRun
from app.agent.pictures import Pictures
from app.agent.recalling import Recalling
from app.agent.reporting import Watch, failing_told, tell
from app.agent.run import LOCKED_OUT, PAUSED, STOPPED, follow, halted
from app.agent.spending import spent_with
from app.agent.state import AgentState
from app.agent.status import docs_found, started
from app.agent.stopping import Stopping, asked_on
from app.domain.task import Principal
from app.engines.grounding.port import Embedder
from app.engines.reasoner import Reasoner
from app.errors import NotFound, RequestIdReused, TabwrightError, Unauthenticated, error_of
from app.hitl.events import Bells
from app.hitl.inbox import Inbox
from app.logs import about
from app.observability.port import Observer, Observers
from app.search.port import Search
from app.store.port import Begun, Together
from app.store.reading import read_once
from app.usage.allowance import Allowance, allowed
from app.usage.meter import Meter, metered
from app.usage.spendings import Spendings

log = structlog.get_logger(__name__)

POLL_S = 0.25  # how often a request looks whether the process that runs it is done
Problem = Callable[[Exception, str], dict[str, Any]]


class InteractService:
    """Runs the interact graph for requests; `problem` renders an error for the stream.

    `modelled`: the reasoner has a model, which is told of the conversation and criticises choices.
    """

    def __init__(
        self,
        *,
        graph: AgentGraph,
        together: Together,
        reasoner: Reasoner,
        max_steps: int,
        problem: Problem,
        search: Search | None = None,
        modelled: bool = False,
        embedder: Embedder | None = None,
        bells: Bells | None = None,
        observer: Observer | None = None,
        running_tasks: int = RUNNING_TASKS,
        spendings: Spendings | None = None,
        documents: Documents | None = None,
    ) -> None:
        self._graph = graph
        self._spendings = spendings if modelled else None
        self._claims = Claims(
            together, running_tasks=running_tasks, modelled=self._spendings is not None
        )
        self._reasoner = reasoner
        self._max_steps = max_steps
        self._problem = problem
        self._search = search
        self._modelled = modelled
        self._embedder = embedder
        self._knowing = Knowing(documents)
        self._recalling = Recalling(
            together, reasoner, embedder=embedder, converses=modelled, knowing=self._knowing
        )
        self._inbox = Inbox(together)
        self._bells = bells or Bells()
        self._observer: Observer = observer or Observers()
        self._stopping = Stopping(graph, self._inbox, self.start)
        self._flights = Flights()
        self._live: dict[tuple[str, str], LiveRun] = {}
        self._pictures = Pictures()
        self._jobs: set[asyncio.Task[None]] = set()

    @property
    def running(self) -> int:
        """How many requests are worked on."""
        return len(self._jobs)

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
        with read_once():  # for the job too, which is made within
            try:
                with live.timed("begin"):
                    begun = await self._begin(call)
                about(task=begun.task_id)  # here, and in the job that is started from here
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

    async def _begin(self, call: InteractCall) -> Claim | Begun:
        """The claim. A task without a row has its thread to prove whose it is; else `NotFound`."""
        begun = await self._claims.begin(call)
        if isinstance(begun, Begun) or begun.task is not None or call.task_id is None:
            return begun
        try:
            snapshot = await standing(self._graph, call.task_id)
            state = _owned(snapshot, call.principal, call.task_id)
        except TabwrightError:
            await self._claims.give_back(begun)
            raise
        session_id = call.session_id or state["session_id"]
        return replace(begun, session_id=session_id, standing=snapshot)

    async def provisional(self, who: Principal, task_id: str) -> AgentState:
        """The thread of a task that may have no row yet; `NotFound` for one that is not seen."""
        return _owned(await standing(self._graph, task_id), who, task_id)

    async def pending(self, tenant: str, task_id: str) -> dict[str, Any] | None:
        """The question that the task waits with, as its event; None when there is none that can still
        be answered.
        """
        question = asked_on(await standing(self._graph, task_id), tenant)
        row = await self._inbox.find(tenant, question.hitl_id) if question is not None else None
        if row is not None and row.status_at(datetime.now(UTC)) != "pending":
            return None
        return question_view(question)

    async def cancel(self, who: Principal, task_id: str) -> bool:
        """Cut off the run that works on the task, here or elsewhere, and end its wait for a person:
        what was asked about is not done. Whether there was either.
        """
        cut = await self._flights.stop(who.tenant, task_id)
        cut = cut or await self._claims.stop(who.tenant, task_id)
        return await self._stopping.end_wait(who, task_id) or cut

    async def pause(self, tenant: str, task_id: str) -> bool:
        """Have the person hold the task, and cut off the run that works on it, here or elsewhere;
        whether there was one.
        """
        elsewhere = await self._claims.pause(tenant, task_id)
        return await self._flights.stop(tenant, task_id) or elsewhere

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
        about(trace=trace_id, tenant=key[0])
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
            await live.emit(started(begun.task_id))
        while isinstance(begun, Begun):
            if begun.result is not None:
                await self._replay(begun, begun.result, call, live)
                return
            await asyncio.sleep(POLL_S)
            begun = await self._begin(call)
        await self._work(begun, live)

    async def _replay(
        self, begun: Begun, result: dict[str, Any], call: InteractCall, live: LiveRun
    ) -> None:
        """Give the answer that was kept; one that held a secret is made again from the thread."""
        kept = Kept.model_validate(result)
        event = kept.event
        if kept.partial:
            snapshot = await standing(self._graph, begun.task_id)
            state = cast(AgentState, snapshot.values)
            if state and state["request_id"] == call.request_id:
                event = render(
                    state,
                    task_id=begun.task_id,
                    session_id=event["sessionId"],
                    server_ms=event["metrics"]["serverMs"],
                ) | {"usage": event["usage"]}
        live.failure = kept.failure
        await live.emit(event)

    async def _work(self, claim: Claim, live: LiveRun) -> None:
        """Run the graph for a claimed request, store what came of it, and answer."""
        await self._claims.taken_back(claim)
        if not live.begun:
            await live.emit(started(claim.task_id))
        flight = self._flights.begin(claim.call.principal.tenant, claim.task_id)
        renewal = asyncio.create_task(
            self._claims.keep_alive(claim, lost=flight.stop, locked_out=flight.lock_out)
        )
        try:
            allowance = await self._allowance(claim)
            with (
                metered(claim.spender) as meter,
                allowed(allowance),
                failing_told(self._observer, claim, meter) as watch,
            ):
                event, failure = await self._run(claim, live, meter, flight, allowance, watch)
        except BaseException:
            await self._claims.give_back(claim)
            raise
        finally:
            renewal.cancel()
            self._flights.end(flight)
        live.failure = failure
        await live.emit(event)
        self._bells.ring(claim.call.principal.tenant, claim.task_id)

    async def _allowance(self, claim: Claim) -> Allowance | None:
        """What the request may spend; None where there is no model."""
        if self._spendings is None or claim.budgets is None:
            return None
        return await self._spendings.allowance(
            claim.budgets,
            user=claim.call.principal.user,
            task_id=claim.task_id,
            begins=claim.call.query is not None,
        )

    async def _run(
        self,
        claim: Claim,
        live: LiveRun,
        meter: Meter,
        flight: Flight,
        allowance: Allowance | None,
        watch: Watch,
    ) -> tuple[Event, TabwrightError | None]:
        with live.timed("enter"):
            entry = await enter(
                self._graph,
                claim,
                lambda: self._recalling.opening(claim),
                partial(heard, self._inbox, claim),
            )
            entry = await self._recalling.on_site(entry, claim)
        meter.for_chain(entry.trace_id or claim.call.trace_id)
        if found := docs_found(entry, claim.call.page.url):
            await live.emit(found)
        with live.timed("graph"):
            watch.set_out()

            async def told(node: str, patch: Mapping[str, Any]) -> None:
                watch.ended(node, patch)
                await live.told(node, patch)

            state = await flight.over(
                follow(self._graph, entry, self._context(claim, allowance), told)
            )
            paused = state is None and await self._claims.is_paused(claim)
            if state is None:
                why = LOCKED_OUT if flight.locked_out else PAUSED if paused else STOPPED
                state = await halted(self._graph, entry, claim.call.request_id, why)
        spent = spent_with(meter.spent, state, allowance)
        event = render(
            state,
            task_id=claim.task_id,
            session_id=claim.session_id,
            server_ms=claim.spent_ms,
            spent=spent,
        ) | ({"paused": True} if paused else {})
        outcome, failure = state["outcome"], None
        kept = kept_of(claim, state, event, spent)
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message, hand_over=outcome.hand_over)
            event = self._error_event(failure, claim.call.trace_id) | {"taskId": claim.task_id}
            kept = Kept.of_failure(event, failure)
        # An earlier answer that is given again was recorded when it was made.
        mine = state["request_id"] == claim.call.request_id
        with live.timed("record"):
            done = pass_of(claim, entry, state, meter, self._embedder) if mine else None
            done = replace(done, paused=paused) if done else None
            await self._claims.complete(claim, kept, done)
        if done is not None:
            tell(self._observer, done, watch, event)
        if flight.locked_out and failure is None:  # nothing is told to a key that opens no more
            failure = Unauthenticated(LOCKED_OUT)
            event = self._error_event(failure, claim.call.trace_id) | {"taskId": claim.task_id}
        return event, failure

    def _context(self, claim: Claim, allowance: Allowance | None) -> AgentContext:
        call = claim.call
        return AgentContext(
            reasoner=self._reasoner,
            page=self._pictures.recalled(call.principal.tenant, claim.task_id, call.page),
            report=claim.call.report,
            request_id=claim.call.request_id,
            max_steps=self._max_steps,
            search=self._search,
            knowing=self._knowing,
            modelled=self._modelled,
            task_id=claim.task_id,
            policy=claim.policy,
            asking=self._inbox,
            hand_back=claim.call.hand_back,
            who=call.principal,
            allowance=allowance,
        )


def _owned(snapshot: StateSnapshot, who: Principal, task_id: str) -> AgentState:
    state = cast(AgentState, snapshot.values)
    if not state or state["tenant"] != who.tenant or not who.sees(state["user"]):
        raise NotFound(f"There is no task {task_id}")
    return state
