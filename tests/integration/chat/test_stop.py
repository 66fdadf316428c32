"""A turn stopped during a model call, by the person or because the key was revoked."""

import asyncio
from typing import Any

import httpx
import pytest

from app.domain.access import Principal
from app.runs import lease
from app.settings import Settings
from app.store.repositories import Store
from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import Wait
from tests.integration.chat.conversations import LEAVE, Event, Talk, each, shelved
from tests.integration.conftest import running

ASKS = {"message": "How many days of leave do full-time staff have?", "action": "inquire"}


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEW_S", 0.05)


async def last(talk: Talk) -> Event:
    """The event that a turn ends with."""
    body = ASKS | {"thread_id": talk.thread_id, "request_id": "cut-off"}
    async with talk.client.stream("POST", "/api/chat", json=body) as stream:
        return [event async for event in each(stream)][-1]


async def test_a_turn_is_stopped_by_whoever_asked_and_what_they_said_stays(
    model_client: httpx.AsyncClient, gemini: FakeGemini
):
    await shelved(model_client, {"Leave policy": LEAVE})
    talk = Talk(model_client)
    gemini.script(Wait())
    turn = asyncio.create_task(last(talk))
    await gemini.called(1)
    assert (await talk.history())["running"] is True
    path = f"/api/chat/conversations/{talk.thread_id}"
    assert (await model_client.delete(path)).status_code == 409
    assert (await model_client.post(f"{path}/stop")).json() == {"stopped": True}
    ended = await turn
    assert (ended["type"], ended["message"]) == ("error", "Stopped.")
    history = await talk.history()
    assert ([one["kind"] for one in history["messages"]], history["running"]) == (
        ["message"],
        False,
    )
    assert (await model_client.post(f"{path}/stop")).json() == {"stopped": False}


async def test_a_revoked_key_ends_the_turn_and_another_asks_again(
    gemini_settings: Settings, gemini: FakeGemini, store: Store
):
    ann = Principal(tenant="one", user="ann")
    key, secret = await store.keys.create(ann)
    _, newer = await store.keys.create(ann)

    def holding(url: str, given: str) -> httpx.AsyncClient:
        headers = {"Authorization": f"Bearer {given}"}
        return httpx.AsyncClient(base_url=url, headers=headers, timeout=20)

    async with (
        running(gemini_settings) as url,
        holding(url, secret) as client,
        holding(url, newer) as later,
    ):
        await shelved(later, {"Leave policy": LEAVE})
        talk = Talk(client)
        gemini.script(Wait())
        turn = asyncio.create_task(last(talk))
        await gemini.called(1)
        await store.keys.revoke("one", key.key_id)
        async with asyncio.timeout(60):
            ended: dict[str, Any] = await turn
        assert (ended["type"], ended["problem"]["status"]) == ("error", 401)
        gemini.script(
            {"action": "inquire", "confidence": "high"},
            {"claims": [], "answered": False, "confidence": "low"},
        )
        again = Talk(later, thread_id=talk.thread_id)
        told = (await again.sent("/api/chat", ASKS | {"request_id": "anew"}))[-1]
        assert told["type"] != "error"
