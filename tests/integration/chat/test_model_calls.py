"""The chat's model calls: their content, their number and the cost of a turn."""

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

import httpx
import orjson
import pytest

from app.domain.metrics.usage import Budgets, Limit
from app.store.repositories import Store
from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.scripted import asks_for
from tests.fakes.steps import Cut, Say, Status, Wait
from tests.fakes.tavily import FakeTavily, found
from tests.integration.chat.conversations import (
    LIBRARY,
    Talk,
    each,
    mention,
    nodes,
    shelved,
    tiptap,
)

HOTEL = "In London the limit is 180 euros a night."
ASKED = "What may a night in London cost?"
NOT_THERE = "Which visa does Brazil demand?"
VAGUE = "The Travel policy, please do the needful"
UNDERSTANDING, ANSWER = asks_for("action", "unknown"), asks_for("claims", "answered")
MENDED, JUDGED = asks_for("claims"), asks_for("verdicts")


@pytest.fixture
async def ids(model_client: httpx.AsyncClient, gemini: FakeGemini) -> dict[str, str]:
    found = await shelved(model_client, LIBRARY)
    gemini.calls.clear()
    return found


@pytest.fixture
async def talk(model_client: httpx.AsyncClient, ids: dict[str, str]) -> Talk:
    return Talk(model_client)


def said(text: str, *words: str) -> dict[str, Any]:
    return {"text": text, "quotes": [{"source": "P1", "words": one} for one in words]}


RIGHT = said("A night in London may cost 180 euros.", HOTEL)
MADE_UP = said("Breakfast is included.", "Breakfast is included in London.")
NUMBER = said("A night in London may cost 90 euros.", HOTEL)


def answer(*claims: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"claims": list(claims), "answered": True, "confidence": "high", "language": "en"} | more


def meant(action: str = "inquire", confidence: str = "high", **more: Any) -> dict[str, Any]:
    return {"action": action, "confidence": confidence} | more


def of(title: str) -> Callable[[Call], list[str]]:
    """The references of the document in the prompt."""
    return lambda call: [
        line.split()[0] for line in call.prompt.splitlines() if f" {title} (" in line
    ]


def judged(call: Call) -> dict[str, Any]:
    count = call.prompt.count(", and its quotes")
    return {"verdicts": [{"claim": at + 1, "supported": True} for at in range(count)]}


async def actions(talk: Talk) -> list[str]:
    """What was paid for, the latest last."""
    logs = (await talk.client.get("/api/usage/logs")).json()["logs"]
    return [one["actionType"] for one in reversed(logs) if one["kind"] == "model"]


async def test_a_lookup_takes_three_calls_and_one_before_the_answer(
    talk: Talk, ids: dict[str, str], gemini: FakeGemini
):
    gemini.when(UNDERSTANDING, meant(question=ASKED))
    gemini.when(ANSWER, answer(RIGHT))
    gemini.when(JUDGED, judged)
    told = (await talk.say(ASKED))[-1]
    assert await actions(talk) == ["CHAT_INTENT", "CHAT_INQUIRE", "CHAT_SUPPORT"]
    assert told["response"] == "A night in London may cost 180 euros. [1]"
    (cited,) = told["citations"]
    assert (cited["quote"], cited["document_id"]) == (HOTEL, ids["Travel policy"])
    assert cited["heading_path"][-1] == "Hotels"
    assert (told["by_model"], told["claims_dropped"], told["claims_doubted"]) == (True, 0, 0)
    assert (told["inference_confidence"], told["retrieval_confidence"]) == ("high", "high")
    assert told["review"] is None
    assert told["tokens_used"] > 0
    assert told["cost_usd"] > 0


async def test_what_was_tagged_is_read_whole_and_nothing_is_asked_of_what_is_meant(
    talk: Talk, ids: dict[str, str], gemini: FakeGemini
):
    gemini.when(ANSWER, answer(RIGHT))
    gemini.when(JUDGED, judged)
    tagged = tiptap(f"{ASKED} ", mention(ids["Travel policy"], "Travel policy"))
    told = (await talk.say(f"{ASKED} @Travel policy", tiptap_json=tagged, action="inquire"))[-1]
    assert len(gemini.calls) == 2
    assert "Journeys of more than 4 hours" in gemini.calls[0].prompt
    assert "annual leave" not in gemini.calls[0].prompt
    assert told["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]


async def test_what_fails_goes_back_once_and_is_then_told_apart_from_the_answer(
    talk: Talk, gemini: FakeGemini
):
    gemini.when(UNDERSTANDING, meant())
    gemini.when(ANSWER, answer(RIGHT, NUMBER, MADE_UP))
    gemini.when(JUDGED, judged)
    gemini.when(MENDED, {"claims": [{"number": 2, **NUMBER}]})
    told = (await talk.say(ASKED))[-1]
    assert told["response"] == "A night in London may cost 180 euros. [1]"
    assert [one["text"] for one in told["unsupported"]] == [NUMBER["text"], MADE_UP["text"]]
    assert "90" in told["unsupported"][0]["reason"]
    assert told["claims_dropped"] == 2
    assert told["review"] is None  # nothing that is shown as supported speaks against itself
    assert len(gemini.calls) == 4


async def test_what_a_second_reading_doubts_is_marked_and_reviewed(talk: Talk, gemini: FakeGemini):
    gemini.when(UNDERSTANDING, meant())
    gemini.when(ANSWER, answer(RIGHT))
    gemini.when(JUDGED, {"verdicts": [{"claim": 1, "supported": False, "why": "it says at most"}]})
    told = (await talk.say(ASKED))[-1]
    assert told["response"].endswith("180 euros. [1] *(?)*")
    assert told["doubts"] == [{"text": RIGHT["text"], "reason": "it says at most"}]
    assert told["claims_doubted"] == 1
    assert told["review"] is not None


async def test_what_is_really_open_is_asked_and_an_answer_asks_no_model_again(
    talk: Talk, ids: dict[str, str], gemini: FakeGemini
):
    open_ = meant("summarize", "low", actions=["summarize", "audit"])
    gemini.when(UNDERSTANDING, lambda call: open_ | {"documents": of("Travel policy")(call)})
    asked = (await talk.say(VAGUE))[-1]
    assert asked["interrupt_type"] == "action_choice"
    assert [one["id"] for one in asked["options"]][:2] == ["summarize", "audit"]
    assert len(gemini.calls) == 1
    gemini.when(asks_for("claims"), {"claims": []}, always=True)
    told = (await talk.answer("action_choice", "summarize"))[-1]
    assert told["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]
    assert await actions(talk) == ["CHAT_INTENT", *(await actions(talk))[1:]]
    assert (await actions(talk)).count("CHAT_INTENT") == 1


async def test_candidates_of_one_name_are_shown(
    talk: Talk, ids: dict[str, str], gemini: FakeGemini
):
    def open_(call: Call) -> dict[str, Any]:
        found = [of(f"Hygiene rules {year}")(call)[0] for year in (2023, 2024)]
        return meant("inquire", "medium", candidates=found)

    gemini.when(UNDERSTANDING, open_)
    asked = (await talk.say("How long does the hygiene rule say?"))[-1]
    assert asked["interrupt_type"] == "doc_choice"
    assert {one["id"] for one in asked["options"]} >= {
        ids["Hygiene rules 2023"],
        ids["Hygiene rules 2024"],
    }


async def test_a_question_that_leans_on_the_one_before_is_asked_written_out(
    talk: Talk, gemini: FakeGemini
):
    gemini.when(
        UNDERSTANDING, meant(question=ASKED), meant(question="What may a night cost at most?")
    )
    gemini.when(ANSWER, answer(RIGHT), answer(RIGHT))
    gemini.when(JUDGED, judged, always=True)
    await talk.say(ASKED)
    await talk.say("And elsewhere?")
    understanding, asked = (one for one in gemini.calls[3:5])
    assert "A night in London may cost 180 euros." in understanding.prompt
    assert "What may a night cost at most?" in asked.prompt


async def test_nothing_is_filed_since_there_is_no_model(talk: Talk, gemini: FakeGemini):
    gemini.always(Status(400, message="no"))
    assert (await talk.say("What is the meaning of submarines?"))[-1].get("review") is None


async def test_somebody_is_told_something_while_the_model_thinks(
    talk: Talk, gemini: FakeGemini, ids: dict[str, str]
):
    thinks = threading.Event()
    gemini.when(UNDERSTANDING, Wait(meant("summarize"), gate=thinks))
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


async def test_half_an_answer_is_none_and_leaves_the_documents(talk: Talk, gemini: FakeGemini):
    gemini.when(UNDERSTANDING, meant())
    gemini.when(ANSWER, Cut(Say(orjson.dumps(answer(RIGHT)).decode()), 0.5), always=True)
    told = (await talk.say(ASKED))[-1]
    assert told["response"].startswith("Without a model this is a search of your documents")
    assert "180 euros" in told["response"]
    assert told["notices"]


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
    asked = (await talk.say(NOT_THERE))[-1]
    assert asked["interrupt_type"] == "retrieval_low"
    assert [one["id"] for one in asked["options"]] == ["tag_docs", "web_search", "continue"]
    assert tavily.calls == []
    events = await talk.answer("retrieval_low", "web_search")
    told = events[-1]
    assert "visa" in told["web_query"].casefold()
    assert [one["web_query"] for one in events[:-1] if "web_query" in one] == [told["web_query"]]
    (cited,) = [one for one in told["citations"] if one["kind"] == "web"]
    assert (cited["url"], cited["document_id"]) == ("https://visa.example/brazil", "")
    day = datetime.now().astimezone().date()
    assert cited["label"] == f"visa.example, {day}"
    assert "80 dollars" in told["response"].partition(f"**visa.example, {day}**")[2]


async def test_other_documents_are_named_by_a_question_within_the_question(
    talk: Talk, gemini: FakeGemini, ids: dict[str, str]
):
    gemini.always(Status(400, message="no"))
    await talk.say(NOT_THERE)
    asked = (await talk.answer("retrieval_low", "tag_docs"))[-1]
    assert asked["interrupt_type"] == "text_input"
    said = tiptap(mention(ids["Travel policy"], "Travel policy"))
    told = (await talk.answer("text_input", "", tiptap_json=said))[-1]
    assert told["type"] == "response"
    assert told["documents"] == [{"id": ids["Travel policy"], "title": "Travel policy"}]
