"""Runs a graph in a thread: loads the thread, enters it, and traces its nodes."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

import structlog
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command, StateSnapshot

from app.domain.hitl import HitlResult
from app.domain.metrics.telemetry import NodeSpan, RunReport
from app.observability.port import Observer, add_visit, start_trail
from app.store.batch import forget_thread

log = structlog.get_logger(__name__)

Graph = CompiledStateGraph[Any, Any, Any, Any]
StateT = TypeVar("StateT")
NodeCallback = Callable[[str, Mapping[str, Any]], Awaitable[None]]
NodeFacts = Callable[[str, Mapping[str, Any]], dict[str, Any]]
RECURSION_LIMIT = 120  # supersteps of one request; each step that is done already takes one


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphInput(Generic[StateT]):
    """How a request enters its thread. `replay`: nothing runs, the `state` is the answer. `result` is that of
    the question which the request ended.
    """

    config: RunnableConfig
    value: Mapping[str, Any] | Command[Any] | None
    state: StateT | None
    result: HitlResult | None = None
    replay: bool = False

    @property
    def initial(self) -> Mapping[str, Any] | None:
        """The state that the run begins with; None for a replay."""
        if self.replay:
            return None
        return self.value if isinstance(self.value, dict) else cast(Any, self.state)

    @property
    def update(self) -> dict[str, Any]:
        """The keys that the input writes."""
        given = self.value.update if isinstance(self.value, Command) else self.value
        return dict(cast(Any, given) or {})


def thread_config(task_id: str, limit: int = RECURSION_LIMIT) -> RunnableConfig:
    return {"configurable": {"thread_id": task_id}, "recursion_limit": limit}


async def load_thread(graph: Graph, task_id: str, state: type) -> StateSnapshot:
    """Load the thread. One with other keys than `state`, by another version, counts as empty."""
    snapshot = await graph.aget_state(thread_config(task_id))
    if snapshot.values and snapshot.values.keys() != state.__annotations__.keys():
        return snapshot._replace(values={}, next=(), tasks=(), interrupts=())
    return snapshot


async def forget_result(graph: Graph, config: RunnableConfig) -> None:
    """Drop the checkpoint of a finished run whose result nobody gets; that of an unfinished run is kept."""
    snapshot = await graph.aget_state(config)
    if not snapshot.next or snapshot.interrupts:
        forget_thread()


class RunTrace:
    """The spans of a run's nodes; each begins at the end of the last. `facts` picks a span's attributes from
    the node's patch.
    """

    def __init__(self, facts: NodeFacts) -> None:
        self._facts = facts
        self._spans: list[NodeSpan] = []
        self.start()

    def start(self) -> None:
        self.started_at = self._last = datetime.now(UTC)
        start_trail()

    def node_ended(self, node: str, patch: Mapping[str, Any]) -> None:
        now = datetime.now(UTC)
        facts = self._facts(node, patch)
        self._spans.append(
            NodeSpan(node=node, started_at=self._last, ended_at=now, attributes=facts)
        )
        self._last = now
        add_visit(node)

    @property
    def spans(self) -> tuple[NodeSpan, ...]:
        return tuple(self._spans)


@contextmanager
def trace_run(
    observer: Observer, facts: NodeFacts, report_failure: Callable[[RunTrace], RunReport]
) -> Iterator[RunTrace]:
    """Trace a run, and report it if an exception ends it. The exception propagates."""
    trace = RunTrace(facts)
    try:
        yield trace
    except Exception:
        send_report(observer, lambda: report_failure(trace))
        raise


def send_report(observer: Observer, make: Callable[[], RunReport]) -> None:
    """Report a run. It is stored already, so errors are only logged."""
    try:
        observer.on_run(make())
    except Exception:
        log.exception("run not reported")


async def run_graph(
    graph: Graph,
    entry: GraphInput[Any],
    context: object,
    trace: RunTrace,
    ended: NodeCallback,
    started: Callable[[str], None] | None = None,
) -> dict[str, Any]:
    """Run until the graph waits or ends, and return the resulting state.

    `ended` is called with each node and its patch, `started` with each node that begins.
    `durability="exit"` writes one checkpoint per request.
    """
    if entry.replay:
        assert entry.state is not None
        return cast(dict[str, Any], entry.state)
    trace.start()
    state = dict(entry.state or {}) | entry.update
    stream = graph.astream(
        cast(Any, entry.value),
        entry.config,
        context=context,
        stream_mode=["updates"] if started is None else ["tasks", "updates"],
        durability="exit",
    )
    async for mode, chunk in stream:
        if mode == "tasks":
            if started is not None and "triggers" in chunk:  # a start; ends come as updates
                started(cast(Any, chunk)["name"])
            continue
        for node, patch in cast(Mapping[str, Any], chunk).items():
            if not node.startswith("__"):
                state.update(patch or {})  # no key has a reducer: the last write is the value
                trace.node_ended(node, patch or {})
                await ended(node, patch or {})
    return state
