"""What a run that was cut off had ready."""

from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from app.store.request_cache import forget_thread


async def forget_result(
    graph: CompiledStateGraph[Any, Any, Any, Any], config: RunnableConfig
) -> None:
    """Forget a result that nobody will be handed: the thread stands at its end, or waits for the browser or
    a person. What a run found out before it had one is kept.
    """
    snapshot = await graph.aget_state(config)
    if not snapshot.next or snapshot.interrupts:
        forget_thread()
