"""A request that was accepted, and is cut off before it has the lease of its thread: nothing comes of it."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.store.repositories import Store
from app.store.tasks.leases import STOPPER, Lease, Leases
from tests.fakes.clinic import ClinicPage

INTERACT = "/api/agent/interact"
GOAL = "Add a new patient with name 'Jas'"


@asynccontextmanager
async def held_up(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """Entered once a request is about to take its lease; left, it takes it."""
    real, about_to, go_on = Leases.acquire, threading.Event(), threading.Event()

    async def acquire(self: Leases, *given: Any, **named: Any) -> Lease | None:
        if not about_to.is_set():
            about_to.set()
            assert go_on.wait(60)
        return await real(self, *given, **named)

    monkeypatch.setattr(Leases, "acquire", acquire)
    try:
        yield await asyncio.to_thread(about_to.wait, 60)
    finally:
        go_on.set()


@pytest.mark.parametrize("repeated", [False, True])
async def test_a_task_that_was_cancelled_sends_nothing(
    client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch, repeated: bool
) -> None:
    page = ClinicPage()
    first = (await client.post(INTERACT, json=page.observation() | {"query": GOAL})).json()
    sent = page.step(first) | {"requestId": str(uuid4())}
    asking = asyncio.create_task(client.post(INTERACT, json=sent))
    async with held_up(monkeypatch):
        cancel = await client.post(f"/api/task/{first['taskId']}/cancel")
        assert cancel.status_code == 200, cancel.text
        if repeated:  # another request was stopped since
            await store.leases.acquire("one", first["taskId"], claim="c", ttl_s=6, key="request:r")
            await store.leases.take_over("one", first["taskId"], by=STOPPER, ttl_s=-1)
    ended = (await asking).json()
    assert (ended["type"], ended["status"]) == ("done", "interrupted")
    known = await store.actions.of_task("one", first["taskId"])
    assert [one.action_id for one in known] == [one["actionId"] for one in first["actions"]]
    assert (await client.post(INTERACT, json=sent)).json() == ended  # a repeat is told the same
    goes_on = page.observation() | {"taskId": first["taskId"]}
    assert (await client.post(INTERACT, json=goes_on)).json()["type"] == "action"


async def test_a_hand_back_does_not_end_a_pause_that_came_after_it(
    client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = ClinicPage()
    first = (await client.post(INTERACT, json=page.observation() | {"query": GOAL})).json()
    back = page.observation() | {"taskId": first["taskId"], "handBack": {"actions": []}}
    asking = asyncio.create_task(client.post(INTERACT, json=back))
    async with held_up(monkeypatch):
        pause = await client.post(f"/api/task/{first['taskId']}/pause")
        assert pause.status_code == 200, pause.text
    refused = await asking
    assert (refused.status_code, refused.json()["code"]) == (409, "TASK_PAUSED")
    again = await client.post(INTERACT, json=back | {"requestId": str(uuid4())})
    assert again.json()["type"] == "action"


async def test_a_conversation_that_was_stopped_gets_no_answer(
    client: httpx.AsyncClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread_id = str(uuid4())
    asks = {"message": "How many days of leave?", "thread_id": thread_id}
    first = await client.post("/api/chat", json=asks | {"request_id": "first"})
    assert first.status_code == 200, first.text
    asking = asyncio.create_task(client.post("/api/chat", json=asks | {"request_id": "second"}))
    async with held_up(monkeypatch):
        stop = await client.post(f"/api/chat/conversations/{thread_id}/stop")
        assert stop.status_code == 200, stop.text
    assert '"message":"Stopped."' in (await asking).text
    lines = await store.conversations.lines("one", thread_id, limit=9)
    assert [one.role for one in lines].count("user") == 2
    assert lines[-1].role == "user"
