"""Requests to the agent: begun at most once, run detached, stored, and answered from what is stored."""

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
from app.agent.persistence.escalation import task_submission
from app.agent.persistence.record import (
    StoredResponse,
    build_stored_response,
    ledger_operations,
    save_run,
)
from app.agent.persistence.report import report_run, trace_request
from app.agent.persistence.response import question_fields, render_event, with_budget_status
from app.agent.persistence.run_result import RunResult, build_run_result
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
from app.domain.review import Submission
from app.errors import (
    HitlNotPending,
    NotFound,
    RunLost,
    TabwrightError,
    TaskBusy,
    Unauthenticated,
    error_of,
)
from app.hitl import CANCEL, HitlAnswer, Inbox, TaskEvents
from app.observability.port import Observer
from app.review import FiledRecord, RecordFiling, filing_summary
from app.runs import (
    CLAIM_TTL_S,
    LOCKED_OUT,
    Event,
    LiveRun,
    Problem,
    RunHandle,
    RunService,
    RunTrace,
    StoreWrite,
    error_event,
    forget_result,
    load_thread,
    run_graph,
    send_report,
)
from app.search import Search
from app.skills import Embedder, store_learnings
from app.store.batch import StoreBatch, forget_thread
from app.store.people.keys import KeyWatch
from app.store.repositories import Store
from app.store.reviews.port import Reviews
from app.store.tasks.leases import PAUSER, STOPPER
from app.store.tasks.operations import OperationStart
from app.usage import Allowance, Meter, Spendings, meter_calls, use_allowance
from knowledge import Knowledge

STOPPED = "Stopped: nothing more is done."
PAUSED = "Paused: nothing more is done until you hand it back."
LET_GO_S = 2.0  # beyond a claim's life, for a run that is cut off elsewhere to let go
POLL_S = 0.25  # between two attempts to end a wait


class InteractService(RunService[InteractCall, RequestLease]):
    """Runs the interact graph for requests; `problem` renders an error for the stream.

    `modelled`: the reasoner has a model, which is told of the conversation and criticises choices.
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
        bells: TaskEvents,
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
        self._embedder = embedder
        self._bells = bells
        self._observer = observer
        self._running_tasks = running_tasks
        self._filing = filing
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
        has run.
        """
        if call.delegation_id is not None or call.hand_back is not None:
            call.principal.require("browser")  # these are a person's to do, in their own browser
        return await super().start(call)

    async def find_state(self, who: Principal, task_id: str) -> AgentState:
        """The thread of a task that may have no row yet; `NotFound` for one that is not seen."""
        return _require_owned(await self._load(task_id), who, task_id)

    async def pending_question(self, tenant: str, task_id: str) -> dict[str, Any] | None:
        """The question that the task waits with, as its event; None when there is none that can still
        be answered.
        """
        question = _waiting_question(await self._load(task_id), tenant)
        row = await self._inbox.find(tenant, question.hitl_id) if question is not None else None
        if row is not None and row.status_at(datetime.now(UTC)) != "pending":
            return None
        return question_fields(question)

    async def pause(self, tenant: str, task_id: str, *, then: StoreWrite) -> None:
        """Have the person hold the task, cut off the run that works on it, here or elsewhere, and write what
        is `then` to be written.
        """
        await self._registry.preempt(tenant, task_id, by=PAUSER, then=then)

    async def cancel(self, who: Principal, task_id: str, *, then: StoreWrite) -> bool:
        """Cut off the run that works on the task, here or elsewhere, write what is `then` to be written, and
        end its wait for a person: what was asked about is not done. Whether there was a run or a wait.
        """
        cut = await self._registry.preempt(who.tenant, task_id, by=STOPPER, then=then)
        return await self._end_wait(who, task_id) or bool(cut.claim)

    async def _end_wait(self, who: Principal, task_id: str) -> bool:
        """Cancel the question that the task waits with; whether there was one.

        The thread goes on with the cancel to its end, as with any answer, under the task's lease. A
        question that was written down and never waited with is ended too.
        """
        row = await self._inbox.latest(who.tenant, task_id)
        is_ended = False
        deadline = perf_counter() + CLAIM_TTL_S + LET_GO_S
        while not is_ended:
            snapshot = await self._load(task_id)
            question = _waiting_question(snapshot, who.tenant)
            if question is None:
                break
            url = row.url if row is not None else ""
            call = cancel_call(who, task_id, question, cast("AgentState", snapshot.values), url)
            try:
                await (await self.start(call)).wait_for_result()
                is_ended = True
            except (TaskBusy, HitlNotPending):  # a run holds the task, or went on in between
                if perf_counter() > deadline:
                    raise
                await asyncio.sleep(POLL_S)
        if row is None or row.status != "pending":
            return is_ended
        await self._inbox.end(row, "cancelled", by=who.user)
        await self._inbox.find(who.tenant, row.hitl_id)  # its asking may not be in the trail yet
        return True

    async def _begin(self, call: InteractCall) -> RequestLease | OperationStart:
        """The claim. A task without a row has its thread to prove whose it is; else `NotFound`."""
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
        """Give the answer that was kept; one that held a secret is made again from the thread."""
        kept = StoredResponse.model_validate(result)
        event = kept.event
        if kept.partial:
            state = cast("AgentState", (await self._load(begun.task_id)).values)
            if state and state["request_id"] == call.request_id:
                event = render_event(
                    state,
                    task_id=begun.task_id,
                    session_id=event["sessionId"],
                    server_ms=event["metrics"]["serverMs"],
                ) | {name: event[name] for name in ("usage", "review") if name in event}
        live.failure = kept.failure
        await live.emit(event)

    async def _execute(self, claimed: RequestLease, live: LiveRun) -> None:
        """Run the graph for it, store what came of it, and answer. An error gives the claim back."""
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
            if handle.key_revoked and failure is None:  # a revoked key is told nothing
                failure = Unauthenticated(LOCKED_OUT)
                event = self._failed(claimed, failure)
        live.failure = failure
        await live.emit(event)
        self._bells.publish(call.principal.tenant, claimed.task_id)

    async def _run(
        self,
        claim: RequestLease,
        live: LiveRun,
        meter: Meter,
        handle: RunHandle,
        allowance: Allowance | None,
        trace: RunTrace,
    ) -> tuple[Event, TabwrightError | None]:
        """Enter the thread, run the graph, and finish; see `_finish`."""
        call = claim.call
        with live.timed("enter"):
            entry = await resolve_task_input(self._graph, claim, self._inbox, self._loader)
            entry = await self._loader.refresh(entry, claim)
            entry = await with_downloads(entry, claim, self._knowledge)
        begun = entry.initial or entry.state
        meter.set_chain(begun["trace_id"] if begun else call.trace_id)
        for found in (knowledge_event(entry, call.page.url), advice_event(entry)):
            if found is not None:
                await live.emit(found)

        async def node_ended(node: str, patch: Mapping[str, Any]) -> None:
            await live.emit(status_event(node, patch))

        finish = partial(self._finish, claim, entry, meter, allowance, trace, live)
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
        why, paused = await self._cut_off(claim, handle)
        return await finish(await self._interrupted_state(entry, call, why), paused=paused)

    async def _cut_off(self, claim: RequestLease, handle: RunHandle) -> tuple[str, bool]:
        """Why the run was cut off, and whether by a pause; raises `RunLost` where another has it."""
        if claim.run_lease.stopped:
            return STOPPED, False
        if handle.key_revoked:
            return LOCKED_OUT, False
        paused = await self._leases.inherit(claim.run_lease)
        return (PAUSED if paused else STOPPED), paused

    async def _interrupted_state(
        self, entry: TaskInput, call: InteractCall, message: str
    ) -> AgentState:
        """The state to answer with after a run was cut off. The thread keeps where it stood, so that the
        task can go on; one that was cut off before it had written anything is left at its beginning.
        """
        state: dict[str, Any] = (await self._graph.aget_state(entry.config)).values
        if not state:
            state = entry.update
            await self._graph.aupdate_state(entry.config, state, as_node=START)
        outcome = Outcome(status="interrupted", message=message)
        return cast("AgentState", state | {"request_id": call.request_id, "outcome": outcome})

    async def _finish(
        self,
        claim: RequestLease,
        entry: TaskInput,
        meter: Meter,
        allowance: Allowance | None,
        trace: RunTrace,
        live: LiveRun,
        state: AgentState,
        *,
        paused: bool = False,
    ) -> tuple[Event, TabwrightError | None]:
        """The terminal event, once all of it is stored, and what ended the run, if a limit did. Raises
        `RunLost`, with nothing stored.
        """
        spent = with_budget_status(meter.spent, state, allowance)
        # An earlier answer that is given again was recorded when it was made.
        mine = state["request_id"] == claim.call.request_id
        done = (
            build_run_result(claim, entry, state, meter.spent, self._embedder, paused=paused)
            if mine
            else None
        )
        filed = await self._file_for_review(claim, done)
        event = render_event(
            state,
            task_id=claim.task_id,
            session_id=claim.session_id,
            server_ms=claim.elapsed_ms,
            spent=spent,
        ) | ({"paused": True} if paused else {})
        event |= filing_summary(filed)
        outcome, failure = state["outcome"], None
        response = build_stored_response(claim, state, event, spent)
        if outcome and outcome.code:
            failure = error_of(outcome.code, outcome.message, hand_over=outcome.hand_over)
            event = self._failed(claim, failure)
            response = StoredResponse.of_failure(event, failure)
        with live.timed("record"):
            await self._store(claim, response, done, left=filed.left if filed else None)
        if done is not None:
            send_report(self._observer, lambda: report_run(done, trace, event))
        return event, failure

    async def _store(
        self,
        claim: RequestLease,
        response: StoredResponse,
        done: RunResult | None,
        *,
        left: Submission | None,
    ) -> None:
        """Write the rows of the run, keep the answer for a repeat, and let go of the task; raises `RunLost`,
        with nothing written, where it is this run's no more. `left` is the record of the task that the
        review queue could not take.
        """
        tenant, held = claim.call.principal.tenant, claim.run_lease

        async def write(store: Store) -> None:
            if left is not None:
                await store.outbox.add(left)
            if done is not None:
                await save_run(store, done)
            effects = ledger_operations(done) if done is not None else ()
            await store.operations.complete(
                tenant, held.key, response.model_dump(), claim=held.claim, effects=effects
            )

        await self._leases.finish(held, write)
        if done is not None and (learned := done.learnings).is_any:
            await self._together(lambda store: store_learnings(store, tenant, learned, done.now))

    async def _file_for_review(
        self, claim: RequestLease, done: RunResult | None
    ) -> FiledRecord | None:
        """What came of filing the task for review, which is done for a run that still owns it."""
        if done is None or done.ended is None:
            return None
        submission = task_submission(done)
        if submission is not None:
            await self._leases.ensure_held(claim.run_lease)
        return await self._filing.file(submission)

    def _failed(self, claim: RequestLease, failure: TabwrightError) -> Event:
        event = error_event(self._problem, failure, claim.call.trace_id)
        return event | {"taskId": claim.task_id}

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
    """The question that this thread waits with, where it is the tenant's and waits for a person."""
    state = cast("AgentState", snapshot.values)
    if not state or state["tenant"] != tenant:
        return None
    return state["question"] if snapshot.interrupts else None


def cancel_call(
    who: Principal, task_id: str, question: Question, state: AgentState, url: str
) -> InteractCall:
    """The request that cancels the question, and the run with it, whatever was answered meanwhile."""
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
