"""What a person reads while a turn runs: one text a node, told when it ends, or sooner if that is long."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from app.runs.live import Event

NODE_STATUS_MAP: Mapping[str, str] = MappingProxyType(
    {
        "intent_resolver": "Clarifying intent…",
        "doc_resolver": "Finding documents…",
        "validate_inputs": "Validating request…",
        "summarize": "Summarizing documents…",
        "inquire": "Researching your question…",
        "compare": "Comparing documents…",
        "audit": "Auditing against the documents…",
        "format_response": "Formatting response…",
    }
)
PROMPT_S = 0.2  # a node that takes longer says so while it works: nobody waits for a first word

Emit = Callable[[Event], Awaitable[None]]


class Reasoning:
    """Tells what each node of one run does, each once. What a node found that had told already is told
    with the next one.
    """

    def __init__(self, thread_id: str, emit: Emit) -> None:
        self._thread_id = thread_id
        self._emit = emit
        self._found: dict[str, Any] = {}
        self._told: set[str] = set()
        self._early: asyncio.Task[None] | None = None

    def begun(self, node: str) -> None:
        """A node has begun."""
        self.over()
        if node in NODE_STATUS_MAP:
            self._early = asyncio.create_task(self._tell_early(node))

    async def ended(self, node: str, patch: Mapping[str, Any]) -> None:
        """A node has ended with this patch."""
        self.over()
        if node not in NODE_STATUS_MAP or patch.get("question") is not None:
            return
        self._found |= found_of(node, patch)
        if node not in self._told:
            await self._tell(node)

    def over(self) -> None:
        """Nothing more is told of the node that runs."""
        if self._early is not None:
            self._early.cancel()
            self._early = None

    async def _tell_early(self, node: str) -> None:
        await asyncio.sleep(PROMPT_S)
        await self._tell(node)

    async def _tell(self, node: str) -> None:
        self._told.add(node)
        found, self._found = self._found, {}
        said = {"type": "status", "node": node, "message": NODE_STATUS_MAP[node]}
        await self._emit(said | {"thread_id": self._thread_id} | found)


def found_of(node: str, patch: Mapping[str, Any]) -> dict[str, Any]:
    """What a node found that is worth telling: documents, what the web was asked."""
    found: dict[str, Any] = {}
    if node == "doc_resolver" and patch.get("documents"):
        found["docs_found"] = [one.model_dump() for one in patch["documents"]]
    if patch.get("web_search_query"):
        found["web_query"] = patch["web_search_query"]
    return found
