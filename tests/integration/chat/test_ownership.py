"""Conversations belong to their person, and a tenant's concurrent turns are limited."""

import asyncio

import httpx
import pytest

from app.domain.access import Principal
from app.settings import Settings
from app.store.repositories import Store
from tests.integration.chat.conversations import TRAVEL, Talk, shelved
from tests.integration.conftest import running

ASKED = "Summarize the submarine handbook"


async def client_of(store: Store, url: str, who: Principal) -> httpx.AsyncClient:
    _, secret = await store.keys.create(who)
    return httpx.AsyncClient(
        base_url=url, headers={"Authorization": f"Bearer {secret}"}, timeout=20
    )


@pytest.mark.parametrize(
    "who", [Principal(tenant="one", user="ben"), Principal(tenant="other", user="ann")]
)
async def test_nobody_else_gets_at_a_conversation_its_question_or_its_answer(
    client: httpx.AsyncClient, store: Store, base_url: str, who: Principal
) -> None:
    await shelved(client, {"Travel policy": TRAVEL})
    talk = Talk(client)
    body = {"message": "What may a hotel in London cost a night?", "request_id": "mine"}
    answered = (await talk.sent("/api/chat", body))[-1]
    assert "180 euros" in answered["response"]
    answer_id = answered["message_id"]
    asked = (await talk.say(ASKED))[-1]
    before = await talk.history()
    async with await client_of(store, base_url, who) as other:
        thread = f"/api/chat/conversations/{talk.thread_id}"
        said = {"thread_id": talk.thread_id, "resume_value": {"type": "cancel", "value": None}}
        answer = {"type": "text_input", "value": "Travel policy"}
        doors = [
            other.patch(thread, json={"title": "Mine"}),
            other.post(f"{thread}/stop"),
            other.delete(thread),
            other.get(f"{thread}/export?format=md"),
            other.get(f"{thread}/export?format=docx"),
            other.put(f"{thread}/messages/{answer_id}/rating", json={"rating": "down"}),
            other.get(f"/api/hitl/{asked['hitl_id']}"),
            other.post(f"/api/hitl/{asked['hitl_id']}/answer", json=answer),
        ]
        for reply in await asyncio.gather(*doors):
            assert reply.status_code == httpx.codes.NOT_FOUND, reply.request.url
        resumed = await other.post("/api/chat/resume", json=said)
        assert resumed.status_code in (httpx.codes.BAD_REQUEST, httpx.codes.NOT_FOUND)
        seen = [resumed, await other.get("/api/hitl"), await other.get("/api/chat/conversations")]
        # The same request by another: refused, or in another tenant a conversation of its own.
        seen.append(await other.post("/api/chat", json=body))
        history = (await other.get(f"/api/chat/history/{talk.thread_id}")).json()
        assert (history["messages"], history["title"]) == ([], "")
        for reply in seen:
            assert "180 euros" not in reply.text
            assert asked["hitl_id"] not in reply.text
            assert talk.thread_id not in reply.text
    assert await talk.history() == before


async def test_a_tenant_has_so_many_turns_at_once(
    server_settings: Settings, store: Store, key: str
) -> None:
    settings = server_settings.model_copy(update={"running_tasks": 2})
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        busy = {
            task: await store.leases.acquire("one", task, claim="elsewhere", ttl_s=30)
            for task in ("a", "b")
        }
        talk = Talk(client)
        said = {"message": "What is said of hotels?", "thread_id": talk.thread_id}
        refused = await client.post("/api/chat", json=said)
        assert refused.status_code == httpx.codes.TOO_MANY_REQUESTS
        assert (await talk.history())["messages"] == []
        assert busy["a"] is not None
        await store.leases.release(busy["a"])
        assert (await talk.say("What is said of hotels?"))[-1]["type"] != "error"
