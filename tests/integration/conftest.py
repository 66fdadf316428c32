"""A real server on a port of its own, over the real store."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest
import uvicorn

from app.domain.task import Principal
from app.main import create_app
from app.settings import Settings
from app.store.port import Store

RATE = "100000/minute"


@pytest.fixture
def server_settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"rate_limit": RATE})


@pytest.fixture
async def base_url(server_settings: Settings) -> AsyncIterator[str]:
    config = uvicorn.Config(
        create_app(server_settings), port=0, log_level="warning", lifespan="on", ws="none"
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
        if serving.done():
            serving.result()
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    await serving


@pytest.fixture
async def key(store: Store) -> str:
    _, secret = await store.keys.create(Principal(tenant="one", user="ann"))
    return secret


@pytest.fixture
async def client(base_url: str, key: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def other(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    """A client of another tenant."""
    _, secret = await store.keys.create(Principal(tenant="two", user="bob"))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made
