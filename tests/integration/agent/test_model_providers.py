"""Another provider, one that stays away, and what is written down of each call, over the wire."""

from typing import Any

import httpx

from app.settings import Settings
from app.store.open import open_store
from tests.fakes.gemini import FakeGemini
from tests.fakes.openai_api import FakeOpenAI
from tests.fakes.steps import not_json, status
from tests.integration.conftest import running
from tests.integration.desk import INTERACT, Desk, Screen, node, opening

GOAL = "Whoever asked for it, our customer is now reached at 555 1234"
FORM = Screen(
    (
        node(1, "link", "Home", g="nav: Main"),
        node(3, "inp", "Phone", "", g="form: Customer"),
        node(5, "btn", "Save", g="form: Customer"),
    )
)
TYPES = 'setValue(3, "555 1234")'
SUMS = ("inputTokens", "outputTokens", "costUsd", "modelCalls")


async def asked(client: httpx.AsyncClient) -> dict[str, Any]:
    answer: dict[str, Any] = (await client.post(INTERACT, json=FORM.body(query=GOAL))).json()
    return answer


async def test_an_openai_compatible_endpoint_does_as_well(
    server_settings: Settings, openai_api: FakeOpenAI, key: str
) -> None:
    named = {"llm": "openai", "openai_base_url": openai_api.base_url, "openai_model": "some-model"}
    openai_api.script(status(503), opening(TYPES, "click(5)"))
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(server_settings.model_copy(update=named)) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as client,
    ):
        answer = await asked(client)
    assert [one["action"] for one in answer["actions"]] == [
        'setValue("3", "555 1234")',
        'click("5")',
    ]
    assert answer["notice"] is None
    assert len(openai_api.calls) == 2
    assert answer["usage"]["model"] == "some-model"


async def test_a_provider_that_stays_away_is_left_alone(
    model_client: httpx.AsyncClient, gemini: FakeGemini
) -> None:
    gemini.always(not_json())
    notices = [(await asked(model_client))["notice"] for _ in range(6)]
    assert all("going on by rules" in notice for notice in notices)
    assert len(gemini.calls) == 5
    assert "not called for now" in notices[-1]


async def test_each_call_over_the_wire_is_written_down(desk: Desk) -> None:
    desk.gemini.script(status(503), opening(TYPES, next="Save", must=True))
    trip = await desk.begin(FORM, GOAL)
    async with open_store(desk.settings) as store:
        rows = await store.usage.of_task("default", trip.answer["taskId"])
    assert [(row.ok, row.input_tokens > 0) for row in rows] == [(False, False), (True, True)]
    assert [row.model for row in rows] == [call.model for call in trip.calls]
    assert [row.input_tokens for row in rows] == [call.input_tokens for call in trip.calls]
    spent = trip.answer["usage"]
    assert (spent["modelCalls"], spent["inputTokens"]) == (
        2,
        sum(c.input_tokens for c in trip.calls),
    )
    story = (await desk.client.get(f"/api/task/{trip.answer['taskId']}")).json()
    assert {name: story["usage"][name] for name in SUMS} == {name: spent[name] for name in SUMS}
    expected = story["actions"][0]["expectedOutcome"]  # kept before it was sent, to be scored
    assert expected["values"] == {"3": "555 1234"}
    assert expected["nextGoal"] | {"description": ""} == {
        "description": "", "role": None, "textContent": "Save", "required": True,
    }  # fmt: skip
