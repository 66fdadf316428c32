"""Whether a run had come to its result when it was cut off."""

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph


async def has_result(graph: CompiledStateGraph[Any, Any, Any, Any], config: RunnableConfig) -> bool:
    """Whether the thread stands where a run ends: at its end, or waiting for the browser or a person."""
    snapshot = await graph.aget_state(config)
    return not snapshot.next or bool(snapshot.interrupts)
