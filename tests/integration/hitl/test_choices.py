"""Several things fit: the person says which, and is not asked again on that site."""

from dataclasses import replace
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


async def agreed(client, answer: dict, screen: Screen) -> dict:
    """The answer, after a yes to what is to be agreed to first."""
    if answer["type"] == "interrupt" and answer["kind"] == "approval":
        return (await say(client, answer, "yes", screen, "yes_no")).json()
    return answer


async def go_on(client, answer: dict, screen: Screen) -> dict:
    """What was asked for was done, and the page looks like this now."""
    done = answer["actions"][-1]
    told = {
        "taskId": answer["taskId"],
        "lastActionId": done["actionId"],
        "lastActionStatus": "success",
        "lastExecutedActionIndex": done["index"],
        "clientObservations": {"didDomMutate": True, "didNetworkOccur": True},
    }
    return (await client.post(INTERACT, json=screen.body(**told))).json()


async def test_the_candidates_are_put_as_numbered_options(client):
    asked = await begin(client, "Click Edit")
    assert (asked["type"], asked["kind"]) == ("interrupt", "disambiguation")
    assert (asked["interruptType"], asked["expectedInput"]) == ("element_choice", "single_choice")
    assert asked["options"] == [
        {"id": "1", "label": "Edit (section: Billing)", "elementId": "1"},
        {"id": "2", "label": "Edit (section: Shipping)", "elementId": "2"},
    ]
    assert "Edit" in asked["message"]


@pytest.mark.parametrize("value", ["2", ["2"], "the second", "shipping"])
async def test_what_was_chosen_is_clicked(client, value):
    asked = await begin(client, "Click Edit")
    answer = (await say(client, asked, value)).json()
    assert (answer["type"], answer["action"]) == ("action", 'click("2")')


async def test_an_answer_that_names_none_is_refused_and_the_question_stays(client):
    asked = await begin(client, "Click Edit")
    for wrong in ("3", "Save", "Edit", "both", ["1", "2"]):
        refused = await say(client, asked, wrong)
        assert refused.status_code == 422
        assert "Edit (section: Shipping)" in refused.json()["detail"]
    assert (await say(client, asked, "words", kind="text_input")).status_code == 422
    assert (await say(client, asked, "1")).json()["action"] == 'click("1")'


async def test_none_of_them_ends_it_and_does_nothing(client):
    asked = await begin(client, "Click Edit")
    answer = (await say(client, asked, "neither")).json()
    assert (answer["type"], answer["status"]) == ("done", "failed")
    assert "nothing was done" in answer["result"]


async def test_the_choice_is_remembered_for_the_site_and_nowhere_else(client, other):
    asked = await begin(client, "Click Edit")
    await say(client, asked, "2")
    again = await begin(client, "Click Edit")
    assert again["action"] == 'click("2")'
    assert "You chose Edit (Shipping) last time" in again["thought"]
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
        assert (asked["kind"], asked["expectedInput"]) == ("disambiguation", "multi_choice")
        assert [one["label"] for one in asked["options"]] == [
            "Delete (row: Ann Lee, 2 chairs)",
            "Delete (row: Ann Lee, 1 table)",
        ]
        answer = await agreed(client, (await say(client, asked, value, ORDERS)).json(), ORDERS)
        assert answer["action"] == f'click("{value}")'


@pytest.mark.parametrize("value", ["both", "שניהם", ["1", "2"]])
async def test_both_are_deleted_once_each(client, value):
    asked = await begin(client, "Delete the order of Ann Lee", ORDERS)
    first = await agreed(client, (await say(client, asked, value, ORDERS)).json(), ORDERS)
    assert first["action"] == 'click("1")'
    steps = [step["description"] for step in first["plan"]["steps"]]
    assert [("2 chairs" in one, "1 table" in one) for one in steps] == [
        (True, False),
        (False, True),
    ]
    left = replace(ORDERS, nodes=ORDERS.nodes[1:])
    second = await agreed(client, await go_on(client, first, left), left)
    assert second["action"] == 'click("2")'
    ended = await go_on(client, second, replace(ORDERS, nodes=()))
    assert (ended["type"], ended["status"]) == ("done", "completed")


async def test_of_three_the_third_is_spared_though_it_is_the_only_one_left(client):
    third = node(3, "btn", "Delete", g="row: Ann Lee, 4 lamps")
    three = replace(ORDERS, nodes=(*ORDERS.nodes, third))
    asked = await begin(client, "Delete the order of Ann Lee", three)
    first = await agreed(client, (await say(client, asked, "1 and 2", three)).json(), three)
    only = replace(three, nodes=(third,))
    after = await go_on(client, first, only)
    assert after["type"] == "done"
    assert after["status"] == "failed"
    assert "1 table" in after["result"]


async def test_words_that_fit_several_are_told_and_the_question_stays(client):
    third = node(3, "btn", "Delete", g="row: Ann Lee, 4 chairs")
    three = replace(ORDERS, nodes=(*ORDERS.nodes, third))
    asked = await begin(client, "Delete the order of Ann Lee", three)
    assert (await say(client, asked, "the chairs", three)).status_code == 422
    answer = await agreed(client, (await say(client, asked, "4 chairs", three)).json(), three)
    assert answer["action"] == 'click("3")'


async def test_what_was_chosen_is_found_again_on_a_page_drawn_anew(client):
    asked = await begin(client, "Delete the order of Ann Lee", ORDERS)
    anew = Screen(
        nodes=(
            node(11, "btn", "Delete", g="row: Bob Ray, 1 desk"),
            node(2, "btn", "Delete", g="row: Ann Lee, 2 chairs"),
            node(1, "btn", "Delete", g="row: Ann Lee, 1 table"),
        )
    )
    answer = await agreed(client, (await say(client, asked, "2", anew)).json(), anew)
    assert answer["action"] == 'click("1")'


async def test_where_it_is_gone_nothing_else_is_taken_for_it(client):
    asked = await begin(client, "Delete the order of Ann Lee", ORDERS)
    gone = replace(ORDERS, nodes=ORDERS.nodes[:1])
    answer = (await say(client, asked, "2", gone)).json()
    assert (answer["type"], answer["status"]) == ("done", "failed")
    assert "not on the page any more" in answer["result"]
    asked = await begin(client, "Delete the order of Ann Lee", ORDERS)
    more = replace(gone, nodes=(*gone.nodes, node(7, "btn", "Delete", g="row: Ann Lee, 2 chairs")))
    again = (await say(client, asked, "2", more)).json()
    assert (again["kind"], len(again["options"])) == ("disambiguation", 2)
    assert "changed since you chose" in again["message"]


async def test_a_cancel_does_nothing(client):
    asked = await begin(client, "Click Edit")
    answer = (await say(client, asked, None, kind="cancel")).json()
    assert (answer["type"], answer["status"]) == ("done", "interrupted")


async def test_the_history_holds_the_choice_in_words(client):
    asked = await begin(client, "Click Edit")
    await say(client, asked, "2")
    found = await client.get(f"/api/session/{asked['sessionId']}/messages")
    said = [one["content"] for one in found.json()["messages"] if one["role"] == "user"]
    assert said == ["Click Edit", "Edit (section: Shipping)"]


async def test_another_goal_takes_the_question_back(client):
    asked = await begin(client, "Click Edit")
    body = PAGE.body(taskId=asked["taskId"], query="Click Home", requestId=str(uuid4()))
    answer = (await client.post(INTERACT, json=body)).json()
    assert answer["action"] == 'click("3")'
