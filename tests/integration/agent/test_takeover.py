"""The person takes over, acts and hands back: the agent looks anew and does nothing over."""

from typing import Any

import httpx

from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import GOAL, INTERACT, begin, to_the_end
from tests.integration.api.test_hitl import PATIENTS, PRESS, ask, go_on


async def pause(client: httpx.AsyncClient, task_id: str) -> httpx.Response:
    return await client.post(f"/api/task/{task_id}/pause")


async def resume(client: httpx.AsyncClient, task_id: str) -> httpx.Response:
    return await client.post(f"/api/task/{task_id}/resume")


async def hand_back(
    client: httpx.AsyncClient, page: ClinicPage, task_id: str, *acts: dict[str, Any]
) -> httpx.Response:
    body = page.observation() | {"taskId": task_id, "handBack": {"actions": list(acts)}}
    return await client.post(INTERACT, json=body)


def click(name: str, role: str = "btn") -> dict[str, Any]:
    return {
        "kind": "click",
        "role": role,
        "name": name,
        "url": "https://clinic.example/patients?q=1",
    }


async def kinds(client: httpx.AsyncClient, task_id: str) -> list[str]:
    trail = (await client.get(f"/api/task/{task_id}/audit")).json()["entries"]
    return [entry["kind"] for entry in trail]


async def test_a_paused_task_waits_for_the_person(client):
    page = ClinicPage()
    first = await begin(client, page)
    task = first["taskId"]
    for _ in range(2):
        told = await pause(client, task)
        assert (told.status_code, told.json()["status"]) == (200, "awaiting_user")
    seen = (await client.get(f"/api/task/{task}")).json()
    assert (seen["status"], seen["paused"]) == ("awaiting_user", True)
    assert seen.get("pendingInterrupt") is None
    refused = await client.post(INTERACT, json=page.step(first))
    assert (refused.status_code, refused.json()["code"]) == (409, "TASK_PAUSED")
    assert (await resume(client, task)).json()["status"] == "executing"
    again = await resume(client, task)
    assert (again.status_code, again.json()["code"]) == (409, "TASK_NOT_PAUSED")
    assert await kinds(client, task) == ["paused", "resumed"]


async def test_what_the_person_did_is_not_done_again(client):
    page = ClinicPage()
    task = (await begin(client, page))["taskId"]
    await pause(client, task)
    page.menu_open = True
    page.do('click("10")')  # the person opens the form, and fills it
    page.do('setValue("20", "Jas")')
    page.clicks.clear()
    await resume(client, task)
    acts = [click("Patient"), click("New", "menu"), {"kind": "type", "role": "inp", "name": "Name"}]
    reply = await hand_back(client, page, task, *acts)
    answer = reply.json()
    assert reply.status_code == 200, reply.text
    assert answer["rePlanning"]["triggered"]
    assert answer["rePlanning"]["reason"].startswith("The person took over")
    last, _ = await to_the_end(client, page, answer)
    assert (last["status"], page.saved) == ("completed", ["Jas"])
    assert page.clicks == ['click("22")']
    assert await kinds(client, task) == ["paused", "resumed", "took_over"]
    (took,) = [
        one
        for one in (await client.get(f"/api/task/{task}")).json()["people"]
        if one["kind"] == "took_over"
    ]
    assert "pressed menu 'New'" in took["text"]
    assert "?" not in str((await client.get(f"/api/task/{task}/audit")).json())


async def test_a_person_who_did_all_of_it_is_told_what_the_page_shows(client):
    page = ClinicPage(place="/patients/new", name="Jas")
    answer = await begin(client, page, "Click Home, then click Save")
    await pause(client, answer["taskId"])
    page.do('click("22")')
    page.clicks.clear()
    acts = (click("Home", "link"), click("Save"))
    done = (await hand_back(client, page, answer["taskId"], *acts)).json()
    assert (done["type"], done["status"], page.clicks) == ("done", "completed", [])
    assert await kinds(client, answer["taskId"]) == ["paused", "took_over", "resumed"]


async def test_handing_back_without_having_done_anything_goes_on(client):
    page = ClinicPage()
    first = await begin(client, page)
    page.step(first)  # it was done, and never reported
    await pause(client, first["taskId"])
    answer = (await hand_back(client, page, first["taskId"])).json()
    last, _ = await to_the_end(client, page, answer)
    assert (last["status"], page.saved) == ("completed", ["Jas"])


async def test_a_question_that_waited_is_asked_again(client):
    asked = await ask(client, PATIENTS, PRESS)
    task = asked["taskId"]
    assert (await pause(client, task)).json()["paused"]
    reply = await client.post(INTERACT, json=PATIENTS.body(taskId=task))
    assert reply.json()["code"] == "TASK_PAUSED"
    assert (await resume(client, task)).json()["status"] == "awaiting_user"
    body = PATIENTS.body(taskId=task, handBack={"actions": [click("Home", "link")]})
    again = (await client.post(INTERACT, json=body)).json()
    assert (again["type"], again["hitlId"]) == ("interrupt", asked["hitlId"])
    said = {"type": "accept"}
    assert (await client.post(f"/api/hitl/{asked['hitlId']}/answer", json=said)).status_code == 200
    assert (await go_on(client, asked, PATIENTS))["action"] == 'click("2")'


async def test_a_cancelled_pause_leaves_nothing_stuck(client):
    page = ClinicPage()
    task = (await begin(client, page))["taskId"]
    await pause(client, task)
    assert (await client.post(f"/api/task/{task}/cancel")).json()["status"] == "interrupted"
    went_on = await client.post(INTERACT, json=page.observation() | {"taskId": task})
    assert went_on.status_code == 200, went_on.text
    last, _ = await to_the_end(client, page, went_on.json())
    assert last["status"] == "completed"
    ended = await pause(client, task)
    assert (ended.status_code, ended.json()["code"]) == (409, "TASK_ENDED")


async def test_acts_that_are_none_are_refused(client):
    page = ClinicPage()
    task = (await begin(client, page))["taskId"]
    for acts in ([{"kind": "press", "name": "x"}], [click("x")] * 201, "all"):
        body = page.observation() | {"taskId": task, "handBack": {"actions": acts}}
        assert (await client.post(INTERACT, json=body)).status_code == 422
    alone = page.observation() | {"query": GOAL, "handBack": {"actions": []}}
    assert (await client.post(INTERACT, json=alone)).status_code == 422
