"""The interact endpoint, from goal to end, on a page that is simulated at the wire."""

import asyncio
import json

import pytest

from app.agent.events import NODE_STATUS_MAP
from tests.fakes.clinic import ClinicPage

GOAL = "Add a new patient with name 'Jas'"
INTERACT = "/api/agent/interact"


async def begin(client, page, goal=GOAL, **more):
    answer = await client.post(INTERACT, json=page.observation() | {"query": goal} | more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def to_the_end(client, page, answer, most=12):
    trips = 1
    while answer["type"] == "action":
        assert trips < most, answer
        reply = await client.post(INTERACT, json=page.step(answer))
        assert reply.status_code == 200, reply.text
        answer = reply.json()
        trips += 1
    return answer, trips


async def test_the_patient_is_added_within_eight_round_trips(client):
    page = ClinicPage()
    answer, trips = await to_the_end(client, page, await begin(client, page))
    assert page.saved == ["Jas"]
    assert (answer["type"], answer["status"]) == ("done", "completed")
    assert answer["verification"]["goalAchieved"] is True
    assert answer["usage"]["modelCalls"] == 0
    assert trips <= 8


async def test_a_goal_that_cannot_be_done_fails_and_says_what_is_missing(client):
    page = ClinicPage()
    answer, trips = await to_the_end(client, page, await begin(client, page, "book a flight"))
    assert answer["status"] == "failed"
    assert "flight" in answer["result"].lower()
    assert trips <= 3


async def test_what_is_no_command_ends_at_once_and_says_what_would_read_it(client):
    answer = await begin(client, ClinicPage(), "hello there")
    assert (answer["type"], answer["status"]) == ("done", "failed")
    assert "“hello there”" in answer["result"]
    assert "GEMINI_API_KEY" in answer["result"]
    assert "TABWRIGHT_OPENAI_BASE_URL=http://localhost:11434/v1" in answer["result"]


async def test_the_stream_has_one_terminal_event_after_a_status_per_node(client):
    headers = {"Accept": "text/event-stream"}
    body = ClinicPage().observation() | {"query": GOAL}
    async with client.stream("POST", INTERACT, json=body, headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-cache"
        assert stream.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in stream.headers
        lines = [line async for line in stream.aiter_lines()]
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    assert [e["type"] for e in events[:-1]] == ["status"] * (len(events) - 1)
    assert events[0]["node"] == "start"
    assert {e["node"] for e in events[:-1]} <= set(NODE_STATUS_MAP)
    assert events[-1]["type"] == "action"


async def test_a_repeated_request_gets_the_same_answer_and_does_nothing_twice(client):
    page = ClinicPage()
    body = page.observation() | {"query": GOAL}
    first = (await client.post(INTERACT, json=body)).json()
    again = (await client.post(INTERACT, json=body)).json()
    assert again == first
    body = page.step(first)
    second = (await client.post(INTERACT, json=body)).json()
    assert (await client.post(INTERACT, json=body)).json() == second
    timeline = (await client.get(f"/api/task/{first['taskId']}")).json()
    assert len(timeline["actions"]) == len(first["actions"]) + len(second["actions"])


async def test_the_same_request_sent_at_once_is_run_once(client):
    body = ClinicPage().observation() | {"query": GOAL}
    answers = await asyncio.gather(*(client.post(INTERACT, json=body) for _ in range(6)))
    assert {a.status_code for a in answers} == {200}
    assert len({a.json()["actions"][0]["actionId"] for a in answers}) == 1


async def test_a_request_id_with_another_body_is_refused(client):
    body = ClinicPage().observation() | {"query": GOAL}
    await client.post(INTERACT, json=body)
    reply = await client.post(INTERACT, json=body | {"query": "something else"})
    assert (reply.status_code, reply.json()["code"]) == (409, "REQUEST_ID_REUSED")


async def test_two_requests_at_once_for_one_task(client):
    page = ClinicPage()
    answer = await begin(client, page)
    body = page.step(answer)
    bodies = [body | {"requestId": f"request-{n:08d}"} for n in range(5)]
    replies = await asyncio.gather(*(client.post(INTERACT, json=b) for b in bodies))
    statuses = sorted(reply.status_code for reply in replies)
    assert statuses[0] == 200
    assert set(statuses) <= {200, 409}
    for reply in replies:
        if reply.status_code == 409:
            assert reply.json()["code"] == "TASK_BUSY"
            assert int(reply.headers["retry-after"]) >= 1
    answer = next(r.json() for r in replies if r.status_code == 200)
    answer, _ = await to_the_end(client, page, answer)
    assert page.saved == ["Jas"]


async def test_an_ended_task_is_not_taken_up_again(client):
    page = ClinicPage()
    answer, _ = await to_the_end(client, page, await begin(client, page))
    reply = await client.post(INTERACT, json=page.observation() | {"taskId": answer["taskId"]})
    assert (reply.status_code, reply.json()["code"]) == (409, "TASK_ENDED")


async def test_an_interrupted_task_goes_on(client):
    page = ClinicPage()
    answer = await begin(client, page)
    stopped = await client.post(f"/api/task/{answer['taskId']}/cancel")
    assert stopped.json()["status"] == "interrupted"
    answer, _ = await to_the_end(client, page, answer)
    assert (answer["status"], page.saved) == ("completed", ["Jas"])


async def test_another_goal_replaces_the_first(client):
    page = ClinicPage()
    answer = await begin(client, page)
    body = page.step(answer) | {"query": "Click Home"}
    reply = (await client.post(INTERACT, json=body)).json()
    assert reply["taskId"] == answer["taskId"]
    assert reply["action"] == 'click("1")'


async def test_a_client_that_never_got_its_answer_gets_it_again(client):
    page = ClinicPage()
    first = await begin(client, page)
    body = page.step(first)
    second = (await client.post(INTERACT, json=body)).json()
    again = (await client.post(INTERACT, json=body | {"requestId": "another-request-id"})).json()
    assert [a["actionId"] for a in again["actions"]] == [a["actionId"] for a in second["actions"]]


async def test_recovery_of_the_active_task(client, other):
    page = ClinicPage()
    answer = await begin(client, page)
    url = f"/api/session/{answer['sessionId']}/task/active"
    found = (await client.get(url, params={"url": page.observation()["url"]})).json()
    assert found["taskId"] == answer["taskId"]
    assert (found["query"], found["status"]) == (GOAL, "executing")
    deeper = page.observation()["url"].rstrip("/") + "/after/its/own/action"
    assert (await client.get(url, params={"url": deeper})).json()["taskId"] == answer["taskId"]
    assert (await client.get(url, params={"url": "https://else.example/"})).status_code == 404
    assert (await other.get(url)).status_code == 404


async def test_an_interrupted_task_is_found_when_it_is_asked_for(client):
    page = ClinicPage()
    answer = await begin(client, page)
    url = f"/api/session/{answer['sessionId']}/task/active"
    await client.post(f"/api/task/{answer['taskId']}/cancel")
    assert (await client.get(url)).status_code == 404
    found = (await client.get(url, params={"interrupted": "true"})).json()
    assert (found["taskId"], found["status"]) == (answer["taskId"], "interrupted")
    assert found["pendingActionId"] == answer["actions"][0]["actionId"]
    again = page.observation() | {
        "taskId": answer["taskId"],
        "lastActionId": found["pendingActionId"],
        "lastActionStatus": "unknown",
    }
    assert (await client.post(INTERACT, json=again)).status_code == 200


async def test_the_timeline_tells_the_whole_story(client):
    page = ClinicPage()
    answer, _ = await to_the_end(client, page, await begin(client, page))
    story = (await client.get(f"/api/task/{answer['taskId']}")).json()
    assert story["status"] == "completed"
    assert [a["status"] for a in story["actions"]] == ["success"] * len(story["actions"])
    assert all(a["thought"] and a["description"] for a in story["actions"])
    last = story["actions"][-1]
    assert last["verification"]["goalAchieved"] is True
    lines = (await client.get(f"/api/session/{answer['sessionId']}/messages")).json()["messages"]
    assert lines[0]["role"] == "user"
    assert lines[0]["content"] == GOAL
    sessions = (await client.get("/api/sessions")).json()["sessions"]
    assert [s["taskCount"] for s in sessions] == [1]


async def test_an_element_that_went_away_leads_to_a_correction_or_an_honest_end(client):
    page = ClinicPage()
    answer = await begin(client, page)
    body = page.observation() | {
        "taskId": answer["taskId"],
        "lastActionId": answer["actions"][0]["actionId"],
        "lastActionStatus": "failure",
        "lastActionError": {"code": "ELEMENT_NOT_FOUND", "message": "no such element"},
    }
    body["interactiveTree"] = [n for n in body["interactiveTree"] if n["i"] != "2"]
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 200
    answer = reply.json()
    assert answer["verification"]["actionSucceeded"] is False
    assert answer["type"] == "action" or answer["status"] == "failed"


@pytest.mark.parametrize("goal", ["Log in with username 'ann' and password 'hunter22'"])
async def test_a_password_is_in_no_row(client, store, opened, goal):
    page = ClinicPage()
    body = page.observation() | {"query": goal}
    body["interactiveTree"] = [
        {"i": "1", "r": "inp", "n": "Username", "v": "", "g": "form: Log in"},
        {"i": "2", "r": "inp", "n": "Password", "t": "password", "v": "", "g": "form: Log in"},
        {"i": "3", "r": "btn", "n": "Log in", "g": "form: Log in"},
    ]
    answer = (await client.post(INTERACT, json=body)).json()
    assert any("hunter22" in a["action"] for a in answer["actions"])
    replayed = (await client.post(INTERACT, json=body)).json()
    assert replayed["actions"] == answer["actions"]
    for name in ("tasks", "task_actions", "messages", "sessions", "operations"):
        rows = await opened.database[name].find({}).to_list()
        assert rows or name == "tasks"
        assert "hunter22" not in str(rows), name
