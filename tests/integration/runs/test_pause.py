"""A pause cuts off the run that works on the task, in this process or another, and loses nothing of it."""

import httpx
import pytest

from app.domain.access import Principal
from app.main import BOOTSTRAP
from app.runs import lease
from app.store.open import open_store
from tests.fakes.steps import never
from tests.integration.agent.test_model_away import Sent, given_up
from tests.integration.conftest import running
from tests.integration.desk import FORM, GOAL, KEY, TYPED, TYPES, Desk, doing, opening


async def paused_under_way(desk: Desk, by: httpx.AsyncClient, body: dict) -> tuple[dict, dict]:
    """The answer to a request that a pause cuts off while a model thinks, and what the pause says."""
    before = len(desk.gemini.calls)
    desk.gemini.script(never())
    sent = Sent(desk, body)
    await desk.gemini.called(before + 1)
    await sent.named.wait()
    told = await by.post(f"/api/task/{sent.events[0]['taskId']}/pause")
    end = await sent.ended()
    await given_up(desk.gemini.calls[before])
    return end, told.json()


@pytest.mark.parametrize("elsewhere", [False, True])
async def test_of_a_task_that_did_nothing_yet(desk: Desk, elsewhere: bool, monkeypatch) -> None:
    monkeypatch.setattr(lease, "RENEW_S", 0.05)
    body = FORM.body(query=GOAL)
    if elsewhere:
        headers = {"Authorization": f"Bearer {KEY}"}
        async with (
            running(desk.settings) as url,
            httpx.AsyncClient(base_url=url, headers=headers, timeout=30) as by,
        ):
            end, told = await paused_under_way(desk, by, body)
    else:
        end, told = await paused_under_way(desk, desk.client, body)
    assert told == {"taskId": end["taskId"], "status": "awaiting_user", "paused": True}
    assert (end["type"], end["status"], end["paused"], end["actions"]) == (
        "done",
        "interrupted",
        True,
        [],
    )

    refused = await desk.client.post("/api/agent/interact", json=FORM.body(taskId=end["taskId"]))
    assert (refused.status_code, refused.json()["code"]) == (409, "TASK_PAUSED")
    desk.gemini.script(opening(TYPES))
    went_on = await desk.post(FORM.body(taskId=end["taskId"], handBack={"actions": []}))
    assert went_on.actions == TYPED


async def test_of_a_task_that_did_nothing_yet_is_not_ended_by_a_colleague(desk: Desk) -> None:
    end, _ = await paused_under_way(desk, desk.client, FORM.body(query=GOAL))
    async with open_store(desk.settings) as store:
        who = Principal(tenant=BOOTSTRAP.tenant, user="a colleague", scopes=("browser",))
        _, secret = await store.keys.create(who)
    body = FORM.body(taskId=end["taskId"], handBack={"actions": []})
    theirs = {"Authorization": f"Bearer {secret}"}
    reply = await desk.client.post("/api/agent/interact", json=body, headers=theirs)
    assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")
    still = await desk.client.post("/api/agent/interact", json=FORM.body(taskId=end["taskId"]))
    assert (still.status_code, still.json()["code"]) == (409, "TASK_PAUSED")


async def test_of_a_task_under_way_leaves_it_waiting_where_it_was(desk: Desk) -> None:
    desk.gemini.script(opening(TYPES, ends=False))
    first = await desk.begin(FORM, GOAL)
    step = FORM.with_value(3, "555 1234").body(
        taskId=first.answer["taskId"],
        lastActionId=first.answer["actions"][-1]["actionId"],
        lastActionStatus="success",
    )
    end, _ = await paused_under_way(desk, desk.client, step)
    seen = (await desk.client.get(f"/api/task/{end['taskId']}")).json()
    assert (seen["status"], seen["paused"], seen.get("result")) == ("awaiting_user", True, None)
    desk.gemini.script(doing(TYPES))
    did = {"kind": "click", "role": "btn", "name": "Say hello", "url": "https://crm.example/"}
    back = await desk.post(FORM.body(taskId=end["taskId"], handBack={"actions": [did]}))
    assert back.nodes[0] == "replanning"
    assert back.answer["rePlanning"]["reason"].startswith("The person took over")
    prompt = back.calls[-1].prompt
    assert "pressed btn 'Say hello'" in prompt
