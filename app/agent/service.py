"""Runs requests to the agent: each at most once, detached from its connection, answered from the store."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from time import perf_counter
from typing import Any, cast
from uuid import uuid4

from langgraph.constants import START
from langgraph.types import StateSnapshot

from app.agent.background import ContextLoader, advice_event, knowledge_event, with_downloads
from app.agent.context import AgentContext, KnowledgeLookup, ScreenshotCache
from app.agent.events import start_event, status_event
from app.agent.graph import AgentGraph
from app.agent.persistence.record import RunRecorder, StoredResponse
from app.agent.persistence.report import trace_request
from app.agent.persistence.response import question_fields, render_event
from app.agent.request import InteractCall, RequestLease, TaskInput, claim_request
from app.agent.resume import resolve_task_input
from app.agent.state import AgentState
from app.agent.takeover import hand_back_entries
from app.domain.access import Principal
from app.domain.action import ClientReport
from app.domain.hitl import Question
from app.domain.page import Observation
from app.domain.plan import Outcome
from app.domain.reasoner import Reasoner
from app.errors import (
    HitlNotPending,
    NotFound,
    RunLost,
    TabwrightError,
    TaskBusy,
    Unauthenticated,
)
from app.hitl import CANCEL, HitlAnswer, Inbox, TaskEvents
from app.observability.port import Observer
from app.review import RecordFiling
from app.runs import (
    CLAIM_TTL_S,
    KEY_REVOKED,
    Event,
    LiveRun,
    Problem,
    RunHandle,
    RunService,
    RunTrace,
    StoreWrite,
    forget_result,
    load_thread,
    run_graph,
)
from app.search import Search
from app.skills import Embedder
from app.store.batch import StoreBatch, forget_thread
from app.store.people.keys import KeyWatch
from app.store.reviews.port import Reviews
from app.store.tasks.leases import PAUSER, STOPPER
from app.store.tasks.operations import OperationStart
from app.usage import Allowance, Meter, Spendings, meter_calls, use_allowance
from knowledge import Knowledge

STOPPED = "Stopped: nothing more is done."
PAUSED = "Paused: nothing more is done until you hand it back."
RELEASE_S = 2.0  # beyond a claim's life, for a preempted run in another process to release the task
POLL_S = 0.25  # between two attempts to end a wait


class InteractService(RunService[InteractCall, RequestLease]):
    """Runs the agent's graph for requests.

    `problem` renders an error for the stream. `modelled`: the reasoner has a model, which gets the
    conversation and reviews decisions.
    """

    kind = "run"

    def __init__(
        self,
        *,
        graph: AgentGraph,
        together: StoreBatch,
        reasoner: Reasoner,
        max_steps: int,
        problem: Problem,
        search: Search | None,
        modelled: bool,
        embedder: Embedder | None,
        task_events: TaskEvents,
        observer: Observer,
        running_tasks: int,
        spendings: Spendings | None,
        documents: Knowledge | None,
        filing: RecordFiling,
        reviews: Reviews | None,
        keys: KeyWatch,
    ) -> None:
        super().__init__(together, problem, keys, spendings if modelled else None)
        self._graph = graph
        self._reasoner = reasoner
        self._max_steps = max_steps
        self._search = search
        self._modelled = modelled
        self._task_events = task_events
        self._observer = observer
        self._running_tasks = running_tasks
        self._recorder = RunRecorder(
            together, self._leases, problem, filing=filing, observer=observer, embedder=embedder
        )
        self._inbox = Inbox(together)
        self._screenshots = ScreenshotCache()
        self._knowledge = KnowledgeLookup(documents)
        self._loader = ContextLoader(
            together,
            reasoner,
            embedder=embedder,
            converses=modelled,
            knowing=self._knowledge,
            reviews=reviews,
        )

    async def start(self, call: InteractCall) -> LiveRun:
        """Begin the request, or attach to the run that the same request began.

        Raises `NotFound`, `TaskEnded`, `TaskBusy`, `RequestIdReused` or `ConsentNeedsBrowser` before anything
        runs.
        """
        if call.delegation_id is not None or call.hand_back is not None:
            call.principal.require("browser")  # only a person does these, in their own browser
        return await super().start(call)

    async def find_state(self, who: Principal, task_id: str) -> AgentState:
        """The state of a task that may have no row yet. Raises `NotFound`."""
        return _require_owned(await self._load(task_id), who, task_id)

    async def pending_question(self, tenant: str, task_id: str) -> dict[str, Any] | None:
        """The fields of the task's question; None if none can still be answered."""
        question = _waiting_question(await self._load(task_id), tenant)
        row = await self._inbox.find(tenant, question.hitl_id) if question is not None else None
        if row is not None and row.status_at(datetime.now(UTC)) != "pending":
            return None
        return question_fields(question)

    async def pause(self, tenant: str, task_id: str, *, then: StoreWrite) -> None:
        """Let the person take over the task: preempt its run, in any process, and write `then`."""
        await self._registry.preempt(tenant, task_id, by=PAUSER, then=then)

    async def cancel(self, who: Principal, task_id: str, *, then: StoreWrite) -> None:
        """Preempt the task's run, in any process, write `then`, and cancel its question."""
        await self._registry.preempt(who.tenant, task_id, by=STOPPER, then=then)
        row = await self._inbox.latest(who.tenant, task_id)
        await self._cancel_wait(who, task_id, row.url if row is not None else "")
        if row is not None and row.status == "pending":  # stored, but the run never waited with it
            await self._inbox.end(row, "cancelled", by=who.user)
            await self._inbox.find(who.tenant, row.hitl_id)  # completes its audit trail

    async def _cancel_wait(self, who: Principal, task_id: str, url: str) -> None:
        """Resume a thread that waits for a person with a cancel, so that it runs to its end."""
        deadline = perf_counter() + CLAIM_TTL_S + RELEASE_S
        while True:
            snapshot = await self._load(task_id)
            question = _waiting_question(snapshot, who.tenant)
            if question is None:
                return
            call = cancel_call(who, task_id, question, cast("AgentState", snapshot.values), url)
            try:
                await (await self.start(call)).wait_for_result()
            except (TaskBusy, HitlNotPending):  # another run holds the task or has resumed it
                if perf_counter() > deadline:
                    raise
                await asyncio.sleep(POLL_S)
            else:
                return

    async def _begin(self, call: InteractCall) -> RequestLease | OperationStart:
        """Claim the request. Whose a task without a row is, its thread tells; else `NotFound`."""
        begun = await claim_request(
            self._together,
            call,
            running_tasks=self._running_tasks,
            pays=self._spendings is not None,
        )
        if isinstance(begun, OperationStart) or begun.task is not None or call.task_id is None:
            return begun
        try:
            snapshot = await self._load(call.task_id)
            state = _require_owned(snapshot, call.principal, call.task_id)
        except TabwrightError:
            await self._leases.abandon(begun.run_lease)
            raise
        session_id = call.session_id or state["session_id"]
        return replace(begun, session_id=session_id, snapshot=snapshot)

    async def _announce(self, begun: OperationStart, live: LiveRun) -> None:
        await live.emit(start_event(begun.task_id))

    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: InteractCall, live: LiveRun
    ) -> None:
        """Emit the stored response; one with masked secrets is made again from the thread."""
        stored = StoredResponse.model_validate(result)
        event = stored.event
        if stored.partial:
            state = cast("AgentState", (await self._load(begun.task_id)).values)
            if state and state["request_id"] == call.request_id:
                event = render_event(
                    state,
                    task_id=begun.task_id,
                    session_id=event["sessionId"],
                    server_ms=event["metrics"]["serverMs"],
                ) | {name: event[name] for name in ("usage", "review") if name in event}
        live.failure = stored.failure
        await live.emit(event)

    async def _execute(self, claimed: RequestLease, live: LiveRun) -> None:
        """Run the graph, store the run, and emit the terminal event. An error releases the claim."""
        call = claimed.call
        if call.hand_back is not None:
            entries = hand_back_entries(claimed, call.hand_back)
            await self._together(lambda store: store.audit.add(entries))
        if not live.has_events:
            await live.emit(start_event(claimed.task_id))
        async with self._registry.hold(call.principal, claimed.run_lease) as handle:
            allowance = await self._allowance(
                claimed.budgets, call.principal, claimed.task_id, begins=call.query is not None
            )
            with (
                meter_calls(claimed.spender) as meter,
                use_allowance(allowance),
                trace_request(self._observer, claimed, meter) as trace,
            ):
                event, failure = await self._run(claimed, live, meter, handle, allowance, trace)
            if handle.key_revoked and failure is None:  # its holder must not see the result
                failure = Unauthenticated(KEY_REVOKED)
                event = self._recorder.failure_event(claimed, failure)
        live.failure = failure
        await live.emit(event)
        self._task_events.publish(call.principal.tenant, claimed.task_id)

    async def _run(
        self,
        claim: RequestLease,
        live: LiveRun,
        meter: Meter,
        handle: RunHandle,
        allowance: Allowance | None,
        trace: RunTrace,
    ) -> tuple[Event, TabwrightError | None]:
        """Enter the thread, run the graph, and record the run; see `RunRecorder.finish`."""
        call = claim.call
        with live.timed("enter"):
            entry = await resolve_task_input(self._graph, claim, self._inbox, self._loader)
            entry = await self._loader.refresh(entry, claim)
            entry = await with_downloads(entry, claim, self._knowledge)
        begun = entry.initial or entry.state
        meter.set_chain(begun["trace_id"] if begun else call.trace_id)
        for event in (knowledge_event(entry, call.page.url), advice_event(entry)):
            if event is not None:
                await live.emit(event)

        async def node_ended(node: str, patch: Mapping[str, Any]) -> None:
            await live.emit(status_event(node, patch))

        finish = partial(self._recorder.finish, claim, entry, meter, allowance, trace, live)
        try:
            with live.timed("graph"):
                context = self._context(claim, allowance)
                state = await handle.run(run_graph(self._graph, entry, context, trace, node_ended))
            if state is not None:
                return await finish(cast("AgentState", state))
        except RunLost:
            forget_thread()
        else:
            await forget_result(self._graph, entry.config)
        message, paused = await self._explain_interruption(claim, handle)
        return await finish(await self._interrupted_state(entry, call, message), paused=paused)

    async def _explain_interruption(
        self, claim: RequestLease, handle: RunHandle
    ) -> tuple[str, bool]:
        """Why the run was cut off, and whether by a pause. Raises `RunLost` if another run took over."""
        if claim.run_lease.stopped:
            return STOPPED, False
        if handle.key_revoked:
            return KEY_REVOKED, False
        paused = await self._leases.inherit(claim.run_lease)
        return (PAUSED if paused else STOPPED), paused

    async def _interrupted_state(
        self, entry: TaskInput, call: InteractCall, message: str
    ) -> AgentState:
        """The state to answer with after a run was cut off.

        The thread stays where it was, so that the task can continue; an empty thread gets the run's input.
        """
        state: dict[str, Any] = (await self._graph.aget_state(entry.config)).values
        if not state:
            state = entry.update
            await self._graph.aupdate_state(entry.config, state, as_node=START)
        outcome = Outcome(status="interrupted", message=message)
        return cast("AgentState", state | {"request_id": call.request_id, "outcome": outcome})

    def _context(self, claim: RequestLease, allowance: Allowance | None) -> AgentContext:
        call = claim.call
        return AgentContext(
            reasoner=self._reasoner,
            page=self._screenshots.restore(call.principal.tenant, claim.task_id, call.page),
            report=call.report,
            request_id=call.request_id,
            max_steps=self._max_steps,
            search=self._search,
            knowledge=self._knowledge,
            has_model=self._modelled,
            task_id=claim.task_id,
            policy=claim.policy,
            inbox=self._inbox,
            lease=claim.run_lease.lease,
            hand_back=call.hand_back,
            who=call.principal,
            allowance=allowance,
        )

    async def _load(self, task_id: str) -> StateSnapshot:
        return await load_thread(self._graph, task_id, AgentState)


def _require_owned(snapshot: StateSnapshot, who: Principal, task_id: str) -> AgentState:
    state = cast("AgentState", snapshot.values)
    if not state or state["tenant"] != who.tenant or not who.can_see(state["user"]):
        raise NotFound(f"There is no task {task_id}")
    return state


def _waiting_question(snapshot: StateSnapshot, tenant: str) -> Question | None:
    """The question that the tenant's thread waits with; None if it does not wait for a person."""
    state = cast("AgentState", snapshot.values)
    if not state or state["tenant"] != tenant:
        return None
    return state["question"] if snapshot.interrupts else None


def cancel_call(
    who: Principal, task_id: str, question: Question, state: AgentState, url: str
) -> InteractCall:
    """The request that cancels the question and ends the run, even if another answer came first."""
    return InteractCall(
        principal=who,
        request_id=f"cancel/{uuid4()}",
        body_hash="",
        trace_id=state["trace_id"],
        page=Observation(url=url),
        report=ClientReport(),
        task_id=task_id,
        session_id=state["session_id"],
        answer=HitlAnswer(hitl_id=question.hitl_id, kind=CANCEL, text=None),
        cancels_task=True,
    )
