"""A turn of the chat in LangFuse and in the accounts: one trace, and one id of its answer."""

from typing import Any

import httpx
import pytest

from app.settings import Settings
from tests.fakes.gemini import FakeGemini
from tests.fakes.langfuse import FakeLangfuse, Seen
from tests.integration.chat.conversations import LIBRARY, Talk, shelved
from tests.integration.chat.test_model_calls import (
    ANSWER,
    ASKED,
    JUDGED,
    MADE_UP,
    MENDED,
    RIGHT,
    UNDERSTANDING,
    VAGUE,
    answer,
    judged,
    meant,
    of,
)
from tests.integration.observability.test_langfuse import above, langfuse, served, told

__all__ = ["langfuse"]


@pytest.fixture
def traced(gemini_settings: Settings, langfuse: FakeLangfuse) -> Settings:
    return told(gemini_settings, langfuse)


async def rows(client: httpx.AsyncClient) -> list[dict[str, Any]]:
    """What the turns cost; taking documents in is no part of them."""
    found = (await client.get("/api/usage/logs")).json()["logs"]
    return [one for one in found if one["sessionId"]]


def of_trace(langfuse: FakeLangfuse, trace_id: str) -> list[Seen]:
    return [one for one in langfuse.seen if one.trace_id == trace_id]


async def test_a_turn_is_one_trace_with_its_nodes_calls_and_scores(
    traced: Settings, gemini: FakeGemini, langfuse: FakeLangfuse, key: str
):
    async with served(traced, key) as client:
        await shelved(client, LIBRARY)
        gemini.when(UNDERSTANDING, meant(question=ASKED))
        gemini.when(ANSWER, answer(RIGHT, MADE_UP))
        gemini.when(JUDGED, judged)
        gemini.when(MENDED, {"claims": []})
        ended = (await Talk(client).say(ASKED))[-1]
        spent = await rows(client)
    (root,) = [one for one in langfuse.seen if one.name == f"chat-turn-{ended['message_id']}"]
    assert root.read("output")["said"] == ended["response"]
    assert root.attributes["session.id"] == ended["thread_id"]
    seen = of_trace(langfuse, root.trace_id)
    (request,) = langfuse.children(root)
    nodes = [one.name for one in langfuse.children(request)]
    assert [one for one in nodes if "-" in one] == [
        "intent-resolver", "doc-resolver", "validate-inputs", "format-response"
    ]  # fmt: skip
    assert "inquire" in nodes
    calls = {one.name: above(langfuse, one)[0] for one in seen if one.kind == "generation"}
    assert calls["intent"] == "intent-resolver"
    assert {calls["inquire"], calls["support"]} == {"inquire"}
    assert langfuse.scored()["answer_support"] == 0.5
    assert langfuse.scored()["answer_doubt"] == 1
    assert {one["messageId"] for one in spent} == {ended["message_id"]}
    assert {one["traceId"] for one in spent} == {root.trace_id}


async def test_a_turn_that_asks_goes_on_in_its_trace_and_under_the_id_of_its_answer(
    traced: Settings, gemini: FakeGemini, langfuse: FakeLangfuse, key: str
):
    async with served(traced, key) as client:
        await shelved(client, LIBRARY)
        talk = Talk(client)
        open_ = meant("summarize", "low", actions=["summarize", "audit"])
        gemini.when(UNDERSTANDING, lambda call: open_ | {"documents": of("Travel policy")(call)})
        gemini.when(MENDED, {"claims": []}, always=True)
        assert (await talk.say(VAGUE))[-1]["type"] == "interrupt"
        ended = (await talk.answer("action_choice", "summarize"))[-1]
        spent = await rows(client)
    assert {"CHAT_INTENT", "CHAT_SUMMARIZE"} <= {one["actionType"] for one in spent}
    assert {one["messageId"] for one in spent} == {ended["message_id"]}
    (root,) = [one for one in langfuse.seen if one.name == f"chat-turn-{ended['message_id']}"]
    assert {one["traceId"] for one in spent} == {root.trace_id}
    assert [one.name for one in langfuse.children(root)] == ["request", "request"]
    assert root.read("output")["status"] == "completed"


async def test_what_a_person_thinks_of_an_answer_is_kept_counted_and_told(
    server_settings: Settings, langfuse: FakeLangfuse, key: str
):
    async with served(told(server_settings, langfuse), key) as client:
        talk = Talk(client)
        ended = (await talk.say("What may a night in London cost?", action="inquire"))[-1]
        address = f"/api/chat/conversations/{talk.thread_id}/messages"
        rated = f"{address}/{ended['message_id']}/rating"
        for said in (
            {"rating": "up"},
            {"rating": "down", "comment": "The password is hunter2-4711"},
        ):
            assert (await client.put(rated, json=said)).json()["rating"] == said["rating"]
        asked, answered = (await talk.history())["messages"]
        table = (await client.get("/api/metrics/kpis")).json()["table"]
        (kpi,) = [one for one in table if one["key"] == "user_satisfaction"]
        thoughts = await client.get("/api/metrics/ratings")
        assert thoughts.status_code == httpx.codes.FORBIDDEN  # the words are for operators
        for wrong in (asked["id"], "no-such-answer"):
            gone = await client.put(f"{address}/{wrong}/rating", json={"rating": "up"})
            assert gone.status_code == httpx.codes.NOT_FOUND
        assert (await client.put(rated, json={"rating": "fine"})).status_code == 422
    assert answered["rating"]["rating"] == "down"
    assert answered["rating"]["comment"] == "The password is hunter2-4711"
    assert asked["rating"] is None
    assert (kpi["value"], kpi["count"]) == (0.0, 1)
    (score,) = [one for one in langfuse.scores.values() if one["name"] == "user_satisfaction"]
    assert (score["value"], score["traceId"]) == (0.0, ended["trace_id"])
    assert "hunter2-4711" not in score["comment"]
