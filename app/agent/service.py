"""Requests to the agent: begun at most once, run detached, answered from what is stored."""

import asyncio
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

import structlog
from langgraph.types import StateSnapshot

from app.agent.calls import InteractCall
from app.agent.cancel import WaitCanceller, pending_question
from app.agent.context import ScreenshotCache
from app.agent.graph import AgentGraph
from app.agent.knowledge_lookup import Documents, KnowledgeLookup
from app.agent.leases import RUNNING_TASKS, RequestLease, RequestLeases, require_browser_for_request
from app.agent.persistence.response import question_view, render_event
from app.agent.persistence.stored_response import StoredResponse
from app.agent.resume import load_snapshot
from app.agent.run_context import ContextLoader
from app.agent.runner import Problem, RunExecutor, error_event
from app.agent.state import AgentState
from app.agent.status import start_event
from app.domain.access import Principal
from app.domain.embedder import Embedder
from app.domain.reasoner import Reasoner
from app.errors import NotFound, RequestIdReused, RunLost, ServerStopping, TabwrightError
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox
from app.logs import bind_context
from app.observability.port import Observer, Observers
from app.review.submission import RecordFiling
from app.runs.lease import StoreWrite
from app.runs.live import LiveRun
from app.runs.registry import BackgroundRuns, RunRegistry
from app.search.port import Search
from app.store.batch import StoreBatch
from app.store.people.key_watch import KeyWatch
from app.store.request_cache import forget_thread, request_cache
from app.store.reviews.port import Reviews
from app.store.tasks.leases import PAUSER, STOPPER
from app.store.tasks.operations import OperationStart
from app.usage.spendings import Spendings
from app.vitals import working_on

log = structlog.get_logger(__name__)

POLL_S = 0.25  # how often a request looks whether the process that runs it is done


class InteractService:
    """Runs the interact graph for requests; `problem` renders an error for the stream.

    `modelled`: the reasoner has a model, which is told of the conversation and criticises choices.
    """

    def __init__(
        self,
        *,
        graph: AgentGraph,
        together: StoreBatch,
        reasoner: Reasoner,
        max_steps: int,
        problem: Problem,
        search: Search | None = None,
        modelled: bool = False,
        embedder: Embedder | None = None,
        bells: TaskEvents | None = None,
        observer: Observer | None = None,
        running_tasks: int = RUNNING_TASKS,
        spendings: Spendings | None = None,
        documents: Documents | None = None,
        filing: RecordFiling,
        reviews: Reviews | None = None,
        keys: KeyWatch | None = None,
    ) -> None:
        spendings = spendings if modelled else None
        self._graph = graph
        self._problem = problem
        self._claims = RequestLeases(
            together, running_tasks=running_tasks, modelled=spendings is not None
        )
        self._inbox = Inbox(together)
        self._flights = RunRegistry(keys)
        self._stopping = WaitCanceller(graph, self._inbox, self.start)
        knowing = KnowledgeLookup(documents)
        self._working = RunExecutor(
            graph=graph,
            claims=self._claims,
            reasoner=reasoner,
            max_steps=max_steps,
            problem=problem,
            search=search,
            modelled=modelled,
            embedder=embedder,
            knowing=knowing,
            recalling=ContextLoader(
                together,
                reasoner,
                embedder=embedder,
                converses=modelled,
                knowing=knowing,
                reviews=reviews,
            ),
            inbox=self._inbox,
            bells=bells or TaskEvents(),
            observer=observer or Observers(),
            flights=self._flights,
            spendings=spendings,
            pictures=ScreenshotCache(),
            filing=filing,
        )
        self._live: dict[tuple[str, str], LiveRun] = {}
        self._runs = BackgroundRuns()

    @property
    def running(self) -> int:
        """How many requests are worked on."""
        return len(self._runs)

    async def start(self, call: InteractCall) -> LiveRun:
        """Begin the request, or attach to the run that the same request began.

        Raises `NotFound`, `TaskEnded`, `TaskBusy`, `RequestIdReused` or `ConsentNeedsBrowser` before anything
        has run.
        """
        require_browser_for_request(call)
        live_key = (call.principal.tenant, call.request_id)
        if live := self._live.get(live_key):
            if live.body_hash != call.body_hash:
                raise RequestIdReused
            return live
        self._runs.require_accepting()
        live = self._live[live_key] = LiveRun(call.body_hash)
        with request_cache():  # for the job too, which is made within
            try:
                with live.timed("begin"):
                    begun = await self._begin(call)
                bind_context(task=begun.task_id)  # here, and in the job that is started from here
            except Exception as error:
                self._live.pop(live_key, None)
                live.failure = error
                await live.emit(error_event(self._problem, error, call.trace_id))
                raise
            except BaseException:
                self._live.pop(live_key, None)
                raise
            job = self._supervise(self._serve(begun, call, live), live, live_key, call.trace_id)
            self._runs.start(job)
        return live

    async def _begin(self, call: InteractCall) -> RequestLease | OperationStart:
        """The claim. A task without a row has its thread to prove whose it is; else `NotFound`."""
        begun = await self._claims.begin(call)
        if isinstance(begun, OperationStart) or begun.task is not None or call.task_id is None:
            return begun
        try:
            snapshot = await load_snapshot(self._graph, call.task_id)
            state = _require_owned(snapshot, call.principal, call.task_id)
        except TabwrightError:
            await self._claims.leases.abandon(begun.run_lease)
            raise
        session_id = call.session_id or state["session_id"]
        return replace(begun, session_id=session_id, snapshot=snapshot)

    async def find_state(self, who: Principal, task_id: str) -> AgentState:
        """The thread of a task that may have no row yet; `NotFound` for one that is not seen."""
        return _require_owned(await load_snapshot(self._graph, task_id), who, task_id)

    async def pending_question(self, tenant: str, task_id: str) -> dict[str, Any] | None:
        """The question that the task waits with, as its event; None when there is none that can still
        be answered.
        """
        question = pending_question(await load_snapshot(self._graph, task_id), tenant)
        row = await self._inbox.find(tenant, question.hitl_id) if question is not None else None
        if row is not None and row.status_at(datetime.now(UTC)) != "pending":
            return None
        return question_view(question)

    async def cancel(self, who: Principal, task_id: str, *, then: StoreWrite) -> bool:
        """Cut off the run that works on the task, here or elsewhere, write what is `then` to be written, and
        end its wait for a person: what was asked about is not done. Whether there was a run or a wait.
        """
        cut = await self._claims.leases.preempt(who.tenant, task_id, by=STOPPER, then=then)
        await self._flights.stop(who.tenant, task_id)
        return await self._stopping.end_wait(who, task_id) or bool(cut.claim)

    async def pause(self, tenant: str, task_id: str, *, then: StoreWrite) -> None:
        """Have the person hold the task, cut off the run that works on it, here or elsewhere, and write what
        is `then` to be written.
        """
        await self._claims.leases.preempt(tenant, task_id, by=PAUSER, then=then)
        await self._flights.stop(tenant, task_id)

    def stop_accepting(self) -> None:
        """Begin no more requests; who asks is told that the server stops."""
        self._runs.stop_accepting()

    async def close(self, *, within_s: float = 5.0) -> None:
        """Let what is running come to its end, then cut it off."""
        await self._runs.drain(within_s)

    async def _supervise(
        self,
        job: Coroutine[Any, Any, None],
        live: LiveRun,
        key: tuple[str, str],
        trace_id: str,
    ) -> None:
        """Turn whatever a run ends with into its terminal event."""
        bind_context(trace=trace_id, tenant=key[0])
        try:
            with working_on("run", traceId=trace_id, tenantId=key[0], requestId=key[1]):
                await job
        except asyncio.CancelledError:
            live.failure = ServerStopping()
            await live.emit(error_event(self._problem, live.failure, trace_id))
            raise
        except Exception as error:
            if not isinstance(error, TabwrightError):
                log.exception("run failed")
            live.failure = error
            await live.emit(error_event(self._problem, error, trace_id))
        finally:
            self._live.pop(key, None)

    async def _serve(
        self, begun: RequestLease | OperationStart, call: InteractCall, live: LiveRun
    ) -> None:
        """Run what is ours; wait for the process that runs it, and take over when it has died. A run that
        another one overtook waits for that one's answer.
        """
        if isinstance(begun, OperationStart) and begun.result is None:
            await live.emit(start_event(begun.task_id))
        while True:
            while isinstance(begun, OperationStart):
                if begun.result is not None:
                    await self._replay(begun, begun.result, call, live)
                    return
                await asyncio.sleep(POLL_S)
                begun = await self._begin(call)
            try:
                await self._working.execute(begun, live)
            except RunLost:
                forget_thread()
                begun = await self._begin(call)
            else:
                return

    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: InteractCall, live: LiveRun
    ) -> None:
        """Give the answer that was kept; one that held a secret is made again from the thread."""
        kept = StoredResponse.model_validate(result)
        event = kept.event
        if kept.partial:
            snapshot = await load_snapshot(self._graph, begun.task_id)
            state = cast(AgentState, snapshot.values)
            if state and state["request_id"] == call.request_id:
                event = render_event(
                    state,
                    task_id=begun.task_id,
                    session_id=event["sessionId"],
                    server_ms=event["metrics"]["serverMs"],
                ) | {name: event[name] for name in ("usage", "review") if name in event}
        live.failure = kept.failure
        await live.emit(event)


def _require_owned(snapshot: StateSnapshot, who: Principal, task_id: str) -> AgentState:
    state = cast(AgentState, snapshot.values)
    if not state or state["tenant"] != who.tenant or not who.can_see(state["user"]):
        raise NotFound(f"There is no task {task_id}")
    return state
