"""A step that fails is handed over to the person, and the task goes on after it."""

import pytest

from tests.fakes.clinic import ClinicPage

INTERACT = "/api/agent/interact"
GOAL = "Add a new patient with name 'Jas'"


async def post(client, body):
    return (await client.post(INTERACT, json=body)).json()


async def until(client, page, answer, stuck, most=15):
    """Go on, but the browser cannot do `stuck`."""
    trips = []
    while answer.get("type") == "action" and len(trips) < most:
        trips.append(answer)
        sent = answer["actions"]
        at = next((n for n, one in enumerate(sent) if one["action"] == stuck), None)
        if at is None:
            body = page.step(answer)
        else:
            for one in sent[:at]:
                page.do(one["action"])
            body = page.observation() | {
                "taskId": answer["taskId"],
                "lastActionId": sent[at]["actionId"],
                "lastActionStatus": "failure",
                "lastActionError": {"code": "NOT_INTERACTABLE", "message": "it does not react"},
            }
            if at:
                body["lastExecutedActionIndex"] = at - 1
        answer = await post(client, body)
    return answer, trips


async def stopped(client):
    """A task whose menu item cannot be clicked, and the page it stopped on."""
    page = ClinicPage()
    answer = await post(client, page.observation() | {"query": GOAL})
    task = answer["taskId"]
    ended, trips = await until(client, page, answer, 'click("10")')
    return page, task, ended, trips


async def test_it_fails_with_what_was_tried_and_offers_the_step(client):
    _, task, ended, trips = await stopped(client)
    told = ended if "handOver" in ended else ended["problem"]
    assert told["handOver"]["step"]
    assert told["handOver"]["step"] in told["handOver"]["message"]
    story = (await client.get(f"/api/task/{task}")).json()
    assert story["status"] == "failed"
    assert 1 <= len(story["corrections"]) <= 3
    assert {one["status"] for one in story["corrections"]} == {"failure"}
    assert all(one["strategy"] and one["source"] == "strategy" for one in story["corrections"])
    assert [one["attempt"] for one in story["corrections"]] == [1, 2, 3][
        : len(story["corrections"])
    ]
    assert story["corrections"][0]["errorType"] == "NOT_INTERACTABLE"
    assert any(trip["correction"] for trip in trips)


async def test_the_task_goes_on_after_what_the_person_did(client):
    page, task, _, _ = await stopped(client)
    page.do('click("10")')  # the person opens the form
    answer = await post(client, page.observation() | {"continueFrom": task})
    assert answer["taskId"] != task
    assert answer["plan"]["steps"][0]["status"] == "completed"
    assert answer["actions"][0]["action"] == 'setValue("20", "Jas")'
    done, _ = await until(client, page, answer, "nothing")
    assert (done["status"], page.saved) == ("completed", ["Jas"])


async def test_where_the_person_did_the_last_step_the_page_is_looked_at(client):
    page = ClinicPage()
    answer = await post(client, page.observation() | {"query": GOAL})
    task = answer["taskId"]
    await until(client, page, answer, 'click("22")')
    not_yet = await post(client, page.observation() | {"continueFrom": task})
    assert (not_yet["type"], not_yet["status"]) == ("done", "failed")
    assert "does not show" in not_yet["result"]
    page.do('click("22")')
    done = await post(client, page.observation() | {"continueFrom": task})
    assert (done["status"], page.saved) == ("completed", ["Jas"])
    assert "You did the last step" in done["result"]


@pytest.mark.parametrize("query", [None, GOAL])
async def test_the_old_goal_may_be_sent_along(client, query):
    page, task, _, _ = await stopped(client)
    page.do('click("10")')
    more = {"query": query} if query else {}
    answer = await post(client, page.observation() | {"continueFrom": task} | more)
    assert answer["type"] == "action"


async def test_what_cannot_be_gone_on_with(client, other):
    page, task, _, _ = await stopped(client)
    look = page.observation()
    assert (await other.post(INTERACT, json=look | {"continueFrom": task})).status_code == 404
    another = await client.post(
        INTERACT, json=page.observation() | {"continueFrom": task, "query": "x"}
    )
    assert (another.status_code, another.json()["code"]) == (422, "INVALID_REQUEST")
    both = page.observation() | {"continueFrom": task, "taskId": task}
    assert (await client.post(INTERACT, json=both)).status_code == 422
    under_way = await post(client, page.observation() | {"query": GOAL})
    still = page.observation() | {"continueFrom": under_way["taskId"]}
    assert (await client.post(INTERACT, json=still)).status_code == 409
    unknown = page.observation() | {"continueFrom": "there-is-no-such-task"}
    assert (await client.post(INTERACT, json=unknown)).status_code == 404
