"""Requests to the agent: begun at most once, run detached, answered from what is stored."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, cast

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
from app.agent.runner import RunExecutor
from app.agent.state import AgentState
from app.agent.status import start_event
from app.domain.access import Principal
from app.domain.embedder import Embedder
from app.domain.reasoner import Reasoner
from app.errors import NotFound, TabwrightError
from app.hitl.events import TaskEvents
from app.hitl.inbox import Inbox
from app.observability.port import Observer, Observers
from app.review.submission import RecordFiling
from app.runs.lease import StoreWrite
from app.runs.live import LiveRun
from app.runs.service import Problem, RunService
from app.search.query import Search
from app.store.batch import StoreBatch
from app.store.people.key_watch import KeyWatch
from app.store.reviews.port import Reviews
from app.store.tasks.leases import PAUSER, STOPPER
from app.store.tasks.operations import OperationStart
from app.usage.spendings import Spendings


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
        super().__init__(together, problem, keys)
        self._graph = graph
        self._claims = RequestLeases(
            together, self._leases, running_tasks=running_tasks, modelled=spendings is not None
        )
        self._inbox = Inbox(together)
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
            flights=self._registry,
            spendings=spendings,
            pictures=ScreenshotCache(),
            filing=filing,
        )

    async def start(self, call: InteractCall) -> LiveRun:
        """Begin the request, or attach to the run that the same request began.

        Raises `NotFound`, `TaskEnded`, `TaskBusy`, `RequestIdReused` or `ConsentNeedsBrowser` before anything
        has run.
        """
        require_browser_for_request(call)
        return await super().start(call)

    async def _begin(self, call: InteractCall) -> RequestLease | OperationStart:
        """The claim. A task without a row has its thread to prove whose it is; else `NotFound`."""
        begun = await self._claims.begin(call)
        if isinstance(begun, OperationStart) or begun.task is not None or call.task_id is None:
            return begun
        try:
            snapshot = await load_snapshot(self._graph, call.task_id)
            state = _require_owned(snapshot, call.principal, call.task_id)
        except TabwrightError:
            await self._leases.abandon(begun.run_lease)
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
        cut = await self._leases.preempt(who.tenant, task_id, by=STOPPER, then=then)
        await self._registry.stop(who.tenant, task_id)
        return await self._stopping.end_wait(who, task_id) or bool(cut.claim)

    async def pause(self, tenant: str, task_id: str, *, then: StoreWrite) -> None:
        """Have the person hold the task, cut off the run that works on it, here or elsewhere, and write what
        is `then` to be written.
        """
        await self._leases.preempt(tenant, task_id, by=PAUSER, then=then)
        await self._registry.stop(tenant, task_id)

    async def _execute(self, claimed: RequestLease, live: LiveRun) -> None:
        await self._working.execute(claimed, live)

    async def _announce(self, begun: OperationStart, live: LiveRun) -> None:
        await live.emit(start_event(begun.task_id))

    async def _replay(
        self, begun: OperationStart, result: dict[str, Any], call: InteractCall, live: LiveRun
    ) -> None:
        """Give the answer that was kept; one that held a secret is made again from the thread."""
        kept = StoredResponse.model_validate(result)
        event = kept.event
        if kept.partial:
            snapshot = await load_snapshot(self._graph, begun.task_id)
            state = cast("AgentState", snapshot.values)
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
    state = cast("AgentState", snapshot.values)
    if not state or state["tenant"] != who.tenant or not who.can_see(state["user"]):
        raise NotFound(f"There is no task {task_id}")
    return state
