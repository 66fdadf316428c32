"""One pass through the graph, and the state it leaves."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

from langgraph.constants import START
from langgraph.types import Command

from app.agent.context import AgentContext
from app.agent.graph import AgentGraph
from app.agent.resume import Entry
from app.agent.state import AgentState
from app.domain.plan import Outcome

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
