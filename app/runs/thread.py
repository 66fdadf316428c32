"""The thread of a task or a conversation: where it stands, and what a run that was cut off had ready."""

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StateSnapshot

from app.store.batch import forget_thread

Graph = CompiledStateGraph[Any, Any, Any, Any]


async def load_thread(graph: Graph, config: RunnableConfig, state: type) -> StateSnapshot:
    """Where the thread stands. One that a version with other keys in its `state` wrote counts as none."""
    snapshot = await graph.aget_state(config)
    if snapshot.values and snapshot.values.keys() != state.__annotations__.keys():
        return snapshot._replace(values={}, next=(), tasks=())
    return snapshot


async def forget_result(graph: Graph, config: RunnableConfig) -> None:
    """Forget a result that nobody will be handed: the thread stands at its end, or waits for the browser or
    a person. What a run found out before it had one is kept.
    """
    snapshot = await graph.aget_state(config)
    if not snapshot.next or snapshot.interrupts:
        forget_thread()
