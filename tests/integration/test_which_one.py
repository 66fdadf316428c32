"""Several things fit: the person says which, and is not asked again on that site."""

from uuid import uuid4

import httpx
import pytest

from tests.integration.desk import INTERACT, Screen, node

BILLING, SHIPPING = "section: Billing", "section: Shipping"
PAGE = Screen(
    nodes=(
        node(1, "btn", "Edit", g=BILLING),
        node(2, "btn", "Edit", g=SHIPPING),
        node(3, "link", "Home"),
    )
)
ORDERS = Screen(
    nodes=(
        node(1, "btn", "Delete", g="row: Ann Lee, 2 chairs"),
        node(2, "btn", "Delete", g="row: Ann Lee, 1 table"),
    )
)


async def begin(client: httpx.AsyncClient, goal: str, screen: Screen = PAGE) -> dict:
    reply = await client.post(INTERACT, json=screen.body(query=goal))
    assert reply.status_code == 200, reply.text
    return reply.json()


async def say(client, asked: dict, value, screen: Screen = PAGE, kind="element_choice"):
    said = {"hitlId": asked["hitlId"], "type": kind, "value": value}
    body = screen.body(taskId=asked["taskId"], sessionId=asked["sessionId"], hitlResponse=said)
    return await client.post(INTERACT, json=body)


async def test_the_candidates_are_put_as_numbered_options(client):
    asked = await begin(client, "Click Edit")
    assert (asked["type"], asked["kind"]) == ("interrupt", "disambiguation")
    assert (asked["interruptType"], asked["expectedInput"]) == ("element_choice", "single_choice")
    assert asked["options"] == [
        {"id": "1", "label": "Edit (Billing)", "elementId": "1"},
        {"id": "2", "label": "Edit (Shipping)", "elementId": "2"},
    ]
    assert "Edit" in asked["message"]


@pytest.mark.parametrize("value", ["2", ["2"], "Edit (Shipping)", "shipping"])
async def test_what_was_chosen_is_clicked(client, value):
    asked = await begin(client, "Click Edit")
    answer = (await say(client, asked, value)).json()
    assert (answer["type"], answer["action"]) == ("action", 'click("2")')


async def test_an_answer_that_names_none_is_refused_and_the_question_stays(client):
    asked = await begin(client, "Click Edit")
    for wrong in ("3", "Save", "Edit"):
        refused = await say(client, asked, wrong)
        assert refused.status_code == 422
        assert "Edit (Shipping)" in refused.json()["detail"]
    assert (await say(client, asked, "words", kind="text_input")).status_code == 422
    assert (await say(client, asked, "1")).json()["action"] == 'click("1")'


async def test_the_choice_is_remembered_for_the_site_and_nowhere_else(client, other):
    asked = await begin(client, "Click Edit")
    await say(client, asked, "2")
    assert (await begin(client, "Click Edit"))["action"] == 'click("2")'
    elsewhere = Screen(nodes=PAGE.nodes, url="https://shop.example/orders")
    assert (await begin(client, "Click Edit", elsewhere))["type"] == "interrupt"
    assert (await begin(other, "Click Edit"))["type"] == "interrupt"


async def test_the_newest_choice_counts(client):
    first = await begin(client, "Click Edit")
    await say(client, first, "2")
    moved = Screen(nodes=(*PAGE.nodes, node(9, "btn", "Edit", g="section: Notes")))
    again = await begin(client, "Click Edit", moved)
    assert again["action"] == 'click("2")'


async def test_one_of_many_records_is_asked_for_each_time(client):
    for value in ("2", "1"):
        asked = await begin(client, "Delete the order of Ann Lee", ORDERS)
        assert asked["kind"] == "disambiguation"
        assert [one["label"] for one in asked["options"]] == [
            "Delete (Ann Lee, 2 chairs)",
            "Delete (Ann Lee, 1 table)",
        ]
        answer = (await say(client, asked, value, ORDERS)).json()
        assert answer["action"] == f'click("{value}")'


async def test_a_cancel_does_nothing(client):
    asked = await begin(client, "Click Edit")
    answer = (await say(client, asked, None, kind="cancel")).json()
    assert (answer["type"], answer["status"]) == ("done", "interrupted")


async def test_the_history_holds_the_choice_in_words(client):
    asked = await begin(client, "Click Edit")
    await say(client, asked, "2")
    found = await client.get(f"/api/session/{asked['sessionId']}/messages")
    said = [one["content"] for one in found.json()["messages"] if one["role"] == "user"]
    assert said[0] == "Click Edit"
    assert "Edit" in said[1]


async def test_another_goal_takes_the_question_back(client):
    asked = await begin(client, "Click Edit")
    body = PAGE.body(taskId=asked["taskId"], query="Click Home", requestId=str(uuid4()))
    answer = (await client.post(INTERACT, json=body)).json()
    assert answer["action"] == 'click("3")'
