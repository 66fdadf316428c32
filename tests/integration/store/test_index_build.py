"""Indexes that take long to make: the server listens, says so, and is there when they are."""

import asyncio
import secrets
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from pymongo import MongoClient
from structlog.testing import capture_logs

from app.domain.access import Principal
from app.settings import Settings
from app.store import index_build
from app.store.index_build import IndexBuild
from app.store.mongo.indexes import INDEXES
from app.store.open import open_all, open_store
from tests.fakes.held_wire import HeldWire, held_wire
from tests.integration.conftest import running

COLLECTIONS = {index.collection for index in INDEXES}


@pytest.fixture
def wire(store_uri: str) -> Iterator[HeldWire]:
    with held_wire(store_uri) as made:
        yield made


@pytest.fixture
def fresh(wire: HeldWire, server_settings: Settings, store_uri: str) -> Iterator[Settings]:
    """Settings of a database that has nothing yet, by way of the wire."""
    name = f"test_{secrets.token_hex(6)}"
    yield server_settings.model_copy(
        update={
            "mongodb_uri": SecretStr(wire.uri),
            "mongodb_database": name,
            "index_wait_s": 0.1,
            "api_key": SecretStr("tw_" + "k" * 40),
        }
    )
    with MongoClient[dict[str, Any]](store_uri) as client:
        client.drop_database(name)


async def until_ready(client: httpx.AsyncClient, body: dict[str, str]) -> None:
    async with asyncio.timeout(60):
        while True:
            answer = await client.get("/readyz")
            if answer.status_code == 200 and answer.json() == body:
                return
            await asyncio.sleep(0.05)


async def until_indexes_are_named(client: httpx.AsyncClient) -> None:
    """The server listens before it has found out which indexes are missing."""
    async with asyncio.timeout(60):
        while "indexes" not in (await client.get("/readyz")).json()["detail"]:
            await asyncio.sleep(0.05)


async def test_a_start_that_waits_for_indexes_listens_and_is_not_ready(
    fresh: Settings, wire: HeldWire
) -> None:
    headers = {"Authorization": f"Bearer tw_{'k' * 40}"}
    async with running(fresh) as url, httpx.AsyncClient(base_url=url, headers=headers) as client:
        assert (await client.get("/healthz")).json() == {"status": "ok"}
        await until_indexes_are_named(client)
        for path in ("/readyz", "/api/sessions"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["code"]) == (503, "STARTING")
            assert "indexes: building (" in answer.json()["detail"]
            assert "api_keys" in answer.json()["detail"]
            assert answer.headers["Retry-After"]
        wire.release()
        await until_ready(client, {"status": "ready"})
        assert (await client.get("/api/sessions")).status_code == 200


async def test_it_ends_in_order_while_it_waits(fresh: Settings) -> None:
    async with running(fresh) as url, httpx.AsyncClient(base_url=url) as client:
        assert (await client.get("/readyz")).status_code == 503


async def test_indexes_that_only_make_reads_fast_are_made_behind_a_ready_server(
    fresh: Settings, wire: HeldWire, store_uri: str
) -> None:
    straight = fresh.model_copy(update={"mongodb_uri": SecretStr(store_uri), "index_wait_s": 60})
    async with open_store(straight):
        pass
    with MongoClient[dict[str, Any]](store_uri) as driver:
        driver[fresh.mongodb_database]["tasks"].drop_index("tenantId_1_createdAt_1")
    async with running(fresh) as url, httpx.AsyncClient(base_url=url) as client:
        await until_ready(client, {"status": "ready", "indexes": "building"})
        wire.release()
        await until_ready(client, {"status": "ready"})


async def test_processes_that_start_at_once_make_each_index_once(
    fresh: Settings, wire: HeldWire
) -> None:
    async def opened() -> None:
        async with open_all(fresh) as all_of_it:
            await all_of_it.indexes.done.wait()
            _, secret = await all_of_it.store.keys.create(Principal(tenant="a", user="u"))
            assert await all_of_it.store.keys.principal(secret)

    starts = [asyncio.create_task(opened()) for _ in range(3)]
    while not wire.commands:
        await asyncio.sleep(0.01)
    wire.release()
    await asyncio.gather(*starts)
    assert wire.commands == len(COLLECTIONS)


async def test_what_was_made_since_it_was_missed_is_not_made_again(
    fresh: Settings, wire: HeldWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, builds, made = IndexBuild._lease, list[IndexBuild](), asyncio.Event()

    async def lease(self: IndexBuild) -> bool:
        builds.append(self)
        if self is not builds[0]:
            await made.wait()
        return await real(self)

    async def opened() -> None:
        async with open_all(fresh) as all_of_it:
            await all_of_it.indexes.done.wait()
            made.set()

    monkeypatch.setattr(IndexBuild, "_lease", lease)
    starts = [asyncio.create_task(opened()) for _ in range(2)]
    while len(builds) < 2:
        await asyncio.sleep(0.01)
    wire.release()
    await asyncio.gather(*starts)
    assert wire.commands == len(COLLECTIONS)


async def test_a_build_that_fails_is_tried_again_and_its_cause_logged(
    fresh: Settings, wire: HeldWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_build, "FIRST_PAUSE_S", 0.01)
    wire.cuts = 1
    wire.release()
    with capture_logs() as lines:
        async with open_all(fresh) as opened:
            await opened.indexes.done.wait()
    failed = [line for line in lines if line["event"] == "indexes_not_built"]
    assert failed
    assert all("connection closed" in line["cause"] for line in failed)
