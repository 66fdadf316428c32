"""A real server on a port of its own, over the real store."""

import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from copy import copy
from functools import cache
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from pymongo import MongoClient

from app import main
from app.domain.access import Principal
from app.main import create_app
from app.server.connection import http_options
from app.settings import Settings
from app.store.repositories import Store
from tests.fakes.gemini import FakeGemini
from tests.fakes.serving import serve_in_loop
from tests.fakes.tavily import FakeTavily
from tests.integration.desk import KEY, RATES, Desk, Served, served_desk
from tests.integration.store.store_users import home, own, user  # noqa: F401  fixtures

RATE = "100000/minute"


def drawn_once(build: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same graph with another checkpointer: drawing it is a third of what a server's start takes."""
    drawn = cache(lambda: build(None))

    def built(checkpointer: Any) -> Any:
        graph = copy(drawn())
        graph.checkpointer = checkpointer
        return graph

    return built


main.build_graph = drawn_once(main.build_graph)
main.build_chat = drawn_once(main.build_chat)


@pytest.fixture
def server_settings(settings: Settings) -> Settings:
    return settings.model_copy(update=dict.fromkeys(RATES, RATE))


@pytest.fixture
def gemini_settings(server_settings: Settings, gemini: FakeGemini, tavily: FakeTavily) -> Settings:
    """Settings whose model and search are the fakes of this test."""
    return server_settings.model_copy(
        update={
            "llm": "gemini",
            "gemini_api_key": SecretStr("key"),
            "gemini_base_url": gemini.url,
            "tavily_api_key": SecretStr("key"),
            "tavily_base_url": tavily.url,
        }
    )


@asynccontextmanager
async def running(settings: Settings) -> AsyncIterator[str]:
    """The address of the real server with these settings."""
    async with serve_in_loop(create_app(settings), lifespan="on", **http_options(settings)) as url:
        yield url


@pytest.fixture
async def base_url(server_settings: Settings) -> AsyncIterator[str]:
    async with running(server_settings) as url:
        yield url


@pytest.fixture
async def model_client(gemini_settings: Settings, key: str) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that reasons with the Gemini fake and searches with the Tavily one."""
    headers = {"Authorization": f"Bearer {key}"}
    async with (
        running(gemini_settings) as url,
        httpx.AsyncClient(base_url=url, headers=headers, timeout=20) as made,
    ):
        yield made


@pytest.fixture
async def key(store: Store) -> str:
    """The key of ann's browser, as pairing makes it."""
    _, secret = await store.keys.create(Principal(tenant="one", user="ann", scopes=("browser",)))
    return secret


@pytest.fixture
async def client(base_url: str, key: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def operator(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the same tenant that answers for all of it."""
    _, secret = await store.keys.create(Principal(tenant="one", user="olga", scopes=("operator",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def admin(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the same tenant that runs it."""
    _, secret = await store.keys.create(Principal(tenant="one", user="root", scopes=("admin",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture
async def other(base_url: str, store: Store) -> AsyncIterator[httpx.AsyncClient]:
    """A client of another tenant."""
    _, secret = await store.keys.create(Principal(tenant="two", user="bob", scopes=("operator",)))
    headers = {"Authorization": f"Bearer {secret}"}
    async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=20) as made:
        yield made


@pytest.fixture(scope="module")
def served(store_uri: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server with fakes of its own, for all tests of a module."""
    name = f"test_{secrets.token_hex(6)}"
    settings = Settings(
        _env_file=None,
        mongodb_uri=SecretStr(store_uri),
        mongodb_database=name,
        data_dir=tmp_path_factory.mktemp("desk"),
    )
    with served_desk(settings) as made:
        yield made
    client: MongoClient[dict[str, object]] = MongoClient(store_uri)
    client.drop_database(name)
    client.close()


@pytest.fixture
async def desk(served: Served) -> AsyncIterator[Desk]:
    """The module's server with empty scripts; fails a test that asked for more than its script."""
    for fake in (served.gemini, served.tavily):
        fake.clear()
    headers = {"Authorization": f"Bearer {KEY}"}
    async with httpx.AsyncClient(base_url=served.url, headers=headers, timeout=30) as client:
        yield Desk(client, served)
    for fake in (served.gemini, served.tavily):
        fake.check()
