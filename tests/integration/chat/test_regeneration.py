"""Repeating or replacing the last question."""

import httpx
import pytest

from app.domain.access import Principal
from app.store.repositories import Store
from tests.fakes.gemini import FakeGemini
from tests.integration.chat.conversations import LIBRARY, Talk, mention, shelved, tiptap
from tests.integration.chat.test_model_calls import (
    ANSWER,
    ASKED,
    JUDGED,
    UNDERSTANDING,
    answer,
    judged,
    meant,
    said,
)
from tests.integration.chat.test_ownership import client_of

TRAINS = "How do staff travel by train?"
SECOND = said("Staff travel in second class.", "Staff travel by train in second class.")
LONDON = said("London: 180 euros.", "In London the limit is 180 euros a night.")


@pytest.fixture
async def ids(model_client: httpx.AsyncClient, gemini: FakeGemini) -> dict[str, str]:
    found = await shelved(model_client, LIBRARY)
    gemini.when(UNDERSTANDING, meant(), always=True)
    gemini.when(JUDGED, judged, always=True)
    gemini.calls.clear()
    return found


async def shown(talk: Talk) -> list[str]:
    return [one["content"] for one in (await talk.history())["messages"]]


async def id_of(talk: Talk, text: str) -> str:
    lines = (await talk.history())["messages"]
    return next(one["id"] for one in lines if one["content"] == text)  # type: ignore[no-any-return]


async def test_another_question_takes_the_place_of_the_last_and_nothing_is_remembered_of_it(
    model_client: httpx.AsyncClient, ids: dict[str, str], gemini: FakeGemini, store: Store
):
    talk = Talk(model_client)
    for text, claim in ((TRAINS, SECOND), (ASKED, LONDON)):
        gemini.when(ANSWER, answer(claim))
        await talk.say(text)
    old = await id_of(talk, ASKED)
    gemini.calls.clear()
    gemini.when(ANSWER, answer(LONDON))
    ended = (await talk.say("And in Paris?", replaces=old))[-1]
    (understanding, *_) = gemini.calls
    assert TRAINS in understanding.prompt
    assert ASKED not in understanding.prompt
    assert "London: 180" not in understanding.prompt
    now = await shown(talk)
    assert [now[0], now[2], now[3]] == [TRAINS, "And in Paris?", ended["response"]]
    assert len(now) == 4
    kept = await store.conversations.lines("one", talk.thread_id, limit=50)
    assert [one.content for one in kept if one.role == "user"] == [TRAINS, ASKED, "And in Paris?"]
    paid = (await model_client.get("/api/usage/logs")).json()["logs"]
    answers = {one.message_id for one in kept if one.role == "assistant"}
    assert {one["messageId"] for one in paid if one["sessionId"]} == answers
    gemini.calls.clear()
    gemini.when(ANSWER, answer(LONDON))
    await talk.say("Thank you, and in Rome?")
    assert "And in Paris?" in gemini.calls[0].prompt
    assert ASKED not in gemini.calls[0].prompt


async def test_the_same_question_is_asked_again_with_what_was_tagged(
    model_client: httpx.AsyncClient, ids: dict[str, str], gemini: FakeGemini
):
    talk = Talk(model_client)
    tagged = tiptap(f"{ASKED} ", mention(ids["Travel policy"], "Travel policy"))
    text = f"{ASKED} @Travel policy"
    gemini.when(ANSWER, answer(SECOND))
    first = (await talk.say(text, tiptap_json=tagged, action="inquire"))[-1]
    gemini.when(ANSWER, answer(LONDON))
    again = {"replaces": await id_of(talk, text), "request_id": "again"}
    second = (await talk.sent("/api/chat", again))[-1]
    assert first["documents"] == second["documents"]
    assert second["response"] == "London: 180 euros. [1]"
    assert await shown(talk) == [text, second["response"]]
    assert (await talk.sent("/api/chat", again))[-1] == second  # a repeat is no further turn
    assert await shown(talk) == [text, second["response"]]


async def test_a_question_that_waited_goes_with_the_turn_that_put_it(client: httpx.AsyncClient):
    await shelved(client, {"Travel policy": LIBRARY["Travel policy"]})
    talk = Talk(client)
    asked = "Summarize the submarine handbook"
    assert (await talk.say(asked))[-1]["type"] == "interrupt"
    ended = (await talk.say("Trains", replaces=await id_of(talk, asked)))[-1]
    history = await talk.history()
    assert [one["content"] for one in history["messages"]] == ["Trains", ended["response"]]
    assert history["pending_interrupt"] is None


async def test_only_ones_own_last_question_can_be_said_anew(
    client: httpx.AsyncClient, store: Store, base_url: str
):
    talk = Talk(client)
    for text in ("One", "Two"):
        await talk.say(text, action="inquire")
    before = await talk.history()
    two, one = await id_of(talk, "Two"), await id_of(talk, "One")
    thread = {"thread_id": talk.thread_id, "message": "Three"}
    early = await client.post("/api/chat", json={**thread, "replaces": one})
    assert early.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    none = await client.post("/api/chat", json={**thread, "replaces": "nothing"})
    assert none.status_code == httpx.codes.NOT_FOUND
    for who in (Principal(tenant="one", user="ben"), Principal(tenant="other", user="ann")):
        async with await client_of(store, base_url, who) as other:
            reply = await other.post("/api/chat", json={**thread, "replaces": two})
            assert reply.status_code == httpx.codes.NOT_FOUND
    assert await talk.history() == before
