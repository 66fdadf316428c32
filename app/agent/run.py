"""One pass through the graph: where it enters, and the state it leaves."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.runnables import RunnableConfig
from langgraph.types import Command, StateSnapshot

from app.agent.calls import InteractCall
from app.agent.context import AgentContext
from app.agent.graph import AgentGraph
from app.agent.state import AgentState, initial
from app.domain.plan import Chain
from app.errors import Invalid, TaskEnded

RECURSION_LIMIT = 120  # supersteps of one request; a plan's steps that hold already take one each


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """How a request enters its thread. `replay`: it does not, `state` answers it as it stands."""

    config: RunnableConfig
    graph_input: AgentState | Command[Any] | None
    state: AgentState | None
    replay: bool = False


def thread(task_id: str) -> RunnableConfig:
    """The configuration of a task's thread."""
    return {"configurable": {"thread_id": task_id}, "recursion_limit": RECURSION_LIMIT}


async def enter(graph: AgentGraph, task_id: str, call: InteractCall, *, fresh: bool) -> Entry:
    """Find where the thread stands and how this request goes on from there.

    `Command(resume=...)` without a pending interrupt drops its value silently, so the thread's
    `next` decides; a run that was cut off half-way goes on with no input. Raises `TaskEnded`, or
    `Invalid` when a new task has no goal.
    """
    config = thread(task_id)
    if fresh:
        return Entry(config=config, graph_input=_beginning(call), state=None)
    snapshot = await graph.aget_state(config)
    if not snapshot.values:
        return Entry(config=config, graph_input=_beginning(call), state=None)
    state = cast(AgentState, snapshot.values)
    waiting = _waits(snapshot)
    if state["request_id"] == call.request_id and (waiting or not snapshot.next):
        return Entry(config=config, graph_input=None, state=state, replay=True)
    if call.query and call.query != state["goal"]:
        again = _beginning(call, steps=state["steps"])
        return Entry(config=config, graph_input=again, state=state)
    if not snapshot.next:
        ended = state["outcome"].message if state["outcome"] else ""
        raise TaskEnded(f"The task has ended: {ended}")
    if not waiting:
        return Entry(config=config, graph_input=None, state=state)
    if _stale(state["chain"], call.last_action_id):
        return Entry(config=config, graph_input=None, state=state, replay=True)
    return Entry(config=config, graph_input=Command(resume=call.request_id), state=state)


def _beginning(call: InteractCall, *, steps: int = 0) -> AgentState:
    if not call.query:
        raise Invalid("A new task needs a query")
    return initial(call.query, request_id=call.request_id, trace_id=call.trace_id, steps=steps)


def _waits(snapshot: StateSnapshot) -> bool:
    return any(task.interrupts for task in snapshot.tasks)


def _stale(chain: Chain | None, last_action_id: str | None) -> bool:
    """The client reports on an earlier chain: it never got this one, so it gets it again."""
    if chain is None or last_action_id is None:
        return False
    return last_action_id not in {planned.action_id for planned in chain.actions}


async def follow(
    graph: AgentGraph,
    entry: Entry,
    context: AgentContext,
    ended: Callable[[str], Awaitable[None]],
) -> AgentState:
    """Run until the graph waits or ends; `ended` is told each node. The state it leaves.

    `durability="exit"`: one checkpoint a request.
    """
    if entry.replay:
        assert entry.state is not None
        return entry.state
    state = dict(entry.state or {})
    if isinstance(entry.graph_input, dict):
        state = dict(entry.graph_input)
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
                await ended(node)
    return cast(AgentState, state)
