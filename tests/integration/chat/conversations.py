"""A person who talks to the documents over HTTP, and the library they talk about."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx

Event = dict[str, Any]

TRAVEL = """# Travel policy

## Trains

Staff travel by train in second class. Journeys of more than 4 hours may be booked in first class.

## Hotels

A hotel may cost at most 120 euros a night. In London the limit is 180 euros a night.
"""
LEAVE = """# Leave policy

## Annual leave

Full-time staff have 25 days of annual leave a year. Part-time staff have it in proportion.

## Sick leave

A doctor's note is needed from the third day of sickness on.
"""
OLD_LEAVE = """# Leave policy 2019

## Annual leave

Full-time staff have 20 days of annual leave a year.

## Sick leave

A doctor's note is needed from the first day of sickness on.
"""
HYGIENE = """# Hygiene rules {year}

## Hands

Hands are washed for at least {seconds} seconds before each shift.
"""
LIBRARY = {
    "Travel policy": TRAVEL,
    "Leave policy": LEAVE,
    "Leave policy 2019": OLD_LEAVE,
    "Hygiene rules 2023": HYGIENE.format(year=2023, seconds=20),
    "Hygiene rules 2024": HYGIENE.format(year=2024, seconds=30),
}


def mention(id_: str, label: str, category: str = "document") -> dict[str, Any]:
    """A mention as a TipTap editor has it."""
    return {"type": "mention", "attrs": {"id": id_, "label": label, "category": category}}


def tiptap(*content: dict[str, Any] | str) -> dict[str, Any]:
    """A document of one paragraph."""
    nodes = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    return {"type": "doc", "content": [{"type": "paragraph", "content": nodes}]}


async def shelved(
    client: httpx.AsyncClient, library: dict[str, str], **more: str
) -> dict[str, str]:
    """The ids of the documents, by title, once they can be searched."""
    ids = {}
    for title, text in library.items():
        said = {"text": text, "title": title, **more}
        job = (await client.post("/api/knowledge/ingest", json=said)).raise_for_status().json()
        await client.get(f"/api/knowledge/jobs/{job['jobId']}/events")  # ends with the job
        done = (await client.get(f"/api/knowledge/jobs/{job['jobId']}")).json()
        (ids[title],) = done["documents"]
    return ids


@dataclass
class Talk:
    """One conversation."""

    client: httpx.AsyncClient
    thread_id: str = field(default_factory=lambda: str(uuid4()))

    async def say(self, message: str, **more: Any) -> list[Event]:
        """The events of a turn."""
        return await self.sent("/api/chat", {"message": message, **more})

    async def answer(self, kind: str, value: str | None, **more: Any) -> list[Event]:
        """The events after an answer to the question that waits."""
        said = {"type": kind, "value": value, **more}
        return await self.sent("/api/chat/resume", {"resume_value": said})

    async def sent(self, path: str, body: dict[str, Any]) -> list[Event]:
        """The events of a request that is taken."""
        reply = await self.client.post(path, json={"thread_id": self.thread_id, **body})
        assert reply.status_code == 200, reply.text
        return events_of(reply.text)

    async def history(self) -> dict[str, Any]:
        """The conversation as it is read again."""
        reply = await self.client.get(f"/api/chat/history/{self.thread_id}")
        found: dict[str, Any] = reply.raise_for_status().json()
        return found


def events_of(text: str) -> list[Event]:
    """What a stream holds; its last event alone ends it."""
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    assert {one["type"] for one in events[:-1]} <= {"status", "claim", "restart"}, events
    assert events[-1]["type"] in ("response", "interrupt", "error"), events
    return events


def nodes(events: list[Event]) -> list[str]:
    """The nodes that were told of."""
    return [one["node"] for one in events if one["type"] == "status"]


async def each(stream: httpx.Response) -> AsyncIterator[Event]:
    """The events as they come."""
    async for line in stream.aiter_lines():
        if line.startswith("data: "):
            yield json.loads(line[6:])
