"""One pass through the graph of the chat, and the state it leaves."""

from collections.abc import Mapping
from typing import Any, cast

from langgraph.types import Command

from app.agent.persistence.report import Watch
from app.chat.context import ChatContext
from app.chat.graph import ChatGraph
from app.chat.output.status import Reasoning
from app.chat.resume import Entry
from app.chat.state import ChatState


async def follow(
    graph: ChatGraph, entry: Entry, context: ChatContext, reasoning: Reasoning, watch: Watch
) -> ChatState:
    """Run until the graph waits or ends, and tell what it does. `durability="exit"`: one checkpoint a
    request.
    """
    if entry.replay:
        assert entry.state is not None
        return entry.state
    watch.set_out()
    given = entry.graph_input
    state: dict[str, Any] = dict(entry.state or {})
    state |= given if isinstance(given, dict) else {}
    stream = graph.astream(
        cast(Any, given),
        entry.config,
        context=context,
        stream_mode=["tasks", "updates"],
        durability="exit",
    )
    try:
        async for mode, chunk in stream:
            told = cast(Mapping[str, Any], chunk)
            if mode == "tasks":
                if "triggers" in told:  # a task's beginning; its end comes as its update
                    reasoning.begun(told["name"])
                continue
            for node, patch in told.items():
                if not node.startswith("__"):
                    state.update(patch or {})
                    watch.ended(node, patch or {})
                    await reasoning.ended(node, patch or {})
    finally:
        reasoning.over()
    return cast(ChatState, state)


async def closed(graph: ChatGraph, entry: Entry, context: ChatContext) -> None:
    """Bring a thread to its end whose question expired, or was taken back."""
    assert isinstance(entry.graph_input, Command)
    await graph.ainvoke(entry.graph_input, entry.config, context=context, durability="exit")
