"""A process that dies in the middle of a request: the repeat of the request takes over."""

import asyncio
from datetime import UTC, datetime, timedelta

import httpx

from app.agent.request import body_hash
from app.main import create_app
from app.reasoners.rules import RuleReasoner
from tests.fakes.clinic import ClinicPage
from tests.fakes.serving import serve_in_loop
from tests.integration.agent.test_interact import GOAL, INTERACT, begin, to_the_end

KEY = "a-request-that-was-cut"


async def died_unanswered(opened):
    """As if the process had died after the checkpoint was written and before anything else was."""
    for name in ("tasks", "task_actions", "messages", "sessions"):
        await opened.database[name].delete_many({})
    past = datetime.now(UTC) - timedelta(seconds=1)
    await opened.database["operations"].update_many(
        {}, {"$set": {"state": "running", "claimedUntil": past}, "$unset": {"result": ""}}
    )


async def test_a_claim_of_a_dead_process_is_taken_over(client, store):
    body = ClinicPage().observation() | {"query": GOAL, "requestId": KEY}
    content = client.build_request("POST", INTERACT, json=body).content
    await store.operations.begin(
        "one",
        f"request:{KEY}",
        fingerprint=body_hash(content, "ann"),
        task_id="11111111-2222-4333-8444-555555555555",
        ttl_s=0.4,
    )
    reply = await client.post(INTERACT, json=body)
    assert reply.status_code == 200
    assert reply.json()["taskId"] == "11111111-2222-4333-8444-555555555555"


async def test_a_first_request_cut_off_after_its_checkpoint_is_whole_again(client, opened):
    page = ClinicPage()
    body = page.observation() | {"query": GOAL}
    first = (await client.post(INTERACT, json=body)).json()
    await died_unanswered(opened)
    again = (await client.post(INTERACT, json=body)).json()
    assert again["taskId"] == first["taskId"]
    assert [a["actionId"] for a in again["actions"]] == [a["actionId"] for a in first["actions"]]
    story = (await client.get(f"/api/task/{first['taskId']}")).json()
    assert [a["actionId"] for a in story["actions"]] == [a["actionId"] for a in first["actions"]]
    answer, _ = await to_the_end(client, page, again)
    assert (answer["status"], page.saved) == ("completed", ["Jas"])


async def test_a_run_that_fails_again_and_again_goes_on_once_it_can(client, monkeypatch):
    page, failures = ClinicPage(), [3]
    refine = RuleReasoner.refine

    async def failing(self, situation):
        if failures[0]:
            failures[0] -= 1
            raise RuntimeError("the store is not what it was")
        return await refine(self, situation)

    monkeypatch.setattr(RuleReasoner, "refine", failing)
    body = page.observation() | {"query": GOAL, "requestId": KEY}
    for _ in range(3):
        assert (await client.post(INTERACT, json=body)).status_code == 500
    answer, _ = await to_the_end(client, page, (await client.post(INTERACT, json=body)).json())
    assert (answer["status"], page.saved) == ("completed", ["Jas"])


async def test_two_servers_on_one_store_run_a_request_once(client, server_settings, key):
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        serve_in_loop(create_app(server_settings)) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as other,
    ):
        page = ClinicPage()
        body = page.observation() | {"query": GOAL}
        replies = await asyncio.gather(*(c.post(INTERACT, json=body) for c in (client, other) * 3))
        assert {reply.status_code for reply in replies} == {200}
        assert len({reply.json()["actions"][0]["actionId"] for reply in replies}) == 1
        answer = replies[0].json()
        step = page.step(answer)
        one, two = await asyncio.gather(
            client.post(INTERACT, json=step),
            other.post(INTERACT, json=step | {"requestId": "another-request"}),
        )
        assert {one.status_code, two.status_code} <= {200, 409}
        assert 200 in {one.status_code, two.status_code}


async def test_a_cut_connection_does_not_stop_the_run(client):
    page = ClinicPage()
    answer = await begin(client, page)
    step = page.step(answer)
    headers = {"Accept": "text/event-stream"}
    async with client.stream("POST", INTERACT, json=step, headers=headers) as stream:
        async for line in stream.aiter_lines():
            if line.startswith("data: "):
                break
    reply = await client.post(INTERACT, json=step)
    assert reply.status_code == 200
    answer, _ = await to_the_end(client, page, reply.json())
    assert page.saved == ["Jas"]
