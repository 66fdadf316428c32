"""What runs for a claimed request: the graph, within what may be spent, until it is stored and answered."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from langgraph.constants import START
from langgraph.types import Command

from app.agent.answers import resolve_answer
from app.agent.context import AgentContext, ScreenshotCache
from app.agent.downloads import with_downloads
from app.agent.graph import AgentGraph
from app.agent.knowledge_lookup import KnowledgeLookup
from app.agent.leases import RequestLease, RequestLeases
from app.agent.persistence.escalation import review_submission
from app.agent.persistence.report import RunTrace, report_run, traced
from app.agent.persistence.response import render_event
from app.agent.persistence.run_record import build_run_result, build_stored_response
from app.agent.persistence.run_result import RunResult
from app.agent.persistence.stored_response import StoredResponse
from app.agent.resume import GraphInput, resolve_input
from app.agent.run_context import ContextLoader
from app.agent.state import AgentState
from app.agent.status import advice_event, knowledge_event, start_event, status_event
from app.agent.updates.budget import with_budget_status
from app.domain.embedder import Embedder
from app.domain.plan import Outcome
from app.domain.reasoner import Reasoner
from app.errors import RunLost, TabwrightError, Unauthenticated, error_of
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox
from app.observability.port import Observer
from app.review.submission import FiledRecord, RecordFiling, filing_summary
from app.runs.live import Event, LiveRun
from app.runs.registry import RunHandle, RunRegistry
from app.runs.service import Problem, error_event
from app.runs.thread import forget_result
from app.search.query import Search
from app.store.batch import forget_thread
from app.usage.allowance import Allowance, use_allowance
from app.usage.meter import Meter, meter_calls
from app.usage.spendings import Spendings

STOPPED = "Stopped: nothing more is done."
LOCKED_OUT = "The key that this was asked with opens no more: nothing more is done."
PAUSED = "Paused: nothing more is done until you hand it back."
NodeCallback = Callable[[str, Mapping[str, Any]], Awaitable[None]]


async def run_graph(
    graph: AgentGraph, entry: GraphInput, context: AgentContext, ended: NodeCallback
) -> AgentState:
    """Run until the graph waits or ends; `ended` is told each node and what it changed. The state
    it leaves.

    `durability="exit"`: one checkpoint a request.
    """
    if entry.replay:
        assert entry.state is not None
        return entry.state
    state = dict(entry.state or {}) | _input_values(entry)
    stream = graph.astream(
        entry.value,
        entry.config,
        context=context,
        stream_mode="updates",
        durability="exit",
    )
    async for chunk in stream:
        for node, patch in cast("Mapping[str, Any]", chunk).items():
            if not node.startswith("__"):
                state.update(patch or {})  # no key has a reducer: the last write is the value
                await ended(node, patch)
    return cast("AgentState", state)


async def interrupted_state(
    graph: AgentGraph, entry: GraphInput, request_id: str, message: str = STOPPED
) -> AgentState:
    """The state to answer with after a run was cut off. The thread keeps where it stood, so that the
    task can go on; one that was cut off before it had written anything is left at its beginning.
    """
    snapshot = await graph.aget_state(entry.config)
    state = cast("dict[str, Any]", snapshot.values)
    if not state:
        state = _input_values(entry)
        await graph.aupdate_state(entry.config, state, as_node=START)
    ended = {"request_id": request_id, "outcome": Outcome(status="interrupted", message=message)}
    return cast("AgentState", state | ended)


def _input_values(entry: GraphInput) -> dict[str, Any]:
    """What the input itself writes."""
    given = entry.value
    if isinstance(given, Command):
        return dict(given.update or {})
    return dict(given or {})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunExecutor:
    """Works on claimed requests, many at once. `spendings` is None where no model is paid for."""

    graph: AgentGraph
    claims: RequestLeases
    reasoner: Reasoner
    max_steps: int
    problem: Problem
    search: Search | None
    modelled: bool
    embedder: Embedder | None
    knowing: KnowledgeLookup
    recalling: ContextLoader
    inbox: Inbox
    bells: TaskEvents
    observer: Observer
    flights: RunRegistry
    spendings: Spendings | None
    pictures: ScreenshotCache
    filing: RecordFiling

    async def execute(self, claim: RequestLease, live: LiveRun) -> None:
        """Run the graph for it, store what came of it, and answer. An error gives the claim back."""
        await self.claims.record_hand_back(claim)
        if not live.has_events:
            await live.emit(start_event(claim.task_id))
        async with self.flights.hold(claim.call.principal, claim.run_lease) as flight:
            allowance = await self._allowance(claim)
            with (
                meter_calls(claim.spender) as meter,
                use_allowance(allowance),
                traced(self.observer, claim, meter) as watch,
            ):
                event, failure = await self._run(claim, live, meter, flight, allowance, watch)
            if flight.key_revoked and failure is None:  # a revoked key is told nothing
                failure = Unauthenticated(LOCKED_OUT)
                event = self._failed(claim, failure)
        live.failure = failure
        await live.emit(event)
        self.bells.publish(claim.call.principal.tenant, claim.task_id)

    async def _allowance(self, claim: RequestLease) -> Allowance | None:
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
        claim: RequestLease,
        live: LiveRun,
        meter: Meter,
        flight: RunHandle,
        allowance: Allowance | None,
        watch: RunTrace,
    ) -> tuple[Event, TabwrightError | None]:
        with live.timed("enter"):
            entry = await resolve_input(
                self.graph,
                claim,
                lambda: self.recalling.load_initial(claim),
                partial(resolve_answer, self.inbox, claim),
            )
            entry = await self.recalling.refresh(entry, claim)
            entry = await with_downloads(entry, claim, self.knowing)
        meter.set_chain(entry.trace_id or claim.call.trace_id)
        if found := knowledge_event(entry, claim.call.page.url):
            await live.emit(found)
        if heard_of := advice_event(entry):
            await live.emit(heard_of)
        watch.start()

        async def told(node: str, patch: Mapping[str, Any]) -> None:
            watch.node_ended(node, patch)
            await live.emit(status_event(node, patch))

        try:
            with live.timed("graph"):
                context = self._context(claim, allowance)
                state = await flight.run(run_graph(self.graph, entry, context, told))
            if state is not None:
                return await self._ended(claim, entry, state, meter, allowance, watch, live)
        except RunLost:
            forget_thread()
        else:
            await forget_result(self.graph, entry.config)
        why, paused = await self._cut_off(claim, flight)
        state = await interrupted_state(self.graph, entry, claim.call.request_id, why)
        return await self._ended(claim, entry, state, meter, allowance, watch, live, paused=paused)

    async def _cut_off(self, claim: RequestLease, flight: RunHandle) -> tuple[str, bool]:
        """Why the run was cut off, and whether by a pause; raises `RunLost` where another has it."""
        if claim.run_lease.stopped:
            return STOPPED, False
        if flight.key_revoked:
            return LOCKED_OUT, False
        paused = await self.claims.leases.inherit(claim.run_lease)
        return (PAUSED if paused else STOPPED), paused

    async def _ended(
        self,
        claim: RequestLease,
        entry: GraphInput,
        state: AgentState,
        meter: Meter,
        allowance: Allowance | None,
        watch: RunTrace,
        live: LiveRun,
        *,
        paused: bool = False,
    ) -> tuple[Event, TabwrightError | None]:
        """The terminal event, once all of it is kept. Raises `RunLost`, with nothing kept."""
        spent = with_budget_status(meter.spent, state, allowance)
        # An earlier answer that is given again was recorded when it was made.
        mine = state["request_id"] == claim.call.request_id
        done = build_run_result(claim, entry, state, meter, self.embedder) if mine else None
        done = replace(done, paused=paused) if done else None
        filed = await self._filed(claim, done)
        event = render_event(
            state,
            task_id=claim.task_id,
            session_id=claim.session_id,
            server_ms=claim.elapsed_ms,
            spent=spent,
        ) | ({"paused": True} if paused else {})
        event |= filing_summary(filed)
        outcome, failure = state["outcome"], None
        kept = build_stored_response(claim, state, event, spent)
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message, hand_over=outcome.hand_over)
            event = self._failed(claim, failure)
            kept = StoredResponse.of_failure(event, failure)
        with live.timed("record"):
            await self.claims.complete(claim, kept, done, left=filed.left if filed else None)
        if done is not None:
            report_run(self.observer, done, watch, event)
        return event, failure

    async def _filed(self, claim: RequestLease, done: RunResult | None) -> FiledRecord | None:
        """What came of filing the task for review, which is done for a run that still owns it."""
        submission = review_submission(done) if done is not None else None
        if submission is not None:
            await self.claims.leases.ensure_held(claim.run_lease)
        return await self.filing.file(submission)

    def _failed(self, claim: RequestLease, failure: TabwrightError) -> Event:
        event = error_event(self.problem, failure, claim.call.trace_id)
        return event | {"taskId": claim.task_id}

    def _context(self, claim: RequestLease, allowance: Allowance | None) -> AgentContext:
        call = claim.call
        return AgentContext(
            reasoner=self.reasoner,
            page=self.pictures.restore(call.principal.tenant, claim.task_id, call.page),
            report=claim.call.report,
            request_id=claim.call.request_id,
            max_steps=self.max_steps,
            search=self.search,
            knowledge=self.knowing,
            has_model=self.modelled,
            task_id=claim.task_id,
            policy=claim.policy,
            question_inbox=self.inbox.under(claim.run_lease.lease),
            hand_back=claim.call.hand_back,
            who=call.principal,
            allowance=allowance,
        )
