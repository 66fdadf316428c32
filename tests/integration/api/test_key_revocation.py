"""Revoking a key in one process ends its work in another at once."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from app.domain.access import Principal
from app.settings import Settings
from app.store.repositories import Store
from tests.fakes.steps import never
from tests.integration.conftest import running
from tests.integration.desk import FORM, GOAL, INTERACT
from tests.integration.mcp.desk import MODES, over_http

HANG_S = 60.0  # only ends a hang
SSE = {"Accept": "text/event-stream"}
ANN = Principal(tenant="one", user="ann", scopes=("browser",))


@pytest.fixture
async def elsewhere(server_settings: Settings, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    """An admin at another process on the same store."""
    _, secret = await store.keys.create(Principal(tenant="one", user="ada", scopes=("admin",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with (
        running(server_settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as made,
    ):
        yield made


@asynccontextmanager
async def holding(url: str, secret: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as made:
        yield made


class Stream:
    """A stream that is read until it ends."""

    def __init__(self, client: httpx.AsyncClient, method: str, path: str, **more: Any) -> None:
        self.told: list[str] = []
        self.began = asyncio.Event()
        self.reading = asyncio.create_task(self._read(client, method, path, **more))

    async def _read(self, client: httpx.AsyncClient, method: str, path: str, **more: Any) -> None:
        async with client.stream(method, path, headers=SSE, **more) as stream:
            async for line in stream.aiter_lines():
                self.told.append(line)
                self.began.set()


async def revoked(elsewhere: httpx.AsyncClient, key_id: str) -> None:
    assert (await elsewhere.delete(f"/api/keys/{key_id}")).status_code == 204


async def test_revoking_a_key_ends_the_work_of_its_paired_browsers(
    gemini_settings: Settings, gemini: Any, store: Store, elsewhere: httpx.AsyncClient
) -> None:
    maker, secret = await store.keys.create(ANN)
    async with running(gemini_settings) as url, holding(url, secret) as first:
        code = (await first.post("/api/pairing")).json()["code"]
        paired = (await first.post("/api/pairing/claim", json={"code": code})).json()
        async with holding(url, paired["apiKey"]) as browser:
            gemini.script(never(), never())
            run = Stream(browser, "POST", INTERACT, json=FORM.body(query=GOAL))
            await gemini.called(1)
            task_id = next(iter(await store.leases.list_runs("one", within_s=60, limit=1)))
            streams = [
                Stream(browser, "GET", f"/api/task/{task_id}/events"),
                Stream(browser, "GET", "/api/delegations/events"),
            ]
            waits = asyncio.create_task(
                browser.post(INTERACT, json=FORM.body(query=GOAL, requestId="waits"))
            )
            await gemini.called(2)
            for one in streams:
                await one.began.wait()
            await revoked(elsewhere, maker.key_id)
            assert (await browser.get("/api/me")).status_code == 401
            async with asyncio.timeout(HANG_S):
                await asyncio.gather(run.reading, *(one.reading for one in streams))
                assert (await waits).status_code == 401
        (end,) = [line for line in run.told if '"problem"' in line]
        assert "UNAUTHENTICATED" in end
        assert not any('"action"' in line for line in run.told)
        async with asyncio.timeout(HANG_S):
            while await store.leases.list_runs("one", within_s=60, limit=1):
                await asyncio.sleep(0.01)


@pytest.mark.parametrize("mode", MODES)
async def test_revoking_a_key_ends_an_mcp_call_and_withdraws_its_task(
    mode: str, base_url: str, store: Store, elsewhere: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    key, secret = await store.keys.create(Principal(tenant="one", user="ann", scopes=("mcp",)))

    async def open_tasks() -> list[dict[str, Any]]:
        return list((await client.get("/api/delegations")).json()["delegations"])

    async def ask() -> None:
        async with over_http(base_url, "tabwright", secret, mode) as assistant:
            await assistant.call_tool("run_task", {"goal": GOAL})

    asking = asyncio.create_task(ask())
    async with asyncio.timeout(HANG_S):
        while not await open_tasks():
            await asyncio.sleep(0.01)
        await revoked(elsewhere, key.key_id)
        (ended,) = await asyncio.gather(asking, return_exceptions=True)
    assert isinstance(ended, BaseException)
    async with asyncio.timeout(HANG_S):
        while await open_tasks():
            await asyncio.sleep(0.01)
