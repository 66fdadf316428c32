"""The chat with a model: what is asked of it, how often, and what a turn costs."""

import threading
from typing import Any

import httpx
import pytest

from app.domain.budget import Budgets, Limit
from app.store.port import Store
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.scripted import asks_for
from tests.fakes.steps import Status, Wait
from tests.fakes.tavily import FakeTavily, found
from tests.integration.chatting import LIBRARY, Talk, each, mention, nodes, shelved, tiptap

HOTEL = "In London the limit is 180 euros a night."
VAGUE = "The Travel policy, please do the needful"


@pytest.fixture
async def ids(model_client: httpx.AsyncClient, gemini: FakeGemini) -> dict[str, str]:
    found = await shelved(model_client, LIBRARY)
    gemini.calls.clear()
    return found


@pytest.fixture
async def talk(model_client: httpx.AsyncClient, ids: dict[str, str]) -> Talk:
    return Talk(model_client)


def ref_of(call: Call, words: str) -> str:
    """The reference under which the prompt shows a passage with these words."""
    before = call.prompt[: call.prompt.index(words)]
    found: str = max(
        (one for one in before.replace("\n", " ").split() if one.strip("[]:().").startswith("P")),
        key=before.rindex,
    )
    return found.strip("[]:().")


def hotel(call: Call) -> dict[str, Any]:
    ref = ref_of(call, HOTEL)
    claims = [
        {
            "text": "A night in London may cost 180 euros.",
            "citations": [{"passage": ref, "quote": HOTEL}],
        },
        {"text": "Breakfast is included.", "citations": [{"passage": ref, "quote": HOTEL}]},
        {"text": "It was 90 euros before.", "citations": [{"passage": "P99", "quote": "90 euros"}]},
    ]
    return {"claims": claims, "answered": True, "confidence": "high"}


def meant(confidence: str, action: str = "summarize", **more: Any) -> dict[str, Any]:
    return {
        "action": action,
        "confidence": confidence,
        "enable_web_search": False,
        "multi_action_detected": False,
        "candidates": [action, "inquire"],
        "reasoning": "",
    } | more


def meant_of(confidence: str, ids: list[str], **more: Any) -> dict[str, Any]:
    documents = {
        "resolved_ids": ids,
        "unresolved_names": [],
        "inference_confidence": "high",
        "has_implicit_refs": False,
        "reasoning": "",
    }
    return meant(confidence, **more) | {"documents": documents}


async def test_a_named_action_on_tagged_documents_asks_for_nothing_but_the_answer(
    talk: Talk, ids: dict[str, str], gemini: FakeGemini, store: Store
):
    gemini.when(asks_for("claims", "answered"), hotel, always=True)
    said = tiptap(
        "What may a night in London cost? ", mention(ids["Travel policy"], "Travel policy")
    )
    told = (
        await talk.say(
            "What may a night in London cost? @Travel policy", tiptap_json=said, action="inquire"
        )
    )[-1]
    assert len(gemini.calls) == 1
    assert "180 euros [1]" in told["response"] or "180 euros. [1]" in told["response"]
    assert "Breakfast" not in told["response"]
    assert "90" not in told["response"]
    assert (told["by_model"], told["claims_dropped"]) == (True, 2)
    assert [one["quote"] for one in told["citations"]] == [HOTEL]
    assert told["tokens_used"] > 0
    assert told["cost_usd"] > 0
    logs = (await talk.client.get("/api/usage/logs")).json()["logs"]
    assert [one["actionType"] for one in logs if one["kind"] == "model"] == ["CHAT_INQUIRE"]


async def test_at_most_two_calls_tell_what_is_meant_and_an_answer_repeats_none(
    talk: Talk, ids: dict[str, str], gemini: FakeGemini
):
    gemini.when(asks_for("documents"), meant_of("low", [ids["Travel policy"]]))
    gemini.when(asks_for("multi_action_detected"), meant("low"))
    asked = (await talk.say(VAGUE))[-1]
    assert asked["interrupt_type"] == "action_choice"
    assert asked["options"][0]["id"] == "summarize"
    assert len(gemini.calls) == 2
    gemini.calls.clear()
    gemini.when(asks_for("claims"), {"claims": []}, always=True)
    told = (await talk.answer("action_choice", "summarize"))[-1]
    assert told["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]
    assert not [one for one in gemini.calls if not one.asks_for("claims")]


async def test_somebody_is_told_something_while_the_model_thinks(
    talk: Talk, gemini: FakeGemini, ids: dict[str, str]
):
    thinks = threading.Event()
    gemini.when(
        asks_for("multi_action_detected"),
        Wait(meant_of("high", [ids["Travel policy"]]), gate=thinks),
    )
    gemini.when(asks_for("claims"), {"claims": []}, always=True)
    body = {"message": VAGUE, "thread_id": talk.thread_id}
    seen = []
    async with talk.client.stream("POST", "/api/chat", json=body) as stream:
        async for event in each(stream):
            if not seen:
                assert event["node"] == "intent_resolver"
                thinks.set()
            seen.append(event)
    assert nodes(seen)[0] == "intent_resolver"
    assert len(nodes(seen)) == len(set(nodes(seen)))
    assert seen[-1]["type"] in ("response", "interrupt")


async def test_a_model_that_is_away_leaves_the_documents(talk: Talk, gemini: FakeGemini):
    gemini.always(Status(400, message="no"))
    told = (await talk.say("What may a hotel in London cost a night?"))[-1]
    assert told["type"] == "response"
    assert "euros" in told["response"]
    assert told["by_model"] is False
    assert any("model" in one for one in told["notices"])


async def test_a_budget_that_is_used_up_costs_the_model_and_not_the_answer(
    talk: Talk, gemini: FakeGemini, store: Store
):
    await store.budgets.put(Budgets(tenant="one", whole=Limit(limit_usd=0.0000001)))
    told = (await talk.say("What may a hotel in London cost a night?"))[-1]
    assert gemini.calls == []
    assert "euros" in told["response"]
    assert (told["by_model"], told["cost_usd"]) == (False, 0.0)
    assert told["notices"]


async def test_the_web_is_searched_when_the_person_says_so_and_cited_apart(
    talk: Talk, gemini: FakeGemini, tavily: FakeTavily
):
    gemini.always(Status(400, message="no"))
    page = ("Visa rules", "https://visa.example/brazil", "A visa for Brazil costs 80 dollars.")
    tavily.always(found(page))
    asked = (await talk.say("What does a visa for Brazil cost?"))[-1]
    assert asked["interrupt_type"] == "retrieval_low"
    assert [one["id"] for one in asked["options"]] == ["tag_docs", "web_search", "continue"]
    assert tavily.calls == []
    events = await talk.answer("retrieval_low", "web_search")
    told = events[-1]
    assert "visa" in told["web_query"].casefold()
    assert [one["web_query"] for one in events[:-1] if "web_query" in one] == [told["web_query"]]
    (cited,) = [one for one in told["citations"] if one["kind"] == "web"]
    assert (cited["url"], cited["document_id"]) == ("https://visa.example/brazil", "")
    assert "80 dollars" in told["response"].partition("From the web")[2]


async def test_other_documents_are_named_by_a_question_within_the_question(
    talk: Talk, gemini: FakeGemini, ids: dict[str, str]
):
    gemini.always(Status(400, message="no"))
    await talk.say("What does a visa for Brazil cost?")
    asked = (await talk.answer("retrieval_low", "tag_docs"))[-1]
    assert asked["interrupt_type"] == "text_input"
    said = tiptap(mention(ids["Travel policy"], "Travel policy"))
    told = (await talk.answer("text_input", "", tiptap_json=said))[-1]
    assert told["type"] == "response"
    assert told["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]
