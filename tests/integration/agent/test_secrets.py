"""Secrets, and what a page shows of people, go to no model, no search, no row and no stream."""

import json
from typing import Any

import httpx
import pytest
from pymongo import MongoClient

from app.settings import Settings
from tests.fakes.gemini import FakeGemini
from tests.fakes.tavily import FakeTavily, found
from tests.integration.agent.test_hostile_page import GOAL as NEW_PATIENT
from tests.integration.agent.test_hostile_page import INTERACT, look, node, says

PAGE = [
    node("1", "inp", "Username", g="form: Sign in"),
    node("2", "inp", "Password", t="password", g="form: Sign in"),
    node("3", "inp", "PIN", g="form: Sign in"),
    node("4", "btn", "Sign in", g="form: Sign in"),
]


def everything_stored(settings: Settings) -> str:
    """Every row but those of the thread, which must still type what it was told."""
    assert settings.mongodb_uri is not None
    with MongoClient[dict[str, Any]](settings.mongodb_uri.get_secret_value()) as client:
        rooms = client[settings.mongodb_database]
        names = [name for name in rooms.list_collection_names() if "checkpoint" not in name]
        return "\n".join(str(row) for name in names for row in rooms[name].find())


def sign_in(**more: Any) -> dict[str, Any]:
    return look(interactiveTree=PAGE, pageSummary="Sign in", **more)


async def streamed(client: httpx.AsyncClient, body: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """The terminal event, and all that came before it."""
    headers = {"Accept": "text/event-stream"}
    text = (await client.post(INTERACT, json=body, headers=headers)).text
    events = [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]
    return events[-1], json.dumps(events[:-1])


@pytest.mark.parametrize(
    "answer",
    [
        "ann, correct horse battery, 47118530",
        "ann\ncorrect horse battery\n47118530",
        "username: ann, password: 'correct horse battery', PIN: 47118530",
    ],
)
async def test_answered_secrets_are_typed_and_nowhere_else(
    answer: str, model_client: httpx.AsyncClient, gemini: FakeGemini, gemini_settings: Settings
):
    gemini.script(
        says(ask=["Username", "Password", "PIN"]),
        says('setValue(2, "SECRET_1")', 'setValue(3, "SECRET_2")', search=""),
    )
    goal = "Get me in there, as I always do"
    question, before = await streamed(model_client, sign_in(query=goal))
    assert question["type"] == "interrupt", question
    assert "It will be entered on clinic.example." in question["message"]
    said = {"hitlId": question["hitlId"], "type": "text_input", "value": answer}
    body = sign_in(taskId=question["taskId"], hitlResponse=said)
    acted, during = await streamed(model_client, body)
    assert [one["actionDetails"]["args"]["text"] for one in acted["actions"]] == [
        "correct horse battery",
        "47118530",
    ], acted
    story = await model_client.get(f"/api/task/{question['taskId']}")
    messages = await model_client.get(f"/api/session/{question['sessionId']}/messages")
    asked = "".join(f"{call.system}{call.prompt}" for call in gemini.calls)
    for place in (asked, before, during, story.text, messages.text):
        assert "horse" not in place
        assert "47118530" not in place
    rows = everything_stored(gemini_settings)
    assert "inputTokens" in rows
    for secret in ("correct horse", "47118530"):
        assert not [row for row in rows.splitlines() if secret in row]


async def test_a_secret_of_the_goal_in_whatever_words(
    model_client: httpx.AsyncClient, gemini: FakeGemini, tavily: FakeTavily
):
    goal = (
        "My password is hunter22!x and the PIN: 47118530 should do, find out how one gets in there"
    )
    typing = says('setValue(2, "SECRET_1")')
    gemini.when(lambda _: True, says(search=goal, steps=[]), typing, always=True)
    tavily.always(found(("Help", "https://help.example/in", "Enter what you have.")))
    answer = (await model_client.post(INTERACT, json=sign_in(query=goal))).json()
    assert tavily.queries
    for text in (*tavily.queries, *(call.prompt for call in gemini.calls), answer["thought"]):
        assert "hunter22" not in text
        assert "47118530" not in text


async def test_what_a_page_shows_of_people_is_not_searched_for(
    model_client: httpx.AsyncClient, gemini: FakeGemini, tavily: FakeTavily
):
    asking = says(search="postal code of Ann Miller 123-45-6789, new Patel in Lyon", steps=[])
    gemini.when(lambda _: True, asking, says(steps=[], ask=["Postal code"]), always=True)
    tavily.always(found())
    await model_client.post(INTERACT, json=look(query=f"{NEW_PATIENT}, in Lyon"))
    assert tavily.queries
    for query in tavily.queries:
        assert "Lyon" in query
        assert not {"Ann", "Miller", "123-45-6789"} & set(query.replace(",", " ").split()), query
