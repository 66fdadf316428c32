"""A wait for a person, ended in every way: what is then stored, and what is then done."""

from collections.abc import AsyncIterator
from random import Random

import pytest
from langgraph.checkpoint.mongodb import MongoDBSaver

from app.settings import Settings
from bench.interleaving.backend import Backend, backend
from bench.interleaving.client import INTERACT, Client
from bench.interleaving.office import Office
from bench.interleaving.process_death import let_questions_lapse
from bench.interleaving.steps import answer_body
from tests.integration.conftest import RATE

DELETE = "Delete Jas Patel"
TWO = 'Type "Eve" into the Name field, then delete Jas Patel'
MOST_CALLS = 44  # to the store, out and back: a request that resumes makes some forty


@pytest.fixture
async def made(settings: Settings) -> AsyncIterator[Backend]:
    async with backend(settings.model_copy(update={"rate_limit": RATE})) as opened:
        yield opened


async def asked(made: Backend, goal: str = DELETE) -> Client:
    """A client that is asked whether Jas is to be deleted."""
    client = Client(made, Random(1), Office())
    await client.post(client.request(query=goal))
    while client.last and client.last["type"] == "action":
        client.act()
        await client.post(client.request())
    assert client.waiting
    assert client.waiting["kind"] == "approval"
    return client


async def reply(client: Client, value: str | None = "yes", event=None) -> tuple[int, str]:
    """The status and the code, or the type of event, that an answer gets."""
    answer = answer_body(event or client.waiting, value)
    found = await client.post(client.request(hitlResponse=answer))
    body = found.json()
    return found.status_code, body.get("code") or body["type"]


async def there(client: Client, value: str, event=None) -> int:
    """The status that an answer by another inbox gets."""
    event = event or client.waiting
    body = {"type": event["interruptType"], "value": value}
    return (await client.send(f"/api/hitl/{event['hitlId']}/answer", body)).status_code


async def trail(client: Client) -> list[str]:
    entries = await client.backend.opened.store.audit.of_task("one", client.task_id)
    return [entry.kind for entry in entries]


async def rows(client: Client) -> list[str]:
    found = await client.backend.opened.store.hitl.of_task("one", client.task_id)
    return [row.status for row in found]


async def asks_again(client: Client) -> None:
    """A plain request asks anew, as part of the same chain of requests."""
    before = client.last
    await client.post(client.request())
    assert client.waiting
    assert client.waiting["hitlId"] != before.get("hitlId")
    assert client.last["traceId"] == before["traceId"]


@pytest.mark.parametrize("goal", [DELETE, TWO])
async def test_stop_ends_the_wait_and_what_was_asked_about_is_never_done(made, goal):
    client = await asked(made, goal)
    question = client.waiting
    stopped = await client.send(f"/api/task/{client.task_id}/cancel")
    assert stopped.json()["status"] == "interrupted"
    assert (await rows(client), await trail(client)) == (
        ["cancelled"], ["asked", "cancelled", "not_done"],
    )  # fmt: skip
    assert await reply(client) == (400, "HITL_NOT_PENDING")
    assert await there(client, "yes") == 400
    await asks_again(client)
    assert await reply(client, event=question) == (400, "HITL_NOT_PENDING")
    assert not any(effect.startswith("delete") for effect in client.office.effects)


async def test_a_yes_that_was_not_yet_taken_up_does_nothing_after_stop(made):
    client = await asked(made)
    assert await there(client, "yes") == 200
    await client.send(f"/api/task/{client.task_id}/cancel")
    assert await rows(client) == ["answered"]
    assert await trail(client) == ["asked", "approved", "not_done"]
    await asks_again(client)
    assert await reply(client) == (200, "action")


async def test_nobody_answers_in_time_and_whoever_looks_sees_it(made):
    client = await asked(made, TWO)
    await let_questions_lapse(made.opened, client.task_id)
    seen = (await client.send(f"/api/task/{client.task_id}", get=True)).json()
    assert (seen["status"], seen.get("pendingInterrupt")) == ("interrupted", None)
    assert (await made.opened.store.tasks.find("one", client.task_id)).status == "interrupted"
    active = await client.send(f"/api/session/{client.session_id}/task/active", get=True)
    assert active.status_code == 404
    assert await reply(client) == (409, "HITL_EXPIRED")
    assert await there(client, "yes") == 409
    assert (await rows(client), await trail(client)) == (["expired"], ["asked", "expired"])
    late = client.waiting
    await asks_again(client)
    assert await reply(client, event=late) == (409, "HITL_EXPIRED")
    assert await trail(client) == ["asked", "expired", "asked", "not_done"]
    assert await reply(client) == (200, "action")


async def test_another_goal_ends_the_question_first(made):
    client = await asked(made)
    question = client.waiting
    await client.post(client.request(query="Delete Kim Lee"))
    assert client.waiting["hitlId"] != question["hitlId"]
    assert await rows(client) == ["cancelled", "pending"]
    assert await reply(client, event=question) == (400, "HITL_NOT_PENDING")


async def test_a_request_without_an_answer_gets_the_same_question(made):
    client = await asked(made)
    before = client.last
    await client.post(client.request())
    assert client.last["hitlId"] == before["hitlId"]
    assert client.last["expiresAt"] == before["expiresAt"]
    await made.restart()
    await client.post(client.request())
    assert client.last["hitlId"] == before["hitlId"]


async def test_after_the_end_nothing_is_answered_and_the_trail_is_whole(made):
    client = await asked(made)
    question = client.waiting
    assert await reply(client) == (200, "action")
    client.act()
    await client.post(client.request())
    assert client.last["status"] == "completed"
    assert await reply(client, event=question) == (400, "HITL_NOT_PENDING")
    assert client.office.effects == ["delete Jas Patel"]
    entries = await made.opened.store.audit.of_task("one", client.task_id)
    assert [one.kind for one in entries] == ["asked", "approved", "done", "done"]
    (operation,) = await made.opened.store.ledger.of_task("one", client.task_id)
    assert entries[-1].operations == (operation.key,)
    assert (operation.status, operation.name) == ("success", "click")
    assert "Jas" not in operation.model_dump_json()


async def test_an_answer_reads_its_thread_once(made, monkeypatch):
    client = await asked(made)
    reads, read = [], MongoDBSaver.get_tuple

    def counted(saver, config):
        reads.append(config)
        return read(saver, config)

    monkeypatch.setattr(MongoDBSaver, "get_tuple", counted)
    assert await reply(client) == (200, "action")
    assert len(reads) == 1


async def test_strangers_know_nothing_of_it(made):
    client = await asked(made)
    body = client.request(hitlResponse=answer_body(client.waiting, "yes"))
    for user in ("bob", "cas"):
        body["requestId"] = f"{user}-asks"
        assert (await made.clients[user].post(INTERACT, json=body)).status_code == 404
    assert await rows(client) == ["pending"]


@pytest.mark.parametrize("by", ["repeat", "plain"])
async def test_a_death_anywhere_in_an_answer_loses_nothing_and_does_nothing_twice(made, by):
    for left in range(1 if by == "plain" else 0, MOST_CALLS, 6):
        client = await asked(made)
        body = client.request(hitlResponse=answer_body(client.waiting, "yes"))
        made.life.left = left
        await client.post(body)
        made.life.left = None
        await made.restart()
        again = await client.post(body if by == "repeat" else client.request())
        if again.json()["type"] == "interrupt":  # the answer had not come through
            assert by == "plain"
            assert await reply(client) == (200, "action")
        client.act()
        await client.post(client.request())
        assert client.last["status"] == "completed", (left, client.last)
        assert client.office.effects == ["delete Jas Patel"]
        assert (await trail(client)).count("approved") == 1
