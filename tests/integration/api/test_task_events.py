"""The event stream of a task has changes of all clients and processes."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from app.domain.hitl import HitlResult
from app.hitl import events as hitl_events
from tests.fakes.clinic import ClinicPage
from tests.integration.agent.test_interact import begin, to_the_end
from tests.integration.api.test_hitl import PATIENTS, PRESS, answer, ask

NEVER_S = 3_600.0


class Heard:
    """The events of one stream, as they come."""

    def __init__(self, stream: httpx.Response) -> None:
        self.headers = stream.headers
        self._lines = stream.aiter_lines()

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(30):  # only ends a hang
            async for line in self._lines:
                if line.startswith("data: "):
                    return dict(json.loads(line[6:]))
        raise AssertionError("the stream ended")

    async def rest(self) -> list[str]:
        return [json.loads(line[6:])["type"] async for line in self._lines if line[:5] == "data:"]


@asynccontextmanager
async def waiting(client: httpx.AsyncClient, task_id: str) -> AsyncIterator[Heard]:
    async with client.stream("GET", f"/api/task/{task_id}/events") as stream:
        assert stream.status_code == 200, await stream.aread()
        yield Heard(stream)


async def test_answer_in_another_inbox_notifies_the_runner(client, monkeypatch):
    monkeypatch.setattr(hitl_events, "LOOK_S", NEVER_S)
    asked = await ask(client, PATIENTS, PRESS)  # nothing was done yet: the task has no row
    async with waiting(client, asked["taskId"]) as heard:
        assert heard.headers["content-type"].startswith("text/event-stream")
        assert (heard.headers["cache-control"], heard.headers["x-accel-buffering"]) == (
            "no-cache",
            "no",
        )
        first = await heard.next()
        assert (first["type"], first["status"]) == ("standing", "awaiting_user")
        assert first["hitlId"] == asked["hitlId"]
        await answer(client, asked, type="accept")
        told = await heard.next()
        assert (told["type"], told["hitlId"]) == ("answered", asked["hitlId"])


async def test_stream_sends_answers_of_other_processes(client, store, monkeypatch):
    monkeypatch.setattr(hitl_events, "LOOK_S", 0.02)
    asked = await ask(client, PATIENTS, PRESS)
    async with waiting(client, asked["taskId"]) as heard:
        await heard.next()
        said = HitlResult(
            hitl_id=asked["hitlId"],
            decision="cancelled",
            return_to="execution/approved",
            at=datetime.now(UTC),
        )
        await store.hitl.conclude("one", asked["hitlId"], "cancelled", said)
        assert (await heard.next())["type"] == "cancelled"


async def test_stream_sends_pause_resume_and_end(client, monkeypatch):
    page = ClinicPage()
    first = await begin(client, page)
    task = first["taskId"]
    monkeypatch.setattr(hitl_events, "LOOK_S", NEVER_S)
    async with waiting(client, task) as heard:
        assert (await heard.next())["status"] == "executing"
        await client.post(f"/api/task/{task}/pause")
        assert (await heard.next())["type"] == "paused"
        async with waiting(client, task) as late:
            standing = await late.next()
            assert (standing["status"], standing["paused"]) == ("awaiting_user", True)
        await client.post(f"/api/task/{task}/resume")
        assert (await heard.next())["type"] == "resumed"
        last, _ = await to_the_end(client, page, (await _again(client, page, first)))
        assert last["status"] == "completed"
        ended = await heard.next()
        assert (ended["type"], ended["status"]) == ("ended", "completed")
        assert await heard.rest() == []


async def _again(client: httpx.AsyncClient, page: ClinicPage, first: dict[str, Any]) -> Any:
    return (await client.post("/api/agent/interact", json=page.step(first))).json()


async def test_stream_of_an_ended_task_ends(client):
    page = ClinicPage()
    last, _ = await to_the_end(client, page, await begin(client, page))
    async with waiting(client, last["taskId"]) as heard:
        assert (await heard.next())["status"] == "completed"
        assert await heard.rest() == ["ended"]


async def test_unknown_tasks_and_those_of_others_are_not_found(client, other):
    asked = await ask(client, PATIENTS, PRESS)
    for who, task in ((other, asked["taskId"]), (client, "there-is-none")):
        reply = await who.get(f"/api/task/{task}/events")
        assert (reply.status_code, reply.json()["code"]) == (404, "NOT_FOUND")


class TestRoom:
    @pytest.fixture
    def server_settings(self, settings, monkeypatch):
        monkeypatch.setattr(hitl_events.TaskEvents.__init__, "__defaults__", (1,))
        return settings

    async def test_is_freed_by_a_client_that_leaves(self, client):
        asked = await ask(client, PATIENTS, PRESS)
        address = f"/api/task/{asked['taskId']}/events"
        async with waiting(client, asked["taskId"]) as heard:
            await heard.next()
            refused = await client.get(address)
            assert (refused.status_code, refused.json()["code"]) == (429, "RATE_LIMITED")
            assert int(refused.headers["retry-after"]) > 0
        async with asyncio.timeout(30):
            while True:
                async with client.stream("GET", address) as stream:
                    if stream.status_code == 200:
                        return
                await asyncio.sleep(0.01)
