"""Graceful shutdown of a worker: readiness, draining and resumption."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import httpx
import orjson
import pytest
import uvicorn

from app.main import create_app
from app.server.connection import http_options
from app.server.worker import WorkerServer
from app.settings import Settings
from app.vitals import Vitals, shared_memory
from tests.fakes.gemini import FakeGemini
from tests.fakes.steps import Gate, held, never
from tests.integration.conftest import running
from tests.integration.desk import FORM, GOAL, INTERACT, TYPED, TYPES, opening

ANSWER = opening(TYPES)
CHAT = "/api/chat"


@dataclass(frozen=True)
class Ending:
    """A worker's server and a client of it."""

    client: httpx.AsyncClient
    server: WorkerServer
    serving: asyncio.Task[None]

    async def stop(self) -> None:
        """Send the signal, and wait until it is taken up."""
        self.server.handle_exit(signal.SIGTERM, None)
        while (ready := await self.client.get("/readyz")).status_code == httpx.codes.OK:
            await asyncio.sleep(0.02)
        refused(ready)


@asynccontextmanager
async def worker(settings: Settings, key: str, *, drain_s: float) -> AsyncIterator[Ending]:
    with shared_memory() as memory:
        config = uvicorn.Config(
            create_app(settings), port=0, lifespan="on", **http_options(settings)
        )
        server = WorkerServer(config, Vitals(memory), drain_s=drain_s)
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        url = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        async with httpx.AsyncClient(base_url=url, headers=holder(key), timeout=30) as client:
            yield Ending(client, server, serving)
            server.should_exit = True
            await serving


def holder(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def refused(answer: httpx.Response) -> None:
    assert answer.status_code == httpx.codes.SERVICE_UNAVAILABLE
    assert answer.json()["code"] == "SERVER_STOPPING"
    assert int(answer.headers["retry-after"]) > 0


@pytest.fixture
def body() -> dict[str, Any]:
    return FORM.body(query=GOAL)


async def test_shutdown_drains_runs_and_rejects_new_ones(
    gemini_settings: Settings, gemini: FakeGemini, key: str, body: dict[str, Any]
) -> None:
    gate = Gate()
    gemini.script(held(gate, ANSWER))
    async with worker(gemini_settings, key, drain_s=60) as it:
        asked = asyncio.create_task(it.client.post(INTERACT, json=body))
        await gemini.called(1)
        await it.stop()
        refused(await it.client.post(INTERACT, json=FORM.body(query="Click Save")))
        refused(await it.client.post(CHAT, json={"message": "How many days of vacation a year?"}))
        assert (await it.client.get("/healthz")).status_code == httpx.codes.OK
        assert (await it.client.get("/api/tasks")).status_code == httpx.codes.OK
        again = asyncio.create_task(it.client.post(INTERACT, json=body))  # not another: this one
        gate.set()
        answer = (await asked).json()
        assert [one["action"] for one in answer["actions"]] == TYPED
        assert (await again).json() == answer
        await it.serving


async def test_aborted_run_resumes_in_the_next_process(
    gemini_settings: Settings, gemini: FakeGemini, key: str, body: dict[str, Any]
) -> None:
    gemini.script(never(), never())
    streamed = FORM.body(query=GOAL)
    async with worker(gemini_settings, key, drain_s=0.2) as it:
        asked = asyncio.create_task(it.client.post(INTERACT, json=body))
        accept = {"Accept": "text/event-stream"}
        stream = asyncio.create_task(it.client.post(INTERACT, json=streamed, headers=accept))
        await gemini.called(2)
        it.server.handle_exit(signal.SIGTERM, None)
        refused(await asked)
        lines = (await stream).text.splitlines()
        told = [orjson.loads(line[6:]) for line in lines if line.startswith("data: ")]
        assert (told[-1]["type"], told[-1]["problem"]["code"]) == ("error", "SERVER_STOPPING")
        await it.serving
    gemini.script(ANSWER, ANSWER)
    async with (
        running(gemini_settings) as url,
        httpx.AsyncClient(base_url=url, headers=holder(key), timeout=30) as client,
    ):
        for repeated in (body, streamed):
            answer = (await client.post(INTERACT, json=repeated)).json()
            assert [one["action"] for one in answer["actions"]] == TYPED
        assert len((await client.get("/api/tasks")).json()["tasks"]) == 2


async def test_event_stream_ends_with_the_process(
    gemini_settings: Settings, gemini: FakeGemini, key: str, body: dict[str, Any]
) -> None:
    """Who waits with a task holds nothing up, and is not cut off in the middle of a line."""
    gemini.script(ANSWER)
    async with worker(gemini_settings, key, drain_s=60) as it:
        task_id = (await it.client.post(INTERACT, json=body)).json()["taskId"]
        async with it.client.stream("GET", f"/api/task/{task_id}/events") as stream:
            lines = stream.aiter_lines()
            assert (await anext(lines)).startswith("data: ")
            it.server.handle_exit(signal.SIGTERM, None)
            assert [line async for line in lines if line.startswith("data: ")] == []
        await it.serving


async def test_running_chat_turn_reports_the_shutdown(
    gemini_settings: Settings, gemini: FakeGemini, key: str
) -> None:
    gemini.always(never())
    async with worker(gemini_settings, key, drain_s=0.2) as it:
        said = {"message": "Write to everybody that we close at noon", "request_id": str(uuid4())}
        asked = asyncio.create_task(it.client.post(CHAT, json=said))
        await gemini.called(1)
        it.server.handle_exit(signal.SIGTERM, None)
        last = (await asked).text.strip().splitlines()[-1]
        told = orjson.loads(last.removeprefix("data: "))
        assert (told["type"], told["problem"]["code"]) == ("error", "SERVER_STOPPING")
        await it.serving
