"""The real MCP client with our servers, in both generations of the protocol."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from app.domain.access import Principal
from app.settings import Settings
from app.store.open import open_store

MODES = ("auto", "legacy")
INFO = Implementation(name="Test assistant", version="1.2")
CASE: dict[str, Any] = {
    "reported_symptom": "The vehicle stops at gate 4",
    "what_checked": ["the route", "its battery"],
    "evidence": ["log 17:02: no path to gate 4"],
    "confidence": "low",
    "impact": "normal",
    "proposed_next_action": "Restart the path planner",
    "why_escalated": "Two causes fit",
    "submitter_name": "Support assistant",
    "submitter_role": "assistant",
}
VERDICT = {
    "outcome": "approved",
    "reviewed_by": "Olga",
    "review_notes": "It was the planner",
    "operator_name": "Olga Orlova",
    "operator_role": "dispatcher",
}
NO_RECORD = "HITL-00000000-0000-4000-8000-000000000000"


@asynccontextmanager
async def over_http(url: str, server: str, key: str, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of one server, connected."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=20) as http:
        transport = streamable_http_client(f"{url}/mcp/{server}", http_client=http)
        async with Client(transport, mode=mode, client_info=INFO) as client:
            yield client


async def told(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers, which is a result whatever it was called with."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error is False, result
    assert result.structured_content is not None
    return dict(result.structured_content)


def keys_of(settings: Settings, holders: Sequence[Principal]) -> list[str]:
    """A key for each."""

    async def make() -> list[str]:
        async with open_store(settings) as store:
            return [(await store.keys.create(holder))[1] for holder in holders]

    return asyncio.run(make())
