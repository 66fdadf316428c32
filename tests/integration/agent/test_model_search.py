"""What must be found out on the web first, over the wire: model, search, model, page."""

from typing import Any
from uuid import uuid4

import httpx

from tests.fakes.calls import Call
from tests.fakes.gemini import FakeGemini
from tests.fakes.scripted import asks_for
from tests.fakes.steps import status
from tests.fakes.tavily import FakeTavily, found

INTERACT = "/api/agent/interact"
GOAL = "Whatever the main post office of Lyon has as its zip, our customer lives right there"
POST = ("Post office of Lyon", "https://www.laposte.fr/lyon", "Place Antonin Poncet, 69002 Lyon")


def page(zip_code: str = "") -> dict[str, Any]:
    return {
        "url": "http://127.0.0.1:9000/customers/7",
        "query": GOAL,
        "requestId": str(uuid4()),
        "domMode": "semantic_v3",
        "interactiveTree": [
            {"i": "3", "r": "inp", "n": "Zip code", "v": zip_code, "g": "form: Customer"},
            {"i": "4", "r": "btn", "n": "Save", "g": "form: Customer"},
        ],
        "viewport": {"width": 1280, "height": 800},
        "pageSummary": "Customer 7",
    }


def doing(*calls: str, **more: Any) -> dict[str, Any]:
    return {"thought": "Well.", "do": list(calls), "ends": True, "sure": 0.95, **more}


def opening(**more: Any) -> dict[str, Any]:
    return {"intent": "operation", "steps": [{"text": "Fill in the zip code"}], **doing(), **more}


def typing(call: Call) -> dict[str, Any]:
    return opening(do=[f'setValue("{call.id_of("Zip code")}", "69002")'])


def scripted(gemini: FakeGemini, first: Any) -> None:
    """The model opens with that, calls a result with the zip solved, and then types it."""
    gemini.when(asks_for("intent"), first, typing)
    gemini.when(asks_for("ok"), {"ok": True}, always=True)
    solved = {"solved": True, "answer": "69002"}
    gemini.when(asks_for("solved"), solved, always=True)
    gemini.always(typing)


async def begun(client: httpx.AsyncClient) -> dict[str, Any]:
    answer = await client.post(INTERACT, json=page())
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


async def test_a_goal_that_needs_the_web_is_searched_before_it_is_done(
    model_client: httpx.AsyncClient, gemini: FakeGemini, tavily: FakeTavily
) -> None:
    scripted(gemini, opening(sources=["WEB_SEARCH"], search="zip of the main post office Lyon"))
    tavily.script(found(POST))
    answer = await begun(model_client)
    assert [sent["action"] for sent in answer["actions"]] == ['setValue("3", "69002")'], answer
    assert tavily.queries == ["zip of the main post office Lyon"]
    assert "include_domains" not in tavily.calls[0].body  # the page is of this machine
    last = next(call for call in reversed(gemini.calls) if call.asks_for("do"))
    assert "69002" in last.prompt
    assert POST[1] in last.prompt


async def test_a_search_as_an_action_never_reaches_the_browser(
    model_client: httpx.AsyncClient, gemini: FakeGemini, tavily: FakeTavily
) -> None:
    scripted(gemini, opening(do=['googleSearch("zip of Lyon post office")']))
    tavily.script(found(POST))
    answer = await begun(model_client)
    assert [sent["action"] for sent in answer["actions"]] == ['setValue("3", "69002")'], answer
    assert tavily.queries == ["zip of Lyon post office"]


async def test_a_search_that_is_away_does_not_end_the_task_with_an_invented_value(
    model_client: httpx.AsyncClient, gemini: FakeGemini, tavily: FakeTavily
) -> None:
    scripted(gemini, opening(do=['googleSearch("zip of Lyon post office")']))
    tavily.always(status(432))
    answer = await begun(model_client)
    assert answer["type"] in {"interrupt", "done"}, answer
    assert answer.get("status") != "completed"
    told = [call.prompt for call in gemini.calls if call.asks_for("do")]
    assert "could not be searched: Tavily refused the search" in told[-1]
