"""A conversation over the team's documents, without a model: over HTTP, on the real store."""

import asyncio

import httpx
import pytest

from app.settings import Settings
from tests.integration.chat.conversations import (
    LIBRARY,
    Talk,
    events_of,
    mention,
    nodes,
    shelved,
    tiptap,
)
from tests.integration.conftest import running

OPEN = "Summarize the hygiene rules"  # there are two
WHOLE = ["intent_resolver", "doc_resolver", "validate_inputs", "inquire", "format_response"]


@pytest.fixture
async def ids(client: httpx.AsyncClient) -> dict[str, str]:
    return await shelved(client, LIBRARY)


@pytest.fixture
async def talk(client: httpx.AsyncClient, ids: dict[str, str]) -> Talk:
    return Talk(client)


async def test_a_question_is_answered_with_where_it_stands(talk: Talk, ids: dict[str, str]):
    events = await talk.say("What may a hotel in London cost a night?")
    assert nodes(events) == WHOLE
    told = events[-1]
    assert "180 euros" in told["response"]
    (cited, *_) = told["citations"]
    assert f"[{cited['marker']}]" in told["response"]
    assert cited["document_id"] == ids["Travel policy"]
    assert "180 euros" in cited["quote"]
    assert (told["action"], told["by_model"], told["tokens_used"]) == ("inquire", False, 0)
    assert told["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]


async def test_a_named_action_is_not_looked_for_and_mentions_are_documents(
    talk: Talk, ids: dict[str, str]
):
    said = tiptap(mention(ids["Leave policy"], "Leave policy"))
    events = await talk.say("@Leave policy", tiptap_json=said, action="summarize")
    assert nodes(events) == ["doc_resolver", "validate_inputs", "summarize", "format_response"]
    assert events[0]["docs_found"] == [{"id": ids["Leave policy"], "title": "Leave policy"}]
    assert "25 days" in events[-1]["response"]


async def test_five_turns_and_a_restart_forget_no_document(server_settings: Settings, key: str):
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(server_settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        ids = await shelved(client, LIBRARY)
        talk = Talk(client)
        await talk.say("Summarize the Leave policy 2019")
        await talk.say("Summarize the Travel policy")
        await talk.say("What does a night in London cost at most?")
        await talk.say(
            "From which day on is a doctor's note needed?", tagged_doc_ids=[ids["Leave policy"]]
        )
        other = Talk(client)
        asked = (await other.say(OPEN))[-1]
    async with (
        running(server_settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        talk.client = other.client = client
        assert (await other.history())["pending_interrupt"] == asked
        chosen = ids["Hygiene rules 2024"]
        assert "30 seconds" in (await other.answer("doc_choice", chosen))[-1]["response"]
        events = await talk.say("Compare the Leave policy with the Leave policy 2019")
        found = {one["id"] for one in events[-1]["documents"]}
        assert found == {ids["Leave policy"], ids["Leave policy 2019"]}
        said = [one["role"] for one in (await talk.history())["messages"]]
        assert said == ["user", "assistant"] * 5


async def test_one_of_several_is_asked_for_and_kept_in_the_history(talk: Talk, ids: dict[str, str]):
    asked = (await talk.say(OPEN))[-1]
    assert (asked["type"], asked["interrupt_type"]) == ("interrupt", "doc_choice")
    labels = {one["id"]: one["label"] for one in asked["options"]}
    assert labels[ids["Hygiene rules 2023"]] == "Hygiene rules 2023"
    assert labels["all"] == "All of these"
    assert (await talk.history())["pending_interrupt"] == asked
    events = await talk.answer("doc_choice", ids["Hygiene rules 2024"])
    assert nodes(events)[0] == "doc_resolver"
    assert "30 seconds" in events[-1]["response"]
    history = await talk.history()
    assert history["pending_interrupt"] is None
    kinds = [(one["role"], one["kind"], one["content"]) for one in history["messages"][:3]]
    assert kinds == [
        ("user", "message", OPEN),
        ("system", "question", asked["message"]),
        ("user", "answer", "Hygiene rules 2024"),
    ]


async def test_what_is_lacking_is_asked_for_by_one_question_after_another(
    talk: Talk, ids: dict[str, str]
):
    asked = (await talk.say("compare", action="compare"))[-1]
    assert asked["interrupt_type"] == "text_input"
    asked = (await talk.answer("text_input", "Leave policy 2019"))[-1]
    assert asked["interrupt_type"] == "text_input"
    last = (
        await talk.answer(
            "text_input", "", tiptap_json=tiptap(mention(ids["Leave policy"], "Leave policy"))
        )
    )[-1]
    assert last["type"] == "response"
    assert "first day of sickness" in last["response"]
    assert "third day of sickness" in last["response"]
    assert {one["document_id"] for one in last["citations"]} == {
        ids["Leave policy"],
        ids["Leave policy 2019"],
    }


async def test_a_cancel_reaches_the_end_and_is_not_shown(talk: Talk):
    await talk.say(OPEN)
    told = (await talk.answer("cancel", None))[-1]
    assert (told["type"], told["cancelled"], told["response"]) == ("response", True, "")
    history = await talk.history()
    assert [one["kind"] for one in history["messages"]] == ["message", "question", "cancelled"]
    assert history["pending_interrupt"] is None
    assert "180" in (await talk.say("What does a hotel in London cost at most?"))[-1]["response"]


async def test_a_new_message_ends_the_question_before_it(talk: Talk):
    asked = (await talk.say(OPEN))[-1]
    told = (await talk.say("What does a hotel in London cost at most?"))[-1]
    assert "180" in told["response"]
    reply = await talk.client.get(f"/api/hitl/{asked['hitl_id']}")
    assert reply.json()["status"] == "cancelled"


async def answered_in_inbox(talk: Talk, inbox: httpx.AsyncClient, document_id: str) -> None:
    """Answer the question of a conversation in an inbox, and wait for its response."""
    question = (await talk.say(OPEN))[-1]
    assert question["interrupt_type"] == "doc_choice"
    choice = {"type": "doc_choice", "value": document_id}
    reply = await inbox.post(f"/api/hitl/{question['hitl_id']}/answer", json=choice)
    assert reply.status_code == 200, reply.text
    while (history := await talk.history())["messages"][-1]["role"] != "assistant":
        await asyncio.sleep(0.02)
    assert "30 seconds" in history["messages"][-1]["content"]


async def test_an_answer_in_another_inbox_goes_on_by_itself(talk: Talk, ids: dict[str, str]):
    await answered_in_inbox(talk, talk.client, ids["Hygiene rules 2024"])


async def test_an_operator_may_answer_for_whoever_asked(
    talk: Talk, ids: dict[str, str], operator: httpx.AsyncClient
):
    await answered_in_inbox(talk, operator, ids["Hygiene rules 2024"])
    theirs = (await operator.get(f"/api/chat/history/{talk.thread_id}")).json()
    assert (theirs["messages"], theirs["title"]) == ([], "")


async def test_nothing_waits_and_the_wrong_kind_of_answer(talk: Talk):
    said = {"thread_id": talk.thread_id, "resume_value": {"type": "cancel", "value": None}}
    reply = await talk.client.post("/api/chat/resume", json=said)
    assert (reply.status_code, reply.json()["code"]) == (400, "HITL_NOT_PENDING")
    asked = (await talk.say(OPEN))[-1]
    for wrong in ({"type": "action_choice", "value": "x"}, {"type": "doc_choice", "value": "x"}):
        said = {"thread_id": talk.thread_id, "resume_value": wrong}
        reply = await talk.client.post("/api/chat/resume", json=said)
        assert reply.status_code == 422, reply.text
        assert "hitlResponse" not in reply.text
    assert (await talk.history())["pending_interrupt"] == asked


async def test_a_repeat_gets_the_same_answer_and_is_said_once(talk: Talk):
    body = {
        "message": "What does a hotel in London cost at most?",
        "thread_id": talk.thread_id,
        "request_id": "once",
    }
    first, second = [(await talk.client.post("/api/chat", json=body)).text for _ in range(2)]
    assert events_of(first)[-1] == events_of(second)[-1]
    assert len((await talk.history())["messages"]) == 2
    other = await talk.client.post("/api/chat", json=body | {"message": "Another"})
    assert (other.status_code, other.json()["code"]) == (409, "REQUEST_ID_REUSED")


async def test_conversations_are_listed_renamed_and_deleted(talk: Talk):
    await talk.say(
        "What does a hotel in London cost at most, and who is it that has to agree to more?"
    )
    (one,) = (await talk.client.get("/api/chat/conversations")).json()["conversations"]
    assert one["title"].startswith("What does a hotel in London cost at most")
    assert (len(one["title"]) <= 61, one["message_count"]) == (True, 2)
    path = f"/api/chat/conversations/{talk.thread_id}"
    named = await talk.client.patch(path, json={"title": "  Hotels "})
    assert named.json()["title"] == "Hotels"
    assert (await talk.history())["title"] == "Hotels"
    assert (await talk.client.delete(path)).status_code == 204
    assert (await talk.history())["messages"] == []
    assert (await talk.client.get("/api/chat/conversations")).json()["conversations"] == []


async def test_what_the_store_let_go_of_is_known_from_the_conversation(
    talk: Talk, ids: dict[str, str], database
):
    await talk.say("Summarize the Leave policy 2019")
    await talk.say("Summarize the Travel policy")
    for name in ("checkpoints", "checkpoint_writes"):
        database[name].delete_many({})
    events = await talk.say("Summarize it")
    assert events[-1]["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]
