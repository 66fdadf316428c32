"""What runs for a claimed request: the graph, within what may be spent, until it is stored and answered."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from langgraph.constants import START
from langgraph.types import Command

from app.agent.answers import heard
from app.agent.context import AgentContext, Pictures
from app.agent.downloads import with_downloads
from app.agent.graph import AgentGraph
from app.agent.knowledge_lookup import Knowing
from app.agent.leases import Claim, Claims
from app.agent.persistence.escalation import submission_of
from app.agent.persistence.report import Watch, failing_told, tell
from app.agent.persistence.response import render
from app.agent.persistence.run_record import kept_of, pass_of
from app.agent.persistence.run_result import Pass
from app.agent.persistence.stored_response import Kept
from app.agent.resume import Entry, enter
from app.agent.run_context import Recalling
from app.agent.state import AgentState
from app.agent.status import advice_found, docs_found, started, status_event
from app.agent.updates.budget import spent_with
from app.domain.embedder import Embedder
from app.domain.plan import Outcome
from app.domain.reasoner import Reasoner
from app.errors import RunLost, TabwrightError, Unauthenticated, error_of
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox
from app.observability.port import Observer
from app.review.submission import FiledRecord, RecordFiling, filing_summary
from app.runs.live import Event, LiveRun
from app.runs.registry import Flight, Flights
from app.runs.thread import forget_result
from app.search.port import Search
from app.store.request_cache import forget_thread
from app.usage.allowance import Allowance, use_allowance
from app.usage.meter import Meter, meter_calls
from app.usage.spendings import Spendings

STOPPED = "Stopped: nothing more is done."
LOCKED_OUT = "The key that this was asked with opens no more: nothing more is done."
PAUSED = "Paused: nothing more is done until you hand it back."
Ended = Callable[[str, Mapping[str, Any]], Awaitable[None]]


async def follow(
    graph: AgentGraph, entry: Entry, context: AgentContext, ended: Ended
) -> AgentState:
    """Run until the graph waits or ends; `ended` is told each node and what it changed. The state
    it leaves.

    `durability="exit"`: one checkpoint a request.
    """
    if entry.replay:
        assert entry.state is not None
        return entry.state
    state = dict(entry.state or {}) | _given(entry)
    stream = graph.astream(
        entry.graph_input,
        entry.config,
        context=context,
        stream_mode="updates",
        durability="exit",
    )
    async for chunk in stream:
        for node, patch in cast(Mapping[str, Any], chunk).items():
            if not node.startswith("__"):
                state.update(patch)  # no key has a reducer: the last write is the value
                await ended(node, patch)
    return cast(AgentState, state)


async def halted(
    graph: AgentGraph, entry: Entry, request_id: str, message: str = STOPPED
) -> AgentState:
    """The state to answer with after a run was cut off. The thread keeps where it stood, so that the
    task can go on; one that was cut off before it had written anything is left at its beginning.
    """
    snapshot = await graph.aget_state(entry.config)
    state = cast(dict[str, Any], snapshot.values)
    if not state:
        state = _given(entry)
        await graph.aupdate_state(entry.config, state, as_node=START)
    ended = {"request_id": request_id, "outcome": Outcome(status="interrupted", message=message)}
    return cast(AgentState, state | ended)


def _given(entry: Entry) -> dict[str, Any]:
    """What the input itself writes."""
    given = entry.graph_input
    if isinstance(given, Command):
        return dict(given.update or {})
    return dict(given or {})


Problem = Callable[[Exception, str], dict[str, Any]]
"""How an error is told to a client: of the error and the trace it belongs to."""


def error_event(problem: Problem, error: Exception, trace_id: str) -> Event:
    """The event that a run ends with when it failed."""
    told = problem(error, trace_id)
    return {"type": "error", "message": told["detail"], "problem": told}


@dataclass(frozen=True, slots=True, kw_only=True)
class Working:
    """Works on claimed requests, many at once. `spendings` is None where no model is paid for."""

    graph: AgentGraph
    claims: Claims
    reasoner: Reasoner
    max_steps: int
    problem: Problem
    search: Search | None
    modelled: bool
    embedder: Embedder | None
    knowing: Knowing
    recalling: Recalling
    inbox: Inbox
    bells: TaskEvents
    observer: Observer
    flights: Flights
    spendings: Spendings | None
    pictures: Pictures
    filing: RecordFiling

    async def work(self, claim: Claim, live: LiveRun) -> None:
        """Run the graph for it, store what came of it, and answer. An error gives the claim back."""
        await self.claims.taken_back(claim)
        if not live.begun:
            await live.emit(started(claim.task_id))
        flight = self.flights.begin(claim.call.principal, claim.task_id)
        if claim.held.stopped:
            flight.stop()
        renewal = asyncio.create_task(
            self.claims.ownership.keep_alive(
                claim.held, claim.call.principal, lost=flight.stop, locked_out=flight.lock_out
            )
        )
        try:
            allowance = await self._allowance(claim)
            with (
                meter_calls(claim.spender) as meter,
                use_allowance(allowance),
                failing_told(self.observer, claim, meter) as watch,
            ):
                event, failure = await self._run(claim, live, meter, flight, allowance, watch)
            if flight.locked_out and failure is None:  # nothing is told to a key that opens no more
                failure = Unauthenticated(LOCKED_OUT)
                event = self._failed(claim, failure)
        except RunLost:
            raise  # there is nothing to give back
        except BaseException:
            await self.claims.ownership.give_back(claim.held)
            raise
        finally:
            renewal.cancel()
            self.flights.end(flight)
        live.failure = failure
        await live.emit(event)
        self.bells.publish(claim.call.principal.tenant, claim.task_id)

    async def _allowance(self, claim: Claim) -> Allowance | None:
        """What the request may spend; None where there is no model."""
        if self.spendings is None or claim.budgets is None:
            return None
        return await self.spendings.allowance(
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
                self.graph,
                claim,
                lambda: self.recalling.opening(claim),
                partial(heard, self.inbox, claim),
            )
            entry = await self.recalling.on_site(entry, claim)
            entry = await with_downloads(entry, claim, self.knowing)
        meter.set_chain(entry.trace_id or claim.call.trace_id)
        if found := docs_found(entry, claim.call.page.url):
            await live.emit(found)
        if heard_of := advice_found(entry):
            await live.emit(heard_of)
        watch.set_out()

        async def told(node: str, patch: Mapping[str, Any]) -> None:
            watch.ended(node, patch)
            await live.emit(status_event(node, patch))

        try:
            with live.timed("graph"):
                context = self._context(claim, allowance)
                state = await flight.over(follow(self.graph, entry, context, told))
            if state is not None:
                return await self._ended(claim, entry, state, meter, allowance, watch, live)
        except RunLost:
            forget_thread()
        else:
            await forget_result(self.graph, entry.config)
        why, paused = await self._cut_off(claim, flight)
        state = await halted(self.graph, entry, claim.call.request_id, why)
        return await self._ended(claim, entry, state, meter, allowance, watch, live, paused=paused)

    async def _cut_off(self, claim: Claim, flight: Flight) -> tuple[str, bool]:
        """Why the run was cut off, and whether by a pause; raises `RunLost` where another has it."""
        if claim.held.stopped:
            return STOPPED, False
        if flight.locked_out:
            return LOCKED_OUT, False
        paused = await self.claims.ownership.inherit(claim.held)
        return (PAUSED if paused else STOPPED), paused

    async def _ended(
        self,
        claim: Claim,
        entry: Entry,
        state: AgentState,
        meter: Meter,
        allowance: Allowance | None,
        watch: Watch,
        live: LiveRun,
        *,
        paused: bool = False,
    ) -> tuple[Event, TabwrightError | None]:
        """The terminal event, once all of it is kept. Raises `RunLost`, with nothing kept."""
        spent = spent_with(meter.spent, state, allowance)
        # An earlier answer that is given again was recorded when it was made.
        mine = state["request_id"] == claim.call.request_id
        done = pass_of(claim, entry, state, meter, self.embedder) if mine else None
        done = replace(done, paused=paused) if done else None
        filed = await self._filed(claim, done)
        event = render(
            state,
            task_id=claim.task_id,
            session_id=claim.session_id,
            server_ms=claim.spent_ms,
            spent=spent,
        ) | ({"paused": True} if paused else {})
        event |= filing_summary(filed)
        outcome, failure = state["outcome"], None
        kept = kept_of(claim, state, event, spent)
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message, hand_over=outcome.hand_over)
            event = self._failed(claim, failure)
            kept = Kept.of_failure(event, failure)
        with live.timed("record"):
            await self.claims.complete(claim, kept, done, left=filed.left if filed else None)
        if done is not None:
            tell(self.observer, done, watch, event)
        return event, failure

    async def _filed(self, claim: Claim, done: Pass | None) -> FiledRecord | None:
        """What came of filing the task for review, which is done for a run that still owns it."""
        submission = submission_of(done) if done is not None else None
        if submission is not None:
            await self.claims.ownership.confirm(claim.held)
        return await self.filing.file(submission)

    def _failed(self, claim: Claim, failure: TabwrightError) -> Event:
        event = error_event(self.problem, failure, claim.call.trace_id)
        return event | {"taskId": claim.task_id}

    def _context(self, claim: Claim, allowance: Allowance | None) -> AgentContext:
        call = claim.call
        return AgentContext(
            reasoner=self.reasoner,
            page=self.pictures.recalled(call.principal.tenant, claim.task_id, call.page),
            report=claim.call.report,
            request_id=claim.call.request_id,
            max_steps=self.max_steps,
            search=self.search,
            knowing=self.knowing,
            modelled=self.modelled,
            task_id=claim.task_id,
            policy=claim.policy,
            asking=self.inbox.under(claim.held.lease),
            hand_back=claim.call.hand_back,
            who=call.principal,
            allowance=allowance,
        )
